// SPDX-License-Identifier: GPL-2.0-only
/*
 * window.c - the value of a meter over the window of a watch, whose length is independent of
 * the time scales of marks: the worker takes the newest sample of each CPU of the place every
 * quarter of the window.
 *
 * A quarter of a CPU spans the time between two such samples. An operand is counted in it on
 * the same condition as between two marks (see meter/value.c): its status is RCR_STATUS_OK at
 * both ends with the same @changes; operands of the CPU's own counters are counted all or
 * none. The window consists of the last four quarters.
 *
 * A CPU without a sample in the window, for example an idle one that is skipped, contributes
 * nothing. Over the other CPUs, and the units that they share, at least half of the window
 * must be counted: on average, and for a sum over CPUs on each CPU.
 *
 * Callers serialize. Has no kernel state: also compiled into the unit tests.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "window.h"

#define SECOND_NS	1000000000ull

#define TIMES	(RCR_WINDOW_QUARTERS + 1)

static u64 *lane_cells(const struct rcr_window *w, u64 quarter, unsigned int lane)
{
	return w->cell + ((quarter % RCR_WINDOW_QUARTERS) * w->lanes + lane) * 2 * w->operands;
}

/**
 * rcr_window_init() - allocate an empty window
 * @w: the window
 * @b: binding of the meter
 * @v: view of the place
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int rcr_window_init(struct rcr_window *w, const struct rcr_binding *b,
		    const struct rcr_view *v)
{
	size_t n = (size_t)v->lanes * b->operands;

	memset(w, 0, sizeof(*w));
	w->lanes = v->lanes;
	w->operands = b->operands;
	w->end = kvcalloc(v->lanes, sizeof(*w->end), GFP_KERNEL_ACCOUNT);
	w->value = kvcalloc(n, sizeof(u64), GFP_KERNEL_ACCOUNT);
	w->cell = kvcalloc(n, RCR_WINDOW_QUARTERS * 2 * sizeof(u64), GFP_KERNEL_ACCOUNT);
	w->whole = kvcalloc(v->lanes, RCR_WINDOW_QUARTERS * sizeof(u64), GFP_KERNEL_ACCOUNT);
	if (w->end && w->value && w->cell && w->whole)
		return 0;
	rcr_window_free(w);
	return -ENOMEM;
}

/**
 * rcr_window_restart() - empty a window without allocating memory
 * @w: the window; may be zeroed
 * @b: binding of the meter
 * @v: view of the place
 *
 * Return: false if the window was allocated for another number of CPUs or operands.
 */
bool rcr_window_restart(struct rcr_window *w, const struct rcr_binding *b,
			const struct rcr_view *v)
{
	if (!w->lanes || w->lanes != v->lanes || w->operands != b->operands)
		return false;
	w->quarter = 0;
	w->begun = false;
	memset(w->end, 0, w->lanes * sizeof(*w->end));
	return true;
}

/* Free and zero a window; it may be zeroed already. May sleep. */
void rcr_window_free(struct rcr_window *w)
{
	kvfree(w->end);
	kvfree(w->value);
	kvfree(w->cell);
	kvfree(w->whole);
	memset(w, 0, sizeof(*w));
}

/* True if operand @k was counted from @end to @r, whose operands @ok are RCR_STATUS_OK. */
static bool is_operand_counted(const struct rcr_binding *b, const struct rcr_window_end *end,
			       const struct rcr_history_sample *r, u64 ok, unsigned int k)
{
	bool is_slow = !(b->steady >> k & 1);

	if (!end->time || r->tsc <= end->tsc || (is_slow && r->slow_tsc < end->slow_tsc))
		return false;
	/* The last column is the cost of ticks, which is always valid. */
	return b->column[k] == b->columns - 1 ||
	       (end->changes == r->changes && end->ok & ok & BIT_ULL(k));
}

/* Operands that are RCR_STATUS_OK, by operand: column numbers differ between runs. */
static u64 ok_operands(const struct rcr_binding *b, const struct rcr_history_sample *r)
{
	unsigned int k;
	u64 ok = 0;

	for (k = 0; k < b->operands; k++)
		ok |= (r->ok >> b->column[k] & 1) << k;
	return ok;
}

/* Operands that were counted from @end to @r; those of @b->alike all or none. */
static u64 counted_operands(const struct rcr_binding *b, const struct rcr_window_end *end,
			    const struct rcr_history_sample *r, u64 ok)
{
	unsigned int k;
	u64 counted = 0;

	for (k = 0; k < b->operands; k++)
		counted |= (u64)is_operand_counted(b, end, r, ok, k) << k;
	return (counted & b->alike) == b->alike ? counted : counted & ~(u64)b->alike;
}

/* Add the count of an operand, or the momentary value of a gauge. */
static void add_operand(const struct rcr_binding *b, const struct rcr_window_end *end,
			const struct rcr_history_sample *r, u64 before, unsigned int k, u64 *cell)
{
	u64 *time = &cell[b->operands + k], value = r->value[b->column[k]];

	if (b->gauges & BIT(k)) {
		cell[k] = value;
		*time = 1;
		return;
	}
	cell[k] = value - before;
	*time = b->steady & BIT(k) ? r->tsc - end->tsc : r->slow_tsc - end->slow_tsc;
}

static void add_lane(struct rcr_window *w, const struct rcr_binding *b, unsigned int i,
		     const struct rcr_history *h)
{
	u64 *cell = lane_cells(w, w->quarter, i), *value = w->value + i * w->operands;
	u64 *whole = &w->whole[(w->quarter % RCR_WINDOW_QUARTERS) * w->lanes + i];
	const struct rcr_history_sample *r = h->record;
	struct rcr_window_end *end = &w->end[i];
	unsigned int k, n = w->operands;
	u64 ok, counted;

	memset(cell, 0, 2 * n * sizeof(u64));
	*whole = 0;
	if (r->time <= end->time)
		return;
	ok = ok_operands(b, r);
	counted = counted_operands(b, end, r, ok);
	counted = (counted & ~(u64)b->gauges) | (ok & b->gauges);
	if (end->time && r->tsc > end->tsc)
		*whole = r->tsc - end->tsc;
	for (k = 0; k < n; k++) {
		if (counted >> k & 1)
			add_operand(b, end, r, value[k], k, cell);
		value[k] = r->value[b->column[k]];
	}
	*end = (struct rcr_window_end){
		.time = r->time, .tsc = r->tsc, .slow_tsc = r->slow_tsc,
		.changes = r->changes, .ok = ok,
	};
}

/**
 * rcr_window_add() - end a quarter at the newest samples
 * @w: the window
 * @b: binding of the meter, as in rcr_window_init()
 * @v: view of the place, up to date
 *
 * The first call only starts the first quarter.
 */
void rcr_window_add(struct rcr_window *w, const struct rcr_binding *b,
		    const struct rcr_view *v)
{
	unsigned int i;

	for (i = 0; i < w->lanes; i++)
		add_lane(w, b, i, v->lane[i].history);
	w->time[(w->quarter + w->begun) % TIMES] = v->time;
	if (w->begun)
		w->quarter++;
	w->begun = true;
}

/* Sum up the quarters of the window in @space. */
static void sum_cells(const struct rcr_window *w, struct rcr_workspace *space)
{
	unsigned int i, k, q, n = w->operands;
	const u64 *from;
	u64 *to;

	for (i = 0; i < w->lanes; i++) {
		to = space->cell + RCR_CELL_SIZE * i;
		memset(to, 0, RCR_CELL_SIZE * sizeof(u64));
		for (q = 0; q < RCR_WINDOW_QUARTERS; q++) {
			from = lane_cells(w, q, i);
			for (k = 0; k < n; k++) {
				to[k] += from[k];
				to[RCR_CELL_TIME + k] += from[n + k];
			}
		}
	}
}

static u64 window_start(const struct rcr_window *w)
{
	return w->time[(w->quarter - RCR_WINDOW_QUARTERS) % TIMES];
}

/* Number of units with a sample in the window; a unit is the CPUs that share the operand. */
static unsigned int count_expected(const struct rcr_window *w, const struct rcr_view *v,
				   const u16 *sharing, struct rcr_workspace *space)
{
	unsigned int i, expected = 0;
	u64 begin = window_start(w);

	space->stamp++;
	/* Count a unit at its first CPU with a sample. */
	for (i = 0; i < w->lanes; i++)
		if (w->end[i].time > begin && rcr_view_unit(v, sharing, i, space) == i)
			expected++;
	return expected;
}

static u64 cycles_to_ns(const struct rcr_view *v, u64 cycles)
{
	return mul_u64_u64_div_u64(cycles, SECOND_NS, v->tsc_hz);
}

/* True if each unit with a sample in the window was counted for at least half of it. */
static bool is_each_half_counted(const struct rcr_window *w, const struct rcr_view *v,
				 const u16 *sharing, unsigned int k, struct rcr_workspace *space)
{
	u64 begin = window_start(w), window = v->time - begin;
	unsigned int i, unit;

	space->stamp++;
	for (i = 0; i < w->lanes; i++) {
		unit = rcr_view_unit(v, sharing, i, space);
		if (w->end[i].time > begin &&
		    2 * cycles_to_ns(v, space->lane[unit].time[k]) < window)
			return false;
	}
	return true;
}

/* True if operand @k was counted for at least half of the window. */
static bool is_half_counted(const struct rcr_window *w, const struct rcr_binding *b,
			    const struct rcr_view *v, unsigned int k, struct rcr_workspace *space)
{
	u64 time = 0, window = v->time - window_start(w);
	unsigned int i, expected = count_expected(w, v, b->sharing[k], space);

	for (i = 0; i < w->lanes; i++)
		time += space->lane[i].time[k];
	if (!time || !expected)
		return false;
	if (b->gauges & BIT(k))
		return 2 * time >= (u64)expected * RCR_WINDOW_QUARTERS;
	if (b->adds_up && w->lanes > 1 && b->steady & BIT(k) &&
	    !is_each_half_counted(w, v, b->sharing[k], k, space))
		return false;
	return cycles_to_ns(v, 2 * time) >= window * expected;
}

/* Counted time of the operand that was counted least, ns, at most @window. */
static u64 window_counted_time(const struct rcr_window *w, const struct rcr_binding *b, u64 window,
			       const struct rcr_lane *lane)
{
	u64 least = window, counted, whole;
	unsigned int i, k, q;

	for (k = 0; k < w->operands; k++) {
		counted = 0;
		whole = 0;
		for (i = 0; b->steady & BIT(k) && i < w->lanes; i++) {
			if (!lane[i].time[k])
				continue;
			counted += lane[i].time[k];
			for (q = 0; q < RCR_WINDOW_QUARTERS; q++)
				whole += w->whole[q * w->lanes + i];
		}
		if (counted < whole)
			least = min_t(u64, least, mul_u64_u64_div_u64(window, counted, whole));
	}
	return least;
}

/* Number of sampling periods that were counted, at least 1. */
static u64 window_periods(const struct rcr_window *w, const struct rcr_binding *b,
			  const struct rcr_view *v, const struct rcr_lane *lane)
{
	u64 ns = window_counted_time(w, b, v->time - window_start(w), lane);

	return max_t(u64, div64_u64(ns + v->period / 2, v->period), 1);
}

/**
 * rcr_window_value() - evaluate a meter over the last four quarters
 * @w: the window
 * @b: binding of the meter, as in rcr_window_add()
 * @v: view of the place, as in rcr_window_add()
 * @space: work space for at least @w->lanes CPUs
 * @val: filled in; the value of a count is per sampling period
 *
 * Return: RCR_STATUS_OK; RCR_STATUS_GAP if the window is not full yet or was counted for less
 * than half of its time; 0 for a division by 0.
 */
u32 rcr_window_value(struct rcr_window *w, const struct rcr_binding *b,
		     const struct rcr_view *v, struct rcr_workspace *space, s64 *val)
{
	u64 periods = 1;
	unsigned int k;

	if (w->quarter < RCR_WINDOW_QUARTERS || v->time <= window_start(w))
		return RCR_STATUS_GAP;
	sum_cells(w, space);
	rcr_view_share(v, b, space);
	for (k = 0; k < w->operands; k++)
		if (!is_half_counted(w, b, v, k, space))
			return RCR_STATUS_GAP;
	if (b->is_count)
		periods = window_periods(w, b, v, space->lane);
	return rcr_form_value(b->form, space->lane, w->lanes, v->tsc_hz, periods, val) ?
	       0 : RCR_STATUS_OK;
}
