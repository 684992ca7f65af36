/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sampler.h - a timer on each CPU that turns counters into records.
 */
#ifndef RCR_SAMPLER_H
#define RCR_SAMPLER_H

#include <linux/hrtimer.h>
#include "cost.h"
#include "grid.h"
#include "ring.h"
#include "source.h"

#define RCR_PERIOD_MIN_US	20u
#define RCR_PERIOD_MAX_US	3600000000u	/* an hour */

/**
 * struct rcr_sampling - what all CPUs sample, and when
 * @set: the counters
 * @source: how to read them
 * @period: ns
 * @anchor: tick 0, see struct rcr_grid
 * @window: TSC cycles over which the budget is judged
 * @budget_ppm: millionths of the time that ticks may take; 0: any
 */
struct rcr_sampling {
	struct rcr_counter_set *set;
	const struct rcr_source *source;
	u64 period;
	u64 anchor;
	u64 window;
	u32 budget_ppm;
};

/**
 * struct rcr_sampler - one CPU's timer and all that it touches
 * @timer: pinned, hard interrupt even on PREEMPT_RT
 * @cpu: where it runs
 * @sampling: shared, read only while timers run
 * @grid: this CPU's place in time
 * @counters: this CPU's counts
 * @memory: this CPU's ring
 * @cost: what it cost here
 * @overruns: ticks missed here since load
 */
struct rcr_sampler {
	struct hrtimer timer;
	int cpu;
	const struct rcr_sampling *sampling;
	struct rcr_grid grid;
	struct rcr_cpu_counters counters;
	struct rcr_ring_memory memory;
	struct rcr_cost cost;
	u64 overruns;
};

void rcr_sampling_init(struct rcr_sampling *s, struct rcr_counter_set *set,
		       const struct rcr_source *source, u64 period_us,
		       u32 budget_ppm);
void rcr_sampler_init(struct rcr_sampler *s, int cpu,
		      const struct rcr_sampling *sampling);
void rcr_sampler_start(struct rcr_sampler *s);
void rcr_sampler_stop(struct rcr_sampler *s);

#endif
