/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cost.h - cost of sampling, and the stride that keeps it within the budget.
 */
#ifndef RCR_COST_H
#define RCR_COST_H

#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/types.h>

#define RCR_MAX_STRIDE	1024

/**
 * struct rcr_cost - cost of the ticks of one CPU, in TSC cycles
 * @overhead: cost of a tick's interrupt outside its callback, see overhead.c
 * @ticks: number of ticks
 * @sum: total cost
 * @min: lowest cost of a tick
 * @max: highest cost of a tick
 * @window_begin: TSC at the beginning of the window
 * @window_spent: cost in this window
 * @window_ticks: ticks in this window
 * @debt: cost above the budget that has not been compensated yet
 */
struct rcr_cost {
	u64 overhead;
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
 * Add a tick whose callback ran from @begin to @end, in TSC cycles. Fields that others read
 * concurrently are written with WRITE_ONCE().
 */
static inline void rcr_cost_add(struct rcr_cost *c, u64 begin, u64 end)
{
	u64 spent = end - begin + c->overhead;

	WRITE_ONCE(c->ticks, c->ticks + 1);
	WRITE_ONCE(c->sum, c->sum + spent);
	if (spent < c->min)
		WRITE_ONCE(c->min, spent);
	if (spent > c->max)
		WRITE_ONCE(c->max, spent);
	c->window_spent += spent;
	c->window_ticks++;
}

/* True if a window has ended; rcr_cost_stride() changes nothing before. */
static inline bool rcr_cost_is_due(const struct rcr_cost *c, u64 tsc, u64 window)
{
	return tsc - c->window_begin >= window;
}

u64 rcr_cost_overhead(void);
void rcr_cost_start(struct rcr_cost *c, u64 tsc);
u32 rcr_cost_stride(struct rcr_cost *c, u64 tsc, u64 window, u32 budget_ppm,
		    u32 stride);

#endif
