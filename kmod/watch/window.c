// SPDX-License-Identifier: GPL-2.0-only
/*
 * window.c - the value of a meter over the window of a watch, which need not be one of the
 * parts that marks have: the worker takes the newest samples of the place's CPUs every
 * quarter of it.
 *
 * A quarter goes from the newest sample of a CPU then to the one now. It counts as a part
 * between two marks does: for a counter that is RCR_STATUS_OK at both ends with the same
 * @changes. The last four quarters are the window. A CPU that has no sample in it, as one
 * that is idle and skipped, counts nothing, and is not expected to; of those that have one,
 * and of the units that they share, less than half of the window is too little.
 *
 * Callers serialize. Pure: compiled into the unit tests as well.
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

static u64 *cells_of(const struct rcr_window *w, u64 quarter, unsigned int lane)
{
	return w->cell + ((quarter % RCR_WINDOW_QUARTERS) * w->lanes + lane) * 2 * w->operands;
}

/* CPUs that share a counter are one: which of the place's is the first of them. */
static void set_first(struct rcr_window *w, const struct rcr_binding *b,
		      const struct rcr_view *v)
{
	unsigned int k, i, n;

	for (k = 0; k < w->operands; k++)
		for (i = 0; i < w->lanes; i++) {
			u16 *first = &w->first[k * w->lanes + i];
			const u16 *sharing = b->sharing[k];

			*first = i;
			for (n = 0; sharing && n < i; n++)
				if (sharing[v->lane[n].lane] == sharing[v->lane[i].lane]) {
					*first = n;
					break;
				}
		}
}

/**
 * rcr_window_init() - makes the window of a watch, which begins empty
 * @w: the window
 * @b: the meter's form
 * @v: the place
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
	w->first = kvcalloc(n + v->lanes, sizeof(u16), GFP_KERNEL_ACCOUNT);
	w->sum = kvcalloc(n, 2 * sizeof(u64), GFP_KERNEL_ACCOUNT);
	w->lane = kvcalloc(v->lanes, sizeof(*w->lane), GFP_KERNEL_ACCOUNT);
	if (w->end && w->value && w->cell && w->first && w->sum && w->lane) {
		set_first(w, b, v);
		return 0;
	}
	rcr_window_free(w);
	return -ENOMEM;
}

/* One that is all 0 is allowed. May sleep. */
void rcr_window_free(struct rcr_window *w)
{
	kvfree(w->end);
	kvfree(w->value);
	kvfree(w->cell);
	kvfree(w->first);
	kvfree(w->sum);
	kvfree(w->lane);
	memset(w, 0, sizeof(*w));
}

/* Was the column counted from @end to @r? */
static bool is_counted(const struct rcr_history *h, const struct rcr_window_end *end,
		       const struct rcr_history_sample *r, unsigned int column)
{
	u64 bit = BIT_ULL(column);

	if (!end->time || r->tsc <= end->tsc)
		return false;
	if (column == h->layout.count)
		return true;
	if (h->layout.slow & bit && r->slow_tsc < end->slow_tsc)
		return false;
	return end->changes == r->changes && end->ok & r->ok & bit;
}

/* A gauge has the value that it shows at the end. */
static void add_gauge(const struct rcr_history_sample *r, unsigned int column, u64 *count,
		      u64 *time)
{
	bool counts = r->ok & BIT_ULL(column);

	*count = counts ? r->value[column] : 0;
	*time = counts;
}

static void add_lane(struct rcr_window *w, const struct rcr_binding *b, unsigned int i,
		     const struct rcr_history *h)
{
	u64 *cell = cells_of(w, w->quarter, i), *value = w->value + i * w->operands;
	const struct rcr_history_sample *r = h->record;
	struct rcr_window_end *end = &w->end[i];
	unsigned int k, n = w->operands;

	memset(cell, 0, 2 * n * sizeof(u64));
	if (r->time <= end->time)
		return;
	for (k = 0; k < n; k++) {
		unsigned int column = b->column[k];

		if (b->gauges & BIT(k)) {
			add_gauge(r, column, &cell[k], &cell[n + k]);
		} else if (is_counted(h, end, r, column)) {
			cell[k] = r->value[column] - value[k];
			cell[n + k] = column < h->layout.count && h->layout.slow >> column & 1 ?
				      r->slow_tsc - end->slow_tsc : r->tsc - end->tsc;
		}
		value[k] = r->value[column];
	}
	*end = (struct rcr_window_end){
		.time = r->time, .tsc = r->tsc, .slow_tsc = r->slow_tsc,
		.changes = r->changes, .ok = r->ok,
	};
}

/**
 * rcr_window_add() - a quarter ends with the newest samples
 * @w: the window
 * @b: the meter's form, as when the window was made
 * @v: the place, up to date
 *
 * The first call only says where the first quarter begins.
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

/* What was counted in the window; that of shared counters goes to the first lane. */
static void sum_cells(struct rcr_window *w)
{
	unsigned int i, k, q, n = w->operands;

	memset(w->sum, 0, (size_t)w->lanes * 2 * n * sizeof(u64));
	for (i = 0; i < w->lanes; i++) {
		w->lane[i].delta = w->sum + i * 2 * n;
		w->lane[i].time = w->lane[i].delta + n;
		for (k = 0; k < n; k++) {
			u64 *to = w->sum + w->first[k * w->lanes + i] * 2 * n;

			for (q = 0; q < RCR_WINDOW_QUARTERS; q++) {
				to[k] += cells_of(w, q, i)[k];
				to[n + k] += cells_of(w, q, i)[n + k];
			}
		}
	}
}

static u64 begin_of_window(const struct rcr_window *w)
{
	return w->time[(w->quarter - RCR_WINDOW_QUARTERS) % TIMES];
}

/* Lanes, of those that share an operand one, that have a sample in the window. */
static unsigned int count_expected(const struct rcr_window *w, unsigned int k)
{
	const u16 *first = w->first + k * w->lanes;
	u16 *seen = w->first + w->operands * w->lanes;
	unsigned int i, expected = 0;
	u64 begin = begin_of_window(w);

	memset(seen, 0, w->lanes * sizeof(*seen));
	for (i = 0; i < w->lanes; i++)
		if (w->end[i].time > begin && !seen[first[i]]++)
			expected++;
	return expected;
}

/* Is at least half of the window counted, of the operand? */
static bool is_enough(const struct rcr_window *w, const struct rcr_binding *b,
		      const struct rcr_view *v, unsigned int k)
{
	u64 time = 0, window = v->time - begin_of_window(w);
	unsigned int i, expected = count_expected(w, k);

	for (i = 0; i < w->lanes; i++)
		time += w->lane[i].time[k];
	if (!time || !expected)
		return false;
	if (b->gauges & BIT(k))
		return 2 * time >= (u64)expected * RCR_WINDOW_QUARTERS;
	/* 2 time / tsc_hz >= window x expected / 10^9 */
	return mul_u64_u64_div_u64(2 * time, SECOND_NS, v->tsc_hz) >= window * expected;
}

/**
 * rcr_window_value() - the value over the last four quarters
 * @w: the window
 * @b: as in rcr_window_add()
 * @v: likewise
 * @val: filled in
 *
 * Of a count it is what was counted in a sampling period.
 *
 * Return: RCR_STATUS_OK; RCR_STATUS_GAP: there are no four quarters yet, or too little was
 * counted; 0: it divides by 0.
 */
u32 rcr_window_value(struct rcr_window *w, const struct rcr_binding *b,
		     const struct rcr_view *v, s64 *val)
{
	u64 periods = 1;
	unsigned int k;

	if (w->quarter < RCR_WINDOW_QUARTERS || v->time <= begin_of_window(w))
		return RCR_STATUS_GAP;
	sum_cells(w);
	for (k = 0; k < w->operands; k++)
		if (!is_enough(w, b, v, k))
			return RCR_STATUS_GAP;
	if (b->is_count)
		periods = max_t(u64, div64_u64(v->time - begin_of_window(w) + v->period / 2,
					       v->period), 1);
	return rcr_form_value(b->form, w->lane, w->lanes, v->tsc_hz, periods, val) ?
	       0 : RCR_STATUS_OK;
}
