/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * form.h - forms of meters on their way to the module and back, inside librcr.
 */
#ifndef RCR_FORM_INSIDE_H
#define RCR_FORM_INSIDE_H

#include "rcr_form.h"

struct nl_msg;
struct nlattr;

/* Puts a form into a request as a nest of type @attr: 0, or -1 when it does not fit. */
int rcr_form_put(struct nl_msg *msg, int attr, const struct rcr_form *form);

/* Reads one out of an answer: 0, or -1. */
int rcr_form_take(struct rcr_form *form, struct nlattr *nest);

#endif
