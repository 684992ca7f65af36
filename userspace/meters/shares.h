/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shares.h - derives the limits of parts of the machine from those of the machine. */
#ifndef METERS_SHARES_H
#define METERS_SHARES_H

#include "rcr_form.h"

/*
 * True if the machine's value is the sum of the values of its parts. This holds for a sum of counts
 * or rates, but not for a ratio, a gauge, or a minimum, maximum or mean over CPUs.
 */
bool share_adds_up(const struct rcr_form *form);

/* Returns the limit of each of @places; 0 (not known) if @limit is 0. */
int64_t share_of(int64_t limit, unsigned int places);

#endif
