/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * window.h - what a meter has counted: over its latest tick, and over the span of
 * its time scale.
 */
#ifndef RCR_WINDOW_H
#define RCR_WINDOW_H

#include <linux/types.h>

/* The span moves on by that part of the time scale. */
#define RCR_WINDOW_PARTS	16

/* One more than parts, and two for those that the beginning of a run cuts short. */
#define RCR_WINDOW_MARKS	(RCR_WINDOW_PARTS + 3)

/**
 * struct rcr_counts - what the operands of a form counted on each CPU
 * @delta: of operand k on lane l: at l x operands + k
 * @cycles: likewise: in how many TSC cycles
 */
struct rcr_counts {
	u64 *delta;
	u64 *cycles;
};

/**
 * struct rcr_window - the history of a meter
 * @lanes: CPUs
 * @operands: of its form
 * @total: everything since it was made
 * @cell: the latest tick
 * @mark: @total as it was at some ticks, the beginnings of parts
 * @tick: of each mark; may be before tick 0 of the present run
 * @time: of each mark, CLOCK_MONOTONIC, ns
 * @since: tick of the present run behind which it counts
 * @newest: the latest mark
 * @marks: how many there are
 * @scale: ticks of the time scale
 * @part: ticks from one mark to the next: they lie on its multiples
 * @memory: all of the counts
 */
struct rcr_window {
	unsigned int lanes;
	unsigned int operands;
	struct rcr_counts total;
	struct rcr_counts cell;
	struct rcr_counts mark[RCR_WINDOW_MARKS];
	s64 tick[RCR_WINDOW_MARKS];
	u64 time[RCR_WINDOW_MARKS];
	s64 since;
	unsigned int newest;
	unsigned int marks;
	u64 scale;
	u64 part;
	u64 *memory;
};

int rcr_window_init(struct rcr_window *w, unsigned int lanes, unsigned int operands);
void rcr_window_free(struct rcr_window *w);
void rcr_window_clear(struct rcr_window *w, s64 tick, u64 time);
void rcr_window_set_scale(struct rcr_window *w, u64 scale_ns, u64 period_ns);
void rcr_window_rebase(struct rcr_window *w, u64 now, s64 tick, u64 period_ns);
unsigned int rcr_window_mark(struct rcr_window *w, s64 tick, u64 time);
u64 rcr_window_next(const struct rcr_window *w, u64 tick);
unsigned int rcr_window_begin(const struct rcr_window *w, s64 tick);

#endif
