// SPDX-License-Identifier: GPL-2.0-only
/*
 * grid.c - arithmetic of the sampling grid.
 *
 * The grid's points are the multiples of the period on the wall clock, or some fixed time
 * behind them, so that all CPUs, and all nodes with a common clock, sample at the same
 * instants.
 * Everything is kept on CLOCK_MONOTONIC, which no one can step: a step of the
 * wall clock moves the grid's phase and nothing else. Tick numbers count
 * periods from one anchor, rounded, so that CPUs which learn of a step at
 * different moments still give the same point the same number.
 *
 * Pure: the caller brings the time. Compiled into the unit tests as well.
 */
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/math64.h>

#include "grid.h"

/**
 * rcr_grid_anchor() - where tick 0 is, for all CPUs
 * @period: ns
 * @now: CLOCK_MONOTONIC, ns
 * @offset: realtime minus monotonic, ns
 * @phase: how far behind the multiples of @period, ns
 *
 * Return: CLOCK_MONOTONIC of the last grid point that is not after @now, ns. It may lie
 * before the boot as an unsigned number does: only differences from it are used.
 */
u64 rcr_grid_anchor(u64 period, u64 now, s64 offset, u64 phase)
{
	u64 into;

	div64_u64_rem(now + offset - phase, period, &into);
	return now - into;
}

/* Number of the point at @due: periods from the anchor, to the nearest. */
static u64 number_of(const struct rcr_grid *g, u64 due)
{
	return div64_u64(due - g->anchor + g->period / 2, g->period);
}

/* Moves the aim on to the next multiple of @stride, the same on every CPU. */
static void align(struct rcr_grid *g, u32 stride)
{
	u64 into;

	div64_u64_rem(g->tick, stride, &into);
	if (into) {
		g->tick += stride - into;
		g->due += (stride - into) * g->period;
	}
}

/* The first point after @after whose number is beyond @tick. */
static void aim(struct rcr_grid *g, u64 after, u64 tick)
{
	g->due = rcr_grid_anchor(g->period, after, g->offset, g->phase) + g->period;
	g->tick = number_of(g, g->due);
	if (g->tick <= tick) {
		g->due += g->period;
		g->tick++;
	}
	align(g, g->stride);
}

/**
 * rcr_grid_start() - sets a CPU on the grid
 * @g: the CPU's place
 * @period: ns
 * @anchor: from rcr_grid_anchor()
 * @now: CLOCK_MONOTONIC, ns
 * @offset: realtime minus monotonic, ns
 * @phase: how far behind the multiples of @period, ns
 */
void rcr_grid_start(struct rcr_grid *g, u64 period, u64 anchor, u64 now, s64 offset,
		    u64 phase)
{
	g->period = period;
	g->anchor = anchor;
	g->offset = offset;
	g->phase = phase;
	g->stride = 1;
	aim(g, now, 0);
	g->last_tick = g->tick - 1;
	g->last_due = g->due - period;
}

/**
 * rcr_grid_resume() - goes on after a time without sampling
 * @g: the CPU's place, as it was left
 * @now: CLOCK_MONOTONIC, ns
 *
 * The ticks in between count as left out on purpose. Still of the old epoch: a
 * step of the clock in the meantime is found at the first tick, as any other.
 */
void rcr_grid_resume(struct rcr_grid *g, u64 now)
{
	aim(g, now, g->last_tick);
}

/**
 * rcr_grid_step() - the wall clock was stepped: begins a new epoch
 * @g: the CPU's place
 * @offset: realtime minus monotonic, ns, from now on
 * @after: the next tick shall be due behind that, CLOCK_MONOTONIC, ns
 *
 * The next tick is the next number, wherever its point lies on the new grid:
 * none is invented, and none is left out but one that would be due by @after. A point
 * that the step jumped over is due at once.
 *
 * Return: by how many ns the grid shifted.
 */
s64 rcr_grid_step(struct rcr_grid *g, s64 offset, u64 after)
{
	g->offset = offset;
	aim(g, max(g->last_due, after), g->last_tick);
	return g->due - g->last_due - (g->tick - g->last_tick) * g->period;
}

/**
 * rcr_grid_set_stride() - samples every @stride ticks from now on
 * @g: the CPU's place, right after rcr_grid_tick()
 * @stride: 1 or more; samples fall on its multiples, the same on every CPU
 */
void rcr_grid_set_stride(struct rcr_grid *g, u32 stride)
{
	WRITE_ONCE(g->stride, stride);
	g->tick = g->last_tick + 1;
	g->due = g->last_due + g->period;
	align(g, stride);
}

/**
 * rcr_grid_skip() - leaves out ticks, once
 * @g: the CPU's place, right after rcr_grid_tick()
 * @stride: 1 or more; the next sample is on a multiple of it, and of the stride
 */
void rcr_grid_skip(struct rcr_grid *g, u32 stride)
{
	g->tick = g->last_tick + 1;
	g->due = g->last_due + g->period;
	align(g, stride < g->stride ? g->stride : stride - stride % g->stride);
}
