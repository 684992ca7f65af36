/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * params.h - the checked module parameters.
 */
#ifndef RCR_PARAMS_H
#define RCR_PARAMS_H

#include <linux/cpumask.h>
#include <linux/types.h>

/**
 * struct rcr_params - the module parameters, checked
 * @period_us: sampling period
 * @slow_period_us: time between readings of slow counters
 * @energy_period_us: minimum time between readings of energy
 * @offset_us: offset of the ticks from the multiples of @period_us on the wall clock
 * @idle_skip: sample idle CPUs less often
 * @budget_ppm: share of the time that ticks may take, in millionths; 0: no limit
 * @ring_records: slots of each ring, a power of two
 * @spare: perf: general counters of each core that stay free for others
 * @source: enum rcr_source_id; RCR_SOURCES: the first one that works
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
