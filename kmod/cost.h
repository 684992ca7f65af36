/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cost.h - what sampling costs, and how often it may be done for that.
 */
#ifndef RCR_COST_H
#define RCR_COST_H

#include <linux/types.h>

#define RCR_MAX_STRIDE	1024

/**
 * struct rcr_cost - what the ticks of one CPU cost, in TSC cycles
 * @ticks: how many
 * @sum: all of them together
 * @min: the cheapest
 * @max: the dearest
 * @window_begin: TSC when the budget was looked at last
 * @window_spent: spent since then
 * @window_ticks: ticks since then
 */
struct rcr_cost {
	u64 ticks;
	u64 sum;
	u64 min;
	u64 max;
	u64 window_begin;
	u64 window_spent;
	u32 window_ticks;
};

void rcr_cost_start(struct rcr_cost *c, u64 tsc);
void rcr_cost_add(struct rcr_cost *c, u64 begin, u64 end);
u32 rcr_cost_stride(struct rcr_cost *c, u64 tsc, u64 window, u32 budget_ppm,
		    u32 stride);

#endif
