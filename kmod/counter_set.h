/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * counter_set.h - which counters are counted now.
 */
#ifndef RCR_COUNTER_SET_H
#define RCR_COUNTER_SET_H

#include <linux/rcrtool.h>
#include "event.h"
#include "failure.h"
#include "pmu/pmu.h"

/**
 * struct rcr_counter_set - the set, or why there is none
 * @generation: changes when what is counted changes
 * @pmu: the family's table, NULL for an unknown CPU
 * @count: counters
 * @counter: what each is, for people
 * @reg: how each is run, where we program it ourselves
 * @event: what each counts, where the kernel programs it
 * @order: in which order the kernel is asked for them
 * @failure: why the set is inert, if it is
 */
struct rcr_counter_set {
	u32 generation;
	const struct rcr_pmu *pmu;
	unsigned int count;
	struct rcr_counter counter[RCR_MAX_COUNTERS];
	struct rcr_register reg[RCR_MAX_COUNTERS];
	struct rcr_event event[RCR_MAX_COUNTERS];
	u8 order[RCR_MAX_COUNTERS];
	struct rcr_failure failure;
};

int rcr_counter_set_build(struct rcr_counter_set *set, const struct rcr_pmu *pmu,
			  const struct rcr_event *events, unsigned int count,
			  struct rcr_failure *f);

#endif
