/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sampler.h - a timer on each CPU that turns counters into records.
 */
#ifndef RCR_SAMPLER_H
#define RCR_SAMPLER_H

#include <linux/hrtimer.h>
#include <linux/workqueue.h>
#include "cost.h"
#include "grid.h"
#include "ring/run.h"
#include "ring/scale.h"
#include "source/source.h"

#define RCR_PERIOD_MIN_US	20u
#define RCR_PERIOD_MAX_US	3600000000u	/* an hour */

/**
 * struct rcr_head - how each sample of a CPU begins, word by word
 * @item: as it is in the record
 * @word: the same
 */
struct rcr_head {
	union {
		struct rcr_item item;
		u64 word[sizeof(struct rcr_item) / sizeof(u64)];
	};
};

/**
 * struct rcr_sampler - one CPU's timer and all that it touches
 * @timer: pinned, hard interrupt even on PREEMPT_RT
 * @cpu: where it runs
 * @run: what it samples, and where to; fixed while the timer runs
 * @ring: its ring there
 * @head: how its samples there begin
 * @count: counters of its run
 * @more: some of these are read or told in a way of their own
 * @window: TSC cycles over which its budget is judged
 * @idle_most: periods from one sample to the next while it is idle, at most; 0: as always
 * @idle_stride: the same, now
 * @changes: samples of this CPU, since load, with another status than the one before
 * @promised: what its ring had promised when it ended
 * @running: its timer runs
 * @scales: its mark rings there
 * @owns: the scopes whose shared counters it reads, bit n for scope n
 * @node: number of its node
 * @generation: of the run that it sampled last
 * @grid: this CPU's place in time
 * @generation_before: of the run before that one, to go back to
 * @grid_before: its place in time
 * @counters: this CPU's counts, one of @side
 * @spare: the other side, for the set that comes next
 * @slow_work: reads its slow counters
 * @repair: work item that creates misplaced events again
 * @repair_at: when that may be queued again, jiffies
 * @slow_tick: when that was asked for last, in slow periods
 * @read_at: CLOCK_MONOTONIC when its counters were read last, ns
 * @cost: what it cost here
 * @overruns: ticks missed here since load
 * @side: memory of both sides
 */
struct rcr_sampler {
	struct hrtimer timer;
	int cpu;
	struct rcr_run *run;
	struct rcr_ring *ring;
	struct rcr_head head;
	u32 count;
	bool more;
	bool running;
	u64 promised;
	u64 window;
	u32 idle_most;
	u32 idle_stride;
	u64 changes;
	struct rcr_scales scales;
	u32 owns;
	u32 node;
	u32 generation;
	u32 generation_before;
	struct rcr_grid grid;
	struct rcr_grid grid_before;
	struct rcr_cpu_counters *counters;
	struct rcr_cpu_counters *spare;
	struct work_struct slow_work;
	struct work_struct *repair;
	unsigned long repair_at;
	u64 slow_tick;
	u64 read_at;
	struct rcr_cost cost;
	u64 overruns;
	struct rcr_cpu_counters side[2];
};

void rcr_timing_init(struct rcr_timing *t, u64 period, u64 slow_period, u64 phase,
		     u32 budget_ppm, bool idle_skip);
void rcr_timing_slow_down(struct rcr_timing *t, u64 period);
void rcr_sampler_init(struct rcr_sampler *s, int cpu, u64 around);
void rcr_sampler_start(struct rcr_sampler *s, struct rcr_run *run);
void rcr_sampler_stop(struct rcr_sampler *s);
void rcr_sampler_end(struct rcr_sampler *s, struct rcr_run *run);
void rcr_sampler_flush(struct rcr_sampler *s);
void rcr_sampler_swap(struct rcr_sampler *s);

#endif
