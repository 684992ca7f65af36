// SPDX-License-Identifier: GPL-2.0-only
/*
 * grid.c - arithmetic of the sampling grid.
 *
 * Grid points are the multiples of the period on the wall clock plus a constant phase, so all
 * CPUs, and all nodes with synchronized clocks, sample at the same instants. All times are kept
 * on CLOCK_MONOTONIC, which cannot be stepped: a step of the wall clock only changes the
 * grid's phase. Tick numbers are the periods since a common anchor, rounded, so CPUs that
 * notice a step at different times still assign the same number to the same point.
 *
 * Has no kernel state, the caller provides the time: also compiled into the unit tests.
 */
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/math64.h>

#include "grid.h"

/**
 * rcr_grid_anchor() - grid point that is tick 0 on all CPUs
 * @period: ns
 * @now: CLOCK_MONOTONIC, ns
 * @offset: realtime minus monotonic, ns
 * @phase: offset from multiples of @period, ns
 *
 * Return: CLOCK_MONOTONIC of the last grid point that is not after @now, ns. May be before the
 * boot, as a wrapped unsigned number: only differences from it are used.
 */
u64 rcr_grid_anchor(u64 period, u64 now, s64 offset, u64 phase)
{
	u64 into;

	div64_u64_rem(now + offset - phase, period, &into);
	return now - into;
}

/* Number of the point at @due: periods since the anchor, to the nearest. */
static u64 tick_number(const struct rcr_grid *g, u64 due)
{
	return div64_u64(due - g->anchor + g->period / 2, g->period);
}

/* Advance to the next multiple of @stride, which is the same on each CPU. */
static void align_stride(struct rcr_grid *g, u32 stride)
{
	u64 into;

	div64_u64_rem(g->tick, stride, &into);
	if (into) {
		g->tick += stride - into;
		g->due += (stride - into) * g->period;
	}
}

/* Advance to the first point after @after whose number is greater than @tick. */
static void advance_grid(struct rcr_grid *g, u64 after, u64 tick)
{
	g->due = rcr_grid_anchor(g->period, after, g->offset, g->phase) + g->period;
	g->tick = tick_number(g, g->due);
	if (g->tick <= tick) {
		g->due += g->period;
		g->tick++;
	}
	align_stride(g, g->stride);
}

/**
 * rcr_grid_start() - initialize a CPU's grid
 * @g: grid of the CPU
 * @period: ns
 * @anchor: from rcr_grid_anchor()
 * @now: CLOCK_MONOTONIC, ns
 * @offset: realtime minus monotonic, ns
 * @phase: offset from multiples of @period, ns
 */
void rcr_grid_start(struct rcr_grid *g, u64 period, u64 anchor, u64 now, s64 offset,
		    u64 phase)
{
	g->period = period;
	g->anchor = anchor;
	g->offset = offset;
	g->phase = phase;
	g->stride = 1;
	advance_grid(g, now, 0);
	g->last_tick = g->tick - 1;
	g->last_due = g->due - period;
}

/**
 * rcr_grid_resume() - continue after a time without sampling
 * @g: grid of the CPU, unchanged since
 * @now: CLOCK_MONOTONIC, ns
 *
 * Ticks in between count as skipped. The epoch does not change; a step of the clock since is
 * noticed in the first tick, as usual.
 */
void rcr_grid_resume(struct rcr_grid *g, u64 now)
{
	advance_grid(g, now, g->last_tick);
}

/**
 * rcr_grid_step() - begin a new epoch after a step of the wall clock
 * @g: grid of the CPU
 * @offset: new realtime minus monotonic, ns
 * @after: the next tick must be due later, CLOCK_MONOTONIC in ns
 *
 * The next tick has the next number, wherever its point is on the new grid: no tick is
 * invented, and none is left out except one that would be due by @after. A point that the step
 * jumped over is due immediately.
 *
 * Return: shift of the grid, ns.
 */
s64 rcr_grid_step(struct rcr_grid *g, s64 offset, u64 after)
{
	g->offset = offset;
	advance_grid(g, max(g->last_due, after), g->last_tick);
	return g->due - g->last_due - (g->tick - g->last_tick) * g->period;
}

/**
 * rcr_grid_set_stride() - sample every @stride ticks
 * @g: grid of the CPU, right after rcr_grid_tick()
 * @stride: 1 or more; samples are at its multiples, the same on each CPU
 */
void rcr_grid_set_stride(struct rcr_grid *g, u32 stride)
{
	WRITE_ONCE(g->stride, stride);
	g->tick = g->last_tick + 1;
	g->due = g->last_due + g->period;
	align_stride(g, stride);
}

/**
 * rcr_grid_skip() - skip ticks once
 * @g: grid of the CPU, right after rcr_grid_tick()
 * @stride: 1 or more; the next sample is at a multiple of it and of the grid's stride
 */
void rcr_grid_skip(struct rcr_grid *g, u32 stride)
{
	g->tick = g->last_tick + 1;
	g->due = g->last_due + g->period;
	align_stride(g, stride < g->stride ? g->stride : stride - stride % g->stride);
}
