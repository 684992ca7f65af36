/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * params.h - what the administrator asked for when loading the module.
 */
#ifndef RCR_PARAMS_H
#define RCR_PARAMS_H

#include <linux/cpumask.h>
#include <linux/types.h>

/**
 * struct rcr_params - the module parameters, checked
 * @period_us: distance of two ticks
 * @slow_period_us: distance of two readings of what is slow to read
 * @energy_period_us: distance of two readings of energy, at least
 * @offset_us: how far ticks are behind the multiples of @period_us on the wall clock
 * @idle_skip: CPUs that are idle are sampled less often
 * @budget_ppm: millionths of the time that ticks may take; 0: any
 * @ring_records: slots of each ring, a power of two
 * @spare: perf: general counters of each core that stay free for others
 * @source: who counts, an enum rcr_source_id; RCR_SOURCES: whoever serves it
 * @cpus: which CPUs
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
