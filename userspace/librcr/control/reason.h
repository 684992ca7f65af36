/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* reason.h - reasons in answers of the module, internal to librcr. */
#ifndef RCR_REASON_H
#define RCR_REASON_H

#include <netlink/attr.h>

/* Formats a nest of enum rcr_reason_attr as a sentence. */
void rcr_reason_take(char *text, size_t size, struct nlattr *nest);

#endif
