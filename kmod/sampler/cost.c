// SPDX-License-Identifier: GPL-2.0-only
/*
 * cost.c - keeps the sampler within its budget.
 *
 * Pure: the caller brings the time. Compiled into the unit tests as well.
 */
#include <linux/kernel.h>
#include <linux/math64.h>

#include "cost.h"

/* A window has at least that many ticks, or one slow tick would decide. */
#define WINDOW_TICKS	16

/*
 * No more is saved again than what so many windows may spend: that a hypervisor takes a
 * CPU away in the middle of a tick is not the sampler's doing.
 */
#define DEBT_WINDOWS	10

static void begin_window(struct rcr_cost *c, u64 tsc)
{
	c->window_begin = tsc;
	c->window_spent = 0;
	c->window_ticks = 0;
}

/* Begins to measure at @tsc; what was measured before is kept. */
void rcr_cost_start(struct rcr_cost *c, u64 tsc)
{
	if (!c->ticks)
		c->min = U64_MAX;
	c->debt = 0;
	begin_window(c, tsc);
}

/* A window is over in which @allowed could be spent. */
static void settle(struct rcr_cost *c, u64 allowed)
{
	u64 owed = c->debt + c->window_spent;

	c->debt = owed > allowed ? min(owed - allowed, DEBT_WINDOWS * allowed) : 0;
}

/**
 * rcr_cost_stride() - how many ticks one sample may stand for
 * @c: this CPU's account
 * @tsc: now
 * @window: over how many TSC cycles to judge
 * @budget_ppm: how much of the time may be spent, millionths; 0: any
 * @stride: what it is now
 *
 * Over the budget the stride doubles; it halves again when a quarter of the
 * budget suffices, so that it does not swing. What was spent above the budget is
 * saved again, by half of it at least, so that the budget holds on average, too.
 *
 * Return: what it shall be from now on.
 */
u32 rcr_cost_stride(struct rcr_cost *c, u64 tsc, u64 window, u32 budget_ppm,
		    u32 stride)
{
	u64 elapsed = tsc - c->window_begin, ppm;
	u32 limit;

	if (!budget_ppm || elapsed < window || c->window_ticks < WINDOW_TICKS)
		return stride;
	ppm = mul_u64_u64_div_u64(c->window_spent, 1000000, elapsed);
	settle(c, mul_u64_u64_div_u64(elapsed, budget_ppm, 1000000));
	begin_window(c, tsc);
	limit = c->debt ? budget_ppm / 2 : budget_ppm;
	if (ppm > limit)
		return min(stride * 2, (u32)RCR_MAX_STRIDE);
	if (stride > 1 && !c->debt && ppm * 4 < budget_ppm)
		return stride / 2;
	return stride;
}
