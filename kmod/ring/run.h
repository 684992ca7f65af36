/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * run.h - a counter set from the moment it is programmed to the moment another
 * takes its place: what is counted, and the rings that hold it.
 */
#ifndef RCR_RUN_H
#define RCR_RUN_H

#include <linux/cpumask.h>
#include <linux/kref.h>
#include "set/counter_set.h"
#include "marks.h"
#include "ring.h"

/**
 * struct rcr_timing - when all CPUs sample
 * @period: ns
 * @anchor: tick 0, see struct rcr_grid
 * @window: TSC cycles over which the budget is judged
 * @slow: ticks from one reading of slow counters to the next
 * @phase: how far the grid is behind the multiples of @period on the wall clock, ns
 * @idle_most: see struct rcr_sampler
 * @budget_ppm: millionths of the time that ticks may take; 0: any
 */
struct rcr_timing {
	u64 period;
	u64 anchor;
	u64 phase;
	u64 window;
	u32 slow;
	u32 budget_ppm;
	u32 idle_most;
};

/**
 * struct rcr_run - a set and its records
 * @ref: whoever reads its rings holds one
 * @set: the counters, fixed from rcr_run_publish() on
 * @timing: when
 * @cpus: which CPUs have a ring: all that are sampled whenever they are online
 * @capacity: slots of each ring
 * @record_size: bytes of each record
 * @ended: another run has taken its place: no record comes any more
 * @marks: moments that somebody marked meanwhile
 * @ring: by CPU number
 */
struct rcr_run {
	struct kref ref;
	struct rcr_counter_set set;
	struct rcr_timing timing;
	struct cpumask cpus;
	u32 capacity;
	u32 record_size;
	bool ended;
	struct rcr_marks marks;
	struct rcr_ring_memory ring[];
};

struct notifier_block;

struct rcr_run *rcr_run_alloc(void);
int rcr_run_alloc_rings(struct rcr_run *run, const struct cpumask *cpus,
			u32 capacity);
struct rcr_run *rcr_run_get(struct rcr_run *run);
void rcr_run_put(struct rcr_run *run);
struct rcr_run *rcr_run_get_current(void);
u32 rcr_run_slow_offset(const struct rcr_run *run);
void rcr_run_carry_marks(const struct rcr_run *run, struct rcr_run *next, int cpu);
void rcr_run_publish(struct rcr_run *run);
void rcr_run_listen(struct notifier_block *listener);
void rcr_run_ignore(struct notifier_block *listener);

#endif
