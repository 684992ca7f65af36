/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shares.h - what the limits of a machine are for its parts.
 */
#ifndef RCRCTL_SHARES_H
#define RCRCTL_SHARES_H

#include "rcr_form.h"

/*
 * Is a value of the machine the sum of those of its parts? Of a sum of counts or of rates
 * it is; not of a ratio, a gauge, or a minimum, maximum or mean over CPUs.
 */
bool share_adds_up(const struct rcr_form *form);

/* The limit of each of @places, 0 where @limit is 0: not known. */
int64_t share_of(int64_t limit, unsigned int places);

#endif
