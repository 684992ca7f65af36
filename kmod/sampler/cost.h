/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cost.h - what sampling costs, and how often it may be done for that.
 */
#ifndef RCR_COST_H
#define RCR_COST_H

#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/types.h>

#define RCR_MAX_STRIDE	1024

/**
 * struct rcr_cost - what the ticks of one CPU cost, in TSC cycles
 * @around: what the interrupt of each takes around its callback, see overhead.c
 * @ticks: how many
 * @sum: all of them together
 * @min: the cheapest
 * @max: the dearest
 * @window_begin: TSC when the budget was looked at last
 * @window_spent: spent since then
 * @window_ticks: ticks since then
 * @debt: spent above the budget, and not saved again yet
 */
struct rcr_cost {
	u64 around;
	u64 ticks;
	u64 sum;
	u64 min;
	u64 max;
	u64 window_begin;
	u64 window_spent;
	u32 window_ticks;
	u64 debt;
};

/*
 * Accounts a tick whose callback ran from @begin to @end, in TSC cycles. What others look
 * at meanwhile is written whole.
 */
static inline void rcr_cost_add(struct rcr_cost *c, u64 begin, u64 end)
{
	u64 spent = end - begin + c->around;

	WRITE_ONCE(c->ticks, c->ticks + 1);
	WRITE_ONCE(c->sum, c->sum + spent);
	if (spent < c->min)
		WRITE_ONCE(c->min, spent);
	if (spent > c->max)
		WRITE_ONCE(c->max, spent);
	c->window_spent += spent;
	c->window_ticks++;
}

/* Is it time to ask rcr_cost_stride()? Before that it says what it said. */
static inline bool rcr_cost_is_due(const struct rcr_cost *c, u64 tsc, u64 window)
{
	return tsc - c->window_begin >= window;
}

u64 rcr_cost_around(void);
void rcr_cost_start(struct rcr_cost *c, u64 tsc);
u32 rcr_cost_stride(struct rcr_cost *c, u64 tsc, u64 window, u32 budget_ppm,
		    u32 stride);

#endif
