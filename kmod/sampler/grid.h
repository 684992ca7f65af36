/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * grid.h - sampling times: points of a grid on the wall clock.
 */
#ifndef RCR_GRID_H
#define RCR_GRID_H

#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/types.h>

/**
 * struct rcr_grid - a CPU's position on the grid
 * @period: distance of two ticks, ns
 * @anchor: CLOCK_MONOTONIC of tick 0, the same on each CPU, ns
 * @offset: realtime minus monotonic in this epoch, ns
 * @phase: offset from multiples of @period on the wall clock, ns
 * @stride: ticks between two samples
 * @tick: next tick to sample
 * @due: CLOCK_MONOTONIC of that tick, ns
 * @last_tick: latest sampled tick
 * @last_due: CLOCK_MONOTONIC of that tick, ns
 *
 * An epoch is a time without a step of the wall clock. Within an epoch ticks are @period
 * apart; between two epochs the grid shifts by less than a period, and tick numbers continue.
 */
struct rcr_grid {
	u64 period;
	u64 anchor;
	s64 offset;
	u64 phase;
	u32 stride;
	u64 tick;
	u64 due;
	u64 last_tick;
	u64 last_due;
};

/**
 * struct rcr_tick - a tick to be sampled
 * @tick: its number
 * @due: its grid point, CLOCK_MONOTONIC in ns
 * @overruns: ticks missed since the previous sample
 * @skipped: ticks left out on purpose since then
 */
struct rcr_tick {
	u64 tick;
	u64 due;
	u32 overruns;
	u32 skipped;
};

/**
 * rcr_grid_tick() - take the tick that is due, and advance to the next
 * @g: grid of the CPU
 * @now: CLOCK_MONOTONIC, ns
 * @tick: filled in
 *
 * If several are due the latest is taken and the others are overruns.
 *
 * Context: any; divides only if more than one tick is due.
 * Return: false if none is due yet.
 */
static inline bool rcr_grid_tick(struct rcr_grid *g, u64 now,
				 struct rcr_tick *tick)
{
	u64 leap = g->period * g->stride, missed = 0, apart;

	if ((s64)(now - g->due) < 0)
		return false;
	if (now - g->due >= leap)
		missed = div64_u64(now - g->due, leap);

	tick->tick = g->tick + missed * g->stride;
	tick->due = g->due + missed * leap;
	apart = tick->tick - g->last_tick - 1;
	tick->overruns = min_t(u64, missed, U32_MAX);
	tick->skipped = min_t(u64, apart - missed, U32_MAX);

	g->last_tick = tick->tick;
	g->last_due = tick->due;
	g->tick = tick->tick + g->stride;
	g->due = tick->due + leap;
	return true;
}

u64 rcr_grid_anchor(u64 period, u64 now, s64 offset, u64 phase);
void rcr_grid_start(struct rcr_grid *g, u64 period, u64 anchor, u64 now, s64 offset,
		    u64 phase);
void rcr_grid_resume(struct rcr_grid *g, u64 now);
s64 rcr_grid_step(struct rcr_grid *g, s64 offset, u64 after);
void rcr_grid_set_stride(struct rcr_grid *g, u32 stride);
void rcr_grid_skip(struct rcr_grid *g, u32 stride);

#endif
