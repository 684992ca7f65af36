/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* form.h - forms of meters as netlink attributes, internal to librcr. */
#ifndef RCR_FORM_INSIDE_H
#define RCR_FORM_INSIDE_H

#include "rcr_form.h"

struct nl_msg;
struct nlattr;

/* Adds a form to a request as a nest of type @attr; returns 0, or -1 if it does not fit. */
int rcr_form_put(struct nl_msg *msg, int attr, const struct rcr_form *form);

/* Reads a form from an answer; returns 0, or -1 on failure. */
int rcr_form_take(struct rcr_form *form, struct nlattr *nest);

#endif
