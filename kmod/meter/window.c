// SPDX-License-Identifier: GPL-2.0-only
/*
 * window.c - marks of a meter's counts, sixteen to a time scale, so that an hour
 * costs as much memory as a second.
 *
 * Pure: compiled into the unit tests as well.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "window.h"

static struct rcr_counts take_counts(u64 **memory, size_t n)
{
	struct rcr_counts c = { .delta = *memory, .cycles = *memory + n };

	*memory += 2 * n;
	return c;
}

/**
 * rcr_window_init() - makes room for the counts
 * @w: gets it
 * @lanes: CPUs
 * @operands: of the form
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int rcr_window_init(struct rcr_window *w, unsigned int lanes, unsigned int operands)
{
	size_t n = (size_t)lanes * operands;
	unsigned int i;
	u64 *memory;

	memset(w, 0, sizeof(*w));
	memory = kvcalloc(2 * n, (RCR_WINDOW_MARKS + 2) * sizeof(u64), GFP_KERNEL);
	if (!memory)
		return -ENOMEM;
	w->memory = memory;
	w->lanes = lanes;
	w->operands = operands;
	w->total = take_counts(&memory, n);
	w->cell = take_counts(&memory, n);
	for (i = 0; i < RCR_WINDOW_MARKS; i++)
		w->mark[i] = take_counts(&memory, n);
	w->scale = 1;
	w->part = 1;
	return 0;
}

/* NULLs are allowed. May sleep. */
void rcr_window_free(struct rcr_window *w)
{
	kvfree(w->memory);
	w->memory = NULL;
}

/* Forgets everything but the latest tick, which is still that: the span begins at @tick. */
void rcr_window_clear(struct rcr_window *w, s64 tick, u64 time)
{
	size_t n = (size_t)w->lanes * w->operands;

	memset(w->total.delta, 0, 2 * n * sizeof(u64));
	w->marks = 0;
	w->newest = 0;
	w->since = tick;
	rcr_window_mark(w, tick, time);
}

/* A time scale that is shorter than a period is one of a period. */
void rcr_window_set_scale(struct rcr_window *w, u64 scale_ns, u64 period_ns)
{
	w->scale = max_t(u64, div64_u64(scale_ns, period_ns), 1);
	w->part = DIV64_U64_ROUND_UP(w->scale, RCR_WINDOW_PARTS);
}

/**
 * rcr_window_rebase() - another run numbers its ticks in another way
 * @w: the history, which stays
 * @now: CLOCK_MONOTONIC of the new run's @tick, ns
 * @tick: a tick of the new run
 * @period_ns: distance of its ticks
 *
 * Marks may lie between its ticks: they count as the tick before, so that no span is
 * longer than the time scale. CPUs go over to the new run one after the other, so that
 * the last ticks of the old one may be younger than @tick: these marks become @tick's.
 * Whatever the new run tells has not been counted.
 */
void rcr_window_rebase(struct rcr_window *w, u64 now, s64 tick, u64 period_ns)
{
	unsigned int i;

	for (i = 0; i < RCR_WINDOW_MARKS; i++) {
		w->time[i] = min(w->time[i], now);
		w->tick[i] = tick - (s64)DIV64_U64_ROUND_UP(now - w->time[i], period_ns);
	}
	w->since = S64_MIN;
}

/**
 * rcr_window_mark() - a new part begins
 * @w: the history
 * @tick: behind which
 * @time: of that tick
 *
 * Return: the number of the part, below RCR_WINDOW_MARKS.
 */
unsigned int rcr_window_mark(struct rcr_window *w, s64 tick, u64 time)
{
	size_t n = (size_t)w->lanes * w->operands;

	w->newest = (w->newest + 1) % RCR_WINDOW_MARKS;
	w->marks = min_t(unsigned int, w->marks + 1, RCR_WINDOW_MARKS);
	w->tick[w->newest] = tick;
	w->time[w->newest] = time;
	memcpy(w->mark[w->newest].delta, w->total.delta, 2 * n * sizeof(u64));
	return w->newest;
}

/* The first tick from @tick on with which a part ends. */
u64 rcr_window_next(const struct rcr_window *w, u64 tick)
{
	return DIV64_U64_ROUND_UP(tick, w->part) * w->part;
}

/**
 * rcr_window_begin() - where the span begins that ends at a tick
 * @w: the history
 * @tick: the tick
 *
 * Return: the oldest mark that is not further back than the time scale.
 */
unsigned int rcr_window_begin(const struct rcr_window *w, s64 tick)
{
	unsigned int i, at = w->newest, older;

	for (i = 1; i < w->marks; i++) {
		older = (at + RCR_WINDOW_MARKS - 1) % RCR_WINDOW_MARKS;
		if (tick - w->tick[older] > (s64)w->scale)
			break;
		at = older;
	}
	return at;
}
