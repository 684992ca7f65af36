/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * reason.h - reasons in answers of the module, inside librcr.
 */
#ifndef RCR_REASON_H
#define RCR_REASON_H

#include <netlink/attr.h>

/* Writes the sentence that a nest of enum rcr_reason_attr means. */
void rcr_reason_take(char *text, size_t size, struct nlattr *nest);

#endif
