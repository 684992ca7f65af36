/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * params.h - the module parameters.
 */
#ifndef RCR_PARAMS_H
#define RCR_PARAMS_H

#include <linux/cpumask.h>
#include <linux/types.h>

/**
 * struct rcr_params - the module parameters; constant after rcr_params_check()
 * @period_us: initial sampling period, us
 * @slow_period_us: period of reading slow counters, us
 * @energy_period_us: minimum period of reading energy, us
 * @offset_us: delay of ticks relative to multiples of @period_us on the wall clock, us
 * @idle_skip: sample idle CPUs less often
 * @budget_ppm: maximum CPU time of ticks, millionths; 0: no limit
 * @ring_records: slots of each ring, a power of two
 * @spare: source perf: number of general counters of each core that stay free for others
 * @source: enum rcr_source_id of all counters; RCR_SOURCES: choose one for each event
 * @cpus: CPUs to sample
 */
struct rcr_params {
	u32 period_us;
	u32 slow_period_us;
	u32 energy_period_us;
	u32 offset_us;
	bool idle_skip;
	u32 budget_ppm;
	u32 ring_records;
	u32 spare;
	unsigned int source;
	struct cpumask cpus;
};

extern struct rcr_params rcr_params;

int rcr_params_check(void);

#endif
