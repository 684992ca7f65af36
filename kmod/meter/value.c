// SPDX-License-Identifier: GPL-2.0-only
/*
 * value.c - computes the values of a meter at a place from the histories of its CPUs.
 *
 * The window of a place ends at T, the time of the newest sample of its CPUs. On each CPU it
 * begins with the oldest mark that is not older than T minus the time scale, and ends with the
 * newest sample of that CPU; a CPU without such a mark contributes nothing. The window as a
 * whole begins at B, the earliest of these marks. Rules:
 *
 * - Operands that a CPU counts for itself, and that are read with each sample, are related: on
 *   that CPU a part is included only if all of them were counted in it.
 * - average: the form over the counts in the window and their counted time. The average of a
 *   count is divided by the number of sampling periods between B and T, rounded, at least one;
 *   if an operand was counted for a share of the cycles only, by the same share of B to T, of
 *   the operand with the smallest share.
 * - sum: of a count the total; of a rate the integral; otherwise the average. 0 if nothing was
 *   counted of a count or a rate.
 * - A gauge is the mean over the marks in the window, including the first one, and the newest
 *   sample unless that is a mark. In a part, or between two samples, it is its value at the
 *   end; in the running part, the mean of the values in it.
 * - CPUs that share a counter are one unit: their counts are added up in the first of them in
 *   the place. The time of a hand-over is not counted on either CPU.
 * - current: between the two newest samples of each CPU that is sampled now and whose newest
 *   sample is in the window; of a count, divided by the smallest number of periods between two
 *   of these, times the counted share. Without such samples it is the last known value, and
 *   its status gives the reason; for counters that are read slowly it remains valid.
 * - A part is numbered by the mark that ends it: time / (a sixteenth of the time scale). Its
 *   value is the form over the CPUs that have such a mark, on each from the previous mark. That
 *   is more than one part earlier if the CPU was not sampled; parts longer than the time scale,
 *   or two periods if that is longer, are excluded. A count is divided by the smallest number of
 *   periods of these CPUs. A part is complete when no CPU can add such a mark: it has this or a
 *   later one; its @next excludes it; it is overdue by two parts and 10 ms; or it is not
 *   sampled, and another CPU has a sample after the part, or its last mark is too old. A part is
 *   in the window if its number is greater than that of the mark at B.
 * - A part is evaluated once, when it is complete. The parts of the window are evaluated again,
 *   for the peak only, if an overdue CPU writes its mark late, if fewer parts are complete than
 *   before, and in another run, whose period may differ.
 * - The running part follows the complete ones, or the oldest mark that is kept, on CPUs that
 *   are sampled now and have a sample since the latest complete part began.
 * - peak: the highest of the complete parts in the window and the running part; without any, the
 *   current value. highest: the same over all parts since the last reset, and for a count since
 *   the last change of the period; it excludes parts before the window of the first evaluation.
 *   unseen: parts whose marks were gone, in sixteenths of the time scale, or in periods if these
 *   are longer.
 * - counted_ns of an operand: its counted time in the window, summed over CPUs, divided by the
 *   number of CPUs that are sampled now, or, if CPUs share it, by the number of units that have
 *   such a CPU; of a gauge, the share of the window for which it has values. The value has the
 *   smallest of its operands, at most T - B. A CPU that went offline in the window adds its
 *   counts but is not in the divisor; one that came online is, for all of the window.
 * - status: OFFLINE if no CPU is sampled. Not OK if counted_ns is less than half of T - B; if T
 *   is B and there is no value; and, for counts and rates that are summed over CPUs, if a sampled
 *   CPU, or a unit of these, was counted for less than half of T - B (current: not at all),
 *   except for counters that are read slowly. It is then the first error in the newest samples,
 *   in the order of CPUs and operands; else GAP if one of them is OK; else OFFLINE if one is not
 *   sampled; else ELSEWHERE. 0 if enough was counted and the form has no value because it divides
 *   by 0; the average is the current value then. Values are computed whatever the status is.
 *
 * The first reader after any idle time reads the same values as a permanent one, except for
 * highest and unseen.
 *
 * view.c computes what all meters of a place have in common. A meter only subtracts rows, into
 * one cell for each CPU, and evaluates its form over these.
 *
 * Has no kernel state: also compiled into the unit tests.
 */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "value.h"

#define SECOND_NS	1000000000ull
#define MILLION		1000000

/**
 * rcr_workspace_init() - allocate a workspace for evaluations
 * @w: the workspace
 * @lanes: CPUs of the machine
 * @units: upper limit (exclusive) of the numbers in sharing maps
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int rcr_workspace_init(struct rcr_workspace *w, unsigned int lanes, unsigned int units)
{
	unsigned int i;

	memset(w, 0, sizeof(*w));
	w->lane = kvcalloc(lanes, sizeof(*w->lane), GFP_KERNEL);
	w->cell = kvcalloc(lanes, RCR_CELL_SIZE * sizeof(u64), GFP_KERNEL);
	w->group = kvcalloc(units, sizeof(*w->group), GFP_KERNEL);
	w->rows = kvcalloc(lanes, sizeof(*w->rows), GFP_KERNEL);
	if (!w->lane || !w->cell || !w->group || !w->rows) {
		rcr_workspace_free(w);
		return -ENOMEM;
	}
	for (i = 0; i < lanes; i++) {
		w->lane[i].delta = w->cell + RCR_CELL_SIZE * i;
		w->lane[i].time = w->lane[i].delta + RCR_CELL_TIME;
	}
	return 0;
}

void rcr_workspace_free(struct rcr_workspace *w)
{
	kvfree(w->lane);
	kvfree(w->cell);
	kvfree(w->group);
	kvfree(w->rows);
	memset(w, 0, sizeof(*w));
}

/**
 * rcr_binding_init() - bind a form to the columns of histories
 * @b: the binding
 * @form: the form, which must outlive it
 * @counter: by operand: number of the counter, or RCR_OPERAND_SPENT
 * @sharing: by operand: see struct rcr_binding
 * @l: layout of the records
 */
void rcr_binding_init(struct rcr_binding *b, const struct rcr_form *form, const u8 *counter,
		      const u16 *const *sharing, const struct rcr_record_layout *l)
{
	unsigned int k;

	memset(b, 0, sizeof(*b));
	b->form = form;
	b->operands = form->operands;
	b->columns = l->count + 1;
	b->is_count = rcr_form_is_count(form);
	b->is_rate = rcr_form_is_rate(form);
	b->adds_up = (b->is_count || b->is_rate) && !form->terms[RCR_BELOW] &&
		     form->reduction[RCR_ABOVE] == RCR_REDUCE_SUM;
	for (k = 0; k < b->operands; k++) {
		u64 bit = counter[k] == RCR_OPERAND_SPENT ? 0 : BIT_ULL(counter[k]);

		b->column[k] = rcr_history_column(l, counter[k]);
		b->sharing[k] = sharing[k];
		b->shares |= !!sharing[k];
		b->gauges |= l->gauges & bit ? BIT(k) : 0;
		b->steady |= (l->gauges | l->slow) & bit ? 0 : BIT(k);
		b->alike |= b->steady & BIT(k) && !sharing[k] ? BIT(k) : 0;
	}
	if (hweight32(b->alike) < 2)
		b->alike = 0;
	b->alike_first = b->alike ? __ffs(b->alike) : 0;
}

/* Exclude all parts evaluated so far from the highest value. */
void rcr_past_reset(struct rcr_past *p)
{
	p->has_highest = false;
	p->highest = 0;
	p->unseen = 0;
}

/* Return: @a * @b / @c; U64_MAX if it does not fit or @c is 0. */
static u64 multiply_divide(u64 a, u64 b, u64 c)
{
	/* mul_u64_u64_div_u64() traps if the quotient does not fit. */
	if ((u64)(((__uint128_t)a * b) >> 64) >= c)
		return U64_MAX;
	return mul_u64_u64_div_u64(a, b, c);
}

/* Return: number of sampling periods in @ns, rounded, at least 1. */
static u64 periods_in(const struct rcr_view *v, u64 ns)
{
	return max_t(u64, div64_u64(ns + v->period / 2, v->period), 1);
}

/* Sum the counted time of an operand, and the whole time of the CPUs that counted it; cycles. */
static u64 counted_share(const struct rcr_view *v, unsigned int k, const struct rcr_rows *r,
			 size_t stride, const struct rcr_workspace *w, u64 ns)
{
	unsigned int i, end = 2 * v->lane->history->columns - 1;
	u64 counted = 0, whole = 0, time;

	for (i = 0; i < v->lanes; i++, r = (const void *)r + stride) {
		time = w->cell[RCR_CELL_SIZE * i + RCR_CELL_TIME + k];
		counted += time;
		/* The cost of ticks is always counted. */
		whole += time ? r->to[end] - r->from[end] : 0;
	}
	return counted < whole ? multiply_divide(ns, counted, whole) : ns;
}

/* Return: number of the sampling periods in @ns in which a count was counted. */
static noinline u64 counted_periods(const struct rcr_view *v, const struct rcr_binding *b,
				    const struct rcr_rows *r, size_t stride,
				    const struct rcr_workspace *w, u64 ns)
{
	unsigned long steady = b->steady;
	u64 least = ns;
	unsigned int k;

	for_each_set_bit(k, &steady, RCR_FORM_OPERANDS)
		least = min_t(u64, least, counted_share(v, k, r, stride, w, ns));
	return periods_in(v, least);
}

/* Evaluate the form over the cells; @time is the shortest time of a CPU, ns. */
static __always_inline int value_of_cells(const struct rcr_view *v, const struct rcr_binding *b,
					  const struct rcr_rows *r, size_t stride,
					  const struct rcr_workspace *w, u64 time, s64 *val)
{
	u64 parts = b->is_count ? counted_periods(v, b, r, stride, w, time) : 1;

	return rcr_form_value(b->form, w->lane, v->lanes, v->tsc_hz, parts, val);
}

static __always_inline int value_of_interval(const struct rcr_view *v,
					     const struct rcr_binding *b,
					     enum rcr_interval interval,
					     struct rcr_workspace *w, s64 *val)
{
	const struct rcr_rows *r = &v->lane->rows[interval];

	rcr_view_count(v, b, r, sizeof(*v->lane), w);
	return value_of_cells(v, b, r, sizeof(*v->lane), w, v->shortest[interval], val);
}

/* Evaluate an earlier part than the new one. */
static int value_of_old_part(const struct rcr_view *v, const struct rcr_binding *b, u64 id,
			     struct rcr_workspace *w, s64 *val)
{
	u64 shortest = rcr_view_part(v, id, w->rows, sizeof(*w->rows));

	rcr_view_count(v, b, w->rows, sizeof(*w->rows), w);
	return value_of_cells(v, b, w->rows, sizeof(*w->rows), w, shortest, val);
}

/* Count the units of @sharing that have a CPU which is sampled now. */
static unsigned int count_groups(const struct rcr_view *v, const u16 *sharing,
				 struct rcr_workspace *w)
{
	unsigned int i, groups = 0;

	w->stamp++;
	for (i = 0; i < v->lanes; i++)
		if (!v->lane[i].history->away && rcr_view_unit(v, sharing, i, w) == i)
			groups++;
	return groups;
}

/* Return: counted time of an operand in the window, summed over CPUs. */
static u64 time_of_operand(const struct rcr_view *v, unsigned int k,
			   const struct rcr_workspace *w)
{
	const u64 *time = w->cell + RCR_CELL_TIME + k, *end = time + RCR_CELL_SIZE * v->lanes;
	u64 sum = 0;

	for (; time < end; time += RCR_CELL_SIZE)
		sum += *time;
	return sum;
}

/* Return: counted time of an operand in the window, per CPU or unit, ns. */
static u64 counted_operand(const struct rcr_view *v, bool is_gauge, u64 time, u64 units)
{
	if (!units)
		return 0;
	if (!is_gauge)
		return multiply_divide(time, SECOND_NS, v->tsc_hz * units);
	if (!v->values)
		return 0;
	return multiply_divide(v->time - v->begin, time * v->expected, v->values * units);
}

static u64 counted_time(const struct rcr_view *v, const struct rcr_binding *b,
			struct rcr_workspace *w)
{
	u64 counted = v->time - v->begin, least = U64_MAX, time, units;
	unsigned int k;
	bool is_gauge;

	for (k = 0; k < b->operands; k++) {
		bool is_shared = b->sharing[k] && v->lanes > 1;

		time = time_of_operand(v, k, w);
		is_gauge = b->gauges >> k & 1;
		if (!is_gauge && !is_shared) {
			/* Of these operands, only the one with the least time matters. */
			least = min_t(u64, least, time);
			continue;
		}
		units = is_shared ? count_groups(v, b->sharing[k], w) : v->expected;
		counted = min_t(u64, counted, counted_operand(v, is_gauge, time, units));
	}
	if (least != U64_MAX)
		counted = min_t(u64, counted, counted_operand(v, false, least, v->expected));
	return counted;
}

/* Return: first error status of the operands on a CPU, or RCR_STATUS_OK. */
static u32 status_of_lane(const struct rcr_binding *b, const struct rcr_history *h)
{
	u32 status = RCR_STATUS_ELSEWHERE, here;
	unsigned int k;

	for (k = 0; k < b->operands; k++) {
		here = rcr_history_status(h, b->column[k] == h->layout.count ?
					     RCR_OPERAND_SPENT : b->column[k]);
		if (here != RCR_STATUS_OK && here != RCR_STATUS_ELSEWHERE)
			return here;
		if (here == RCR_STATUS_OK)
			status = here;
	}
	return status;
}

/* Status of a place that was not counted enough: see the head of this file. */
static u32 status_of_place(const struct rcr_view *v, const struct rcr_binding *b)
{
	u32 status = RCR_STATUS_ELSEWHERE, here;
	unsigned int i;

	if (!v->expected)
		return RCR_STATUS_OFFLINE;
	for (i = 0; i < v->lanes; i++) {
		here = status_of_lane(b, v->lane[i].history);
		if (here == RCR_STATUS_OK)
			status = RCR_STATUS_GAP;
		else if (here == RCR_STATUS_OFFLINE && status == RCR_STATUS_ELSEWHERE)
			status = here;
		else if (here != RCR_STATUS_OFFLINE && here != RCR_STATUS_ELSEWHERE)
			return here;
	}
	return status;
}

/* Convert @ns to TSC cycles, rounded up, at least 1. */
static u64 cycles_of(const struct rcr_view *v, u64 ns)
{
	u64 cycles = multiply_divide(ns, v->tsc_hz, SECOND_NS);

	return cycles + (multiply_divide(cycles, SECOND_NS, v->tsc_hz) < ns);
}

/* True if each sampled CPU, or unit of such CPUs, has counted an operand for @least cycles. */
static bool has_every_unit(const struct rcr_view *v, const struct rcr_binding *b, unsigned int k,
			   u64 least, struct rcr_workspace *w)
{
	unsigned int i, unit;
	u64 time;

	w->stamp++;
	for (i = 0; i < v->lanes; i++) {
		unit = rcr_view_unit(v, b->sharing[k], i, w);
		time = w->cell[RCR_CELL_SIZE * unit + RCR_CELL_TIME + k];
		if (time < least && !v->lane[i].history->away)
			return false;
	}
	return true;
}

/* True if a sum over CPUs includes each of them. Slow counters lag, and are not checked. */
static bool is_sum_complete(const struct rcr_view *v, const struct rcr_binding *b, u64 least,
			    struct rcr_workspace *w)
{
	unsigned int k;

	if (!b->adds_up || v->lanes == 1)
		return true;
	least = max_t(u64, cycles_of(v, least), 1);
	for (k = 0; k < b->operands; k++)
		if (b->steady >> k & 1 && !has_every_unit(v, b, k, least, w))
			return false;
	return true;
}

static void value_of_window(const struct rcr_past *p, const struct rcr_view *v,
			    const struct rcr_binding *b, struct rcr_workspace *w,
			    struct rcr_board_value *val)
{
	u64 window = v->time - v->begin;
	int err;

	err = value_of_interval(v, b, RCR_WINDOW, w, &val->average);
	val->counted_ns = counted_time(v, b, w);
	if (err)
		val->average = p->current_value;
	val->sum = val->average;
	if ((b->is_count || b->is_rate) &&
	    (err || rcr_form_value(b->form, w->lane, v->lanes, 0, 1, &val->sum)))
		val->sum = 0;
	val->status = err ? 0 : RCR_STATUS_OK;
	if (!v->expected || val->counted_ns < window - window / 2 || (err && !window) ||
	    !is_sum_complete(v, b, window - window / 2, w))
		val->status = status_of_place(v, b);
}

/* Status of the current value. Slow counters keep their latest value until the next read. */
static u32 status_between_samples(const struct rcr_view *v, const struct rcr_binding *b)
{
	u32 status = status_of_place(v, b);
	bool is_slow = (b->steady | b->gauges) != GENMASK(b->operands - 1, 0);

	return status == RCR_STATUS_GAP && is_slow ? RCR_STATUS_OK : status;
}

static bool was_counted(const struct rcr_view *v, const struct rcr_binding *b,
			const struct rcr_workspace *w)
{
	unsigned int k;

	for (k = 0; k < b->operands; k++)
		if (!time_of_operand(v, k, w))
			return false;
	return true;
}

static void value_between_samples(struct rcr_past *p, const struct rcr_view *v,
				  const struct rcr_binding *b, struct rcr_workspace *w,
				  struct rcr_board_value *val)
{
	s64 now;
	int err = value_of_interval(v, b, RCR_LATEST, w, &now);

	if (!err)
		p->current_value = now;
	val->current_status = RCR_STATUS_OK;
	if (err && was_counted(v, b, w))
		val->current_status = 0;
	else if (err || !is_sum_complete(v, b, 1, w))
		val->current_status = status_between_samples(v, b);
}

static void update_highest(struct rcr_past *p, s64 val)
{
	if (!p->has_highest || val > p->highest)
		p->highest = val;
	p->has_highest = true;
}

static void drop_parts(struct rcr_past *p, u64 id)
{
	while (p->first != p->end && p->peak[p->first % RCR_VIEW_PARTS].id <= id)
		p->first++;
}

static void add_to_peak(struct rcr_past *p, u64 id, s64 val)
{
	while (p->first != p->end && p->peak[(p->end - 1) % RCR_VIEW_PARTS].val <= val)
		p->end--;
	if (p->end - p->first == RCR_VIEW_PARTS)
		p->first++;
	p->peak[p->end++ % RCR_VIEW_PARTS] = (struct rcr_part_value){ id, val };
}

static void evaluate_part(struct rcr_past *p, const struct rcr_view *v, const struct rcr_binding *b,
			  u64 id, struct rcr_workspace *w)
{
	s64 val;
	int err;

	if (id == v->new_part)
		err = value_of_interval(v, b, RCR_PART, w, &val);
	else
		err = value_of_old_part(v, b, id, w, &val);
	if (err)
		return;
	if (id > p->seen)
		update_highest(p, val);
	if (id > v->begin_id)
		add_to_peak(p, id, val);
}

/* Count the parts after @since whose marks are gone: see the head of this file. */
static u64 missed_parts(const struct rcr_view *v, u64 since)
{
	u64 last = min_t(u64, v->gone, v->complete);

	/* After a change of the set fewer parts may be complete than were evaluated. */
	if (last <= since)
		return 0;
	return div64_u64((last - since) * v->part, max_t(u64, v->part, v->period));
}

/* Evaluate the complete parts that are new since the previous update. */
static void update_parts(struct rcr_past *p, const struct rcr_view *v, const struct rcr_binding *b,
			 struct rcr_workspace *w)
{
	u64 n = v->parts, oldest = n - min_t(u64, n, RCR_VIEW_PARTS), since;

	/* Counts per period are not comparable with those of another period. */
	if (b->is_count && p->period != v->period) {
		rcr_past_reset(p);
		p->anew = 0;
		p->seen = 0;
	}
	p->period = v->period;
	since = p->anew ? p->seen : v->begin_id;
	if (p->anew)
		p->unseen += missed_parts(v, since);
	if (p->anew != v->anew || v->complete < p->seen || v->begin_id < p->begin_id) {
		p->first = p->end;
		since = min_t(u64, since, v->begin_id);
	}
	p->anew = v->anew;
	since = max_t(u64, since, v->gone);
	drop_parts(p, v->begin_id);
	while (n > oldest && v->id[(n - 1) % RCR_VIEW_PARTS] > since)
		n--;
	for (; n < v->parts && v->id[n % RCR_VIEW_PARTS] <= v->complete; n++)
		evaluate_part(p, v, b, v->id[n % RCR_VIEW_PARTS], w);
	p->seen = v->complete;
	p->begin_id = v->begin_id;
}

static s64 value_of_parts(struct rcr_past *p, const struct rcr_view *v,
			  const struct rcr_binding *b, struct rcr_workspace *w)
{
	s64 peak = p->current_value, val;
	bool found = p->first != p->end;

	if (found)
		peak = p->peak[p->first % RCR_VIEW_PARTS].val;
	if (value_of_interval(v, b, RCR_RUNNING, w, &val))
		return peak;
	update_highest(p, val);
	return found ? max_t(s64, peak, val) : val;
}

/**
 * rcr_value_update() - evaluate a meter at a place
 * @p: results of earlier evaluations there
 * @b: the meter's form
 * @v: the place, up to date
 * @w: workspace for all CPUs of the machine
 * @val: filled in, except for the limits; its @time is 0 if there is no sample yet
 *
 * Context: any; the caller serializes calls by @p and @w.
 */
void rcr_value_update(struct rcr_past *p, const struct rcr_binding *b,
		      const struct rcr_view *v, struct rcr_workspace *w,
		      struct rcr_board_value *val)
{
	memset(val, 0, sizeof(*val));
	value_between_samples(p, v, b, w, val);
	update_parts(p, v, b, w);
	val->peak = value_of_parts(p, v, b, w);
	value_of_window(p, v, b, w, val);
	val->current_value = p->current_value;
	val->highest = p->highest;
	val->unseen = p->unseen;
	val->time = v->time;
	val->begin = v->begin;
	val->tsc = v->tsc;
}

static u32 utilization_of(s64 val, s64 maximum)
{
	if (val <= 0 || maximum <= 0)
		return 0;
	if (val / 4000 >= maximum)
		return U32_MAX;
	return mul_u64_u64_div_u64(val, MILLION, maximum);
}

static u32 verdict_of(s64 val, const struct rcr_limits *l)
{
	if (!l->contention)
		return RCR_VERDICT_NONE;
	if (val < l->contention)
		return RCR_VERDICT_OK;
	return l->maximum && val >= l->maximum - l->maximum / 20 ? RCR_VERDICT_BUSY :
								   RCR_VERDICT_CONTENTION;
}

/**
 * rcr_limits_judge() - set utilization and verdict of a meter at a place
 * @l: limits of the resource at the place
 * @v: the values; maximum and contention are filled in, and, if there is a current value,
 *	utilization and verdict
 *
 * RCRTool Design Document, section 3.2.
 */
void rcr_limits_judge(const struct rcr_limits *l, struct rcr_board_value *v)
{
	v->maximum = l->maximum;
	v->contention = l->contention;
	if (v->current_status != RCR_STATUS_OK)
		return;
	v->utilization = utilization_of(v->current_value, l->maximum);
	v->verdict = verdict_of(v->current_value, l);
}
