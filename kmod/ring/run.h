/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * run.h - runs: a counter set from its programming until the next set, and its rings.
 */
#ifndef RCR_RUN_H
#define RCR_RUN_H

#include <linux/cpumask.h>
#include <linux/kref.h>
#include "set/counter_set.h"
#include "marks.h"
#include "ring.h"

/**
 * struct rcr_timing - sampling times of all CPUs
 * @period: ns
 * @anchor: tick 0, see struct rcr_grid
 * @phase: offset of the grid from multiples of @period on the wall clock, ns
 * @window: TSC cycles over which the budget is evaluated
 * @slow: ticks between two reads of slow counters
 * @budget_ppm: limit of the time spent in ticks, millionths; 0: none
 * @idle_most: see struct rcr_sampler
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
 * @ref: references; each reader of the rings holds one
 * @set: the counters, constant after rcr_run_publish()
 * @timing: sampling times
 * @cpus: CPUs with a ring, which are sampled whenever they are online
 * @capacity: slots of each ring
 * @record_size: bytes of each record
 * @ended: another run is the current one, and no record follows
 * @marks: marks set by users during the run
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
void rcr_run_register_notifier(struct notifier_block *listener);
void rcr_run_unregister_notifier(struct notifier_block *listener);

#endif
