// SPDX-License-Identifier: GPL-2.0-only
/*
 * cost.c - limit the cost of sampling to a budget.
 *
 * Has no kernel state, the caller provides the time: also compiled into the unit tests.
 */
#include <linux/kernel.h>
#include <linux/math64.h>

#include "cost.h"

/* Minimum number of ticks of a window, so that a single slow tick does not decide. */
#define WINDOW_TICKS	16

/*
 * Upper bound of the debt, in budgets of a window: if a hypervisor preempts the CPU in a tick,
 * that time is not the sampler's.
 */
#define DEBT_WINDOWS	10

static void begin_window(struct rcr_cost *c, u64 tsc)
{
	c->window_begin = tsc;
	c->window_spent = 0;
	c->window_ticks = 0;
}

/* Begin to measure at @tsc; statistics are kept. */
void rcr_cost_start(struct rcr_cost *c, u64 tsc)
{
	if (!c->ticks)
		c->min = U64_MAX;
	c->debt = 0;
	begin_window(c, tsc);
}

/* Update the debt at the end of a window with a budget of @allowed cycles. */
static void update_debt(struct rcr_cost *c, u64 allowed)
{
	u64 owed = c->debt + c->window_spent;

	c->debt = owed > allowed ? min(owed - allowed, DEBT_WINDOWS * allowed) : 0;
}

/**
 * rcr_cost_stride() - choose the number of ticks per sample
 * @c: cost account of this CPU
 * @tsc: current TSC
 * @window: length of a window, TSC cycles
 * @budget_ppm: limit of the time spent, millionths; 0: none
 * @stride: current stride
 *
 * Above the budget the stride doubles; below a quarter of it the stride halves, which avoids
 * oscillation. While there is a debt only half of the budget may be spent, so that the budget
 * also holds on average.
 *
 * Return: the new stride.
 */
u32 rcr_cost_stride(struct rcr_cost *c, u64 tsc, u64 window, u32 budget_ppm,
		    u32 stride)
{
	u64 elapsed = tsc - c->window_begin, ppm;
	u32 limit;

	if (!budget_ppm || elapsed < window || c->window_ticks < WINDOW_TICKS)
		return stride;
	ppm = mul_u64_u64_div_u64(c->window_spent, 1000000, elapsed);
	update_debt(c, mul_u64_u64_div_u64(elapsed, budget_ppm, 1000000));
	begin_window(c, tsc);
	limit = c->debt ? budget_ppm / 2 : budget_ppm;
	if (ppm > limit)
		return min(stride * 2, (u32)RCR_MAX_STRIDE);
	if (stride > 1 && !c->debt && ppm * 4 < budget_ppm)
		return stride / 2;
	return stride;
}
