/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sampler.h - per-CPU timer that writes records of counters.
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
#define RCR_PERIOD_MAX_US	3600000000u	/* one hour */

/**
 * struct rcr_head - first words of a CPU's samples
 * @item: as a struct
 * @word: the same as 64-bit words
 */
struct rcr_head {
	union {
		struct rcr_item item;
		u64 word[sizeof(struct rcr_item) / sizeof(u64)];
	};
};

/**
 * struct rcr_sampler - timer of one CPU and its data
 * @timer: pinned, hard interrupt even on PREEMPT_RT
 * @cpu: its CPU
 * @run: the sampled run; constant while the timer runs
 * @ring: ring of the CPU in @run
 * @head: first words of a sample
 * @count: number of counters
 * @more: some counters are slow, or their unit is not events
 * @running: the timer runs
 * @promised: @next of the ring when the CPU was stopped
 * @window: budget window, TSC cycles
 * @idle_most: longest interval between samples of an idle CPU, periods; 0: the usual one
 * @idle_stride: current interval of an idle CPU, periods
 * @changes: number of samples since load in which a status had changed
 * @scales: state of the mark rings
 * @owns: scopes whose shared counters this CPU reads, bit n for scope n
 * @node: node of the CPU
 * @generation: generation of the latest sampled run
 * @generation_before: generation of the run before, for a return to it
 * @grid: position on the grid
 * @grid_before: position on the grid of the run before
 * @counters: counters of @run, one of @side
 * @spare: the other one, for the next set
 * @slow_work: reads the slow counters
 * @repair: work item that recreates misplaced events
 * @repair_at: when it may be queued again, jiffies
 * @slow_tick: slow period in which @slow_work was queued last
 * @read_at: CLOCK_MONOTONIC of the latest read, ns
 * @cost: cost account
 * @overruns: ticks missed since load
 * @side: memory of @counters and @spare
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
void rcr_timing_limit_slow(struct rcr_timing *t, u64 period);
void rcr_sampler_init(struct rcr_sampler *s, int cpu, u64 overhead);
void rcr_sampler_start(struct rcr_sampler *s, struct rcr_run *run);
void rcr_sampler_stop(struct rcr_sampler *s);
void rcr_sampler_end(struct rcr_sampler *s, struct rcr_run *run);
void rcr_sampler_flush(struct rcr_sampler *s);
void rcr_sampler_swap(struct rcr_sampler *s);

#endif
