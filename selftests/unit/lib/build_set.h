/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * build_set.h - builds a set of events that registers count, as sources.c does.
 */
#ifndef UNIT_BUILD_SET_H
#define UNIT_BUILD_SET_H

#include <string.h>
#include <linux/bits.h>

#include "set/counter_set.h"

/* Build the set of these events; the caller sets the machine first. */
static inline int build_set(struct rcr_counter_set *set,
			    const struct rcr_counter_set *before,
			    const struct rcr_event *events, unsigned int count,
			    struct rcr_failure *f)
{
	set->count = count;
	memcpy(set->event, events, count * sizeof(*events));
	set->by[RCR_SOURCE_MSR] = GENMASK(count - 1, 0);
	return rcr_counter_set_build(set, before, set->by[RCR_SOURCE_MSR], f);
}

#endif
