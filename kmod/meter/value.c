// SPDX-License-Identifier: GPL-2.0-only
/*
 * value.c - the values of a meter at a place, from the histories of its CPUs.
 *
 * The window of a place ends with the newest sample of its CPUs, at T. On each CPU it begins
 * with the oldest mark that is not older than T less the time scale, and ends with that
 * CPU's own newest sample; a CPU without such a mark has nothing in it. The window as a
 * whole begins at B, the earliest of these marks. Rules:
 *
 * - Counters that a CPU counts for itself, and that are read with each sample, are related:
 *   of a meter's a part counts on that CPU only where all of them were counted.
 * - average: the form over what was counted in the window, and its counted time. That of a
 *   count is divided by the sampling periods from B to T, to the nearest, at least one; of
 *   the operand that was counted least of the time, in cycles, only that share of B to T.
 * - sum: of a count all of it; of a rate its integral; else the average. 0 where nothing
 *   was counted of a count or a rate.
 * - A gauge has its mean over the marks in the window, the one that begins it included, and
 *   the newest sample, if that is no mark. Its value in a part, or between two samples, is
 *   what the end of that showed; of the running part the mean of what is in it.
 * - CPUs that share a counter are one: what they have counted is added up in the first of
 *   them in the place. The time in which it was handed over does not count on either CPU.
 * - current: between the two newest samples of each CPU whose newest one is in the window,
 *   and which is sampled now; of a count, by the fewest periods that lie between two of
 *   these, and the share of them that was counted. Where there is none it is the latest
 *   that there was, and its status says why; counters that are read slowly have one of now.
 * - A part is numbered by the mark that ends it: time / (a sixteenth of the time scale).
 *   Its value is the form over the CPUs that have such a mark, on each from the mark before,
 *   which is earlier than one part where the CPU was not sampled, but not by more than the
 *   time scale, or two periods; a count by the fewest periods that any of these has. A part
 *   is complete when no CPU can have such a mark any more: it has it, or a later one; it has
 *   promised so by @next; it is overdue by two parts and 10 ms; it is not sampled, and another
 *   CPU has a sample after the part, or this one's last mark is too old. A part is in the
 *   window when its number is greater than that of the mark at B.
 * - A part is evaluated once, when it is complete. The window's parts are evaluated again, for
 *   the peak alone, where a CPU that was overdue has written its mark after all, where less is
 *   complete than before, and in another run, whose period may be another one.
 * - The running part is what follows the complete ones, or the oldest mark that is kept, on
 *   CPUs that are sampled now and have a sample since the latest complete part began.
 * - peak: the highest of the complete parts in the window and the running one; the current
 *   value where there is none. highest: the same of all parts since the last reset, and of
 *   a count since the last change of the period; what came before the first evaluation and
 *   before its window is not in it. unseen: parts that were gone, in sixteenths of the time
 *   scale, or in periods where these are longer.
 * - counted_ns, of each operand: its counted time in the window, summed over CPUs, by the
 *   number of CPUs that are sampled now, or, for a counter that CPUs share, the number of
 *   groups that have such a CPU; for a gauge the same share of the window as it has values
 *   of those that it could have. The value has that of the operand with the least, and at
 *   most T - B. A CPU that was unplugged in the window adds what it had counted, and is
 *   not among the number; one that came has all of the window to count.
 * - status: OFFLINE where no CPU is sampled. Not OK where counted_ns is less than half of
 *   T - B, where T is B and there is no value, and, of counts and rates that are summed over
 *   CPUs, where one that is sampled, or a unit of these, has counted less than half of T - B
 *   (of current: nothing), but for counters that are read slowly: then the first error in the
 *   newest samples of the CPUs, in their order and that of the operands; GAP where all is well in
 *   one of them; else OFFLINE where one is not sampled, and ELSEWHERE where nobody reads it.
 *   0 where enough was counted and the form has no value: it divides by 0. The average is
 *   then the current value. Values are what could be evaluated, whatever the status is.
 *
 * The first reader after any idle time reads the same as one that has read all the time,
 * highest and unseen excepted.
 *
 * What all meters of a place have in common is found by rcr_view_update(): of each interval
 * the rows of sums whose difference a CPU has counted in it. A meter only takes differences,
 * one cell for each CPU, and has the form evaluated over these.
 *
 * Pure: compiled into the unit tests as well.
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

/* What a CPU has counted: the counts of all operands, and behind these their times. */
#define CELL_TIME	RCR_FORM_OPERANDS
#define CELL_SIZE	(2 * RCR_FORM_OPERANDS)

/**
 * rcr_workspace_init() - makes room to evaluate in
 * @w: the workspace
 * @lanes: CPUs of the machine
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int rcr_workspace_init(struct rcr_workspace *w, unsigned int lanes)
{
	unsigned int i;

	memset(w, 0, sizeof(*w));
	w->lane = kvcalloc(lanes, sizeof(*w->lane), GFP_KERNEL);
	w->cell = kvcalloc(lanes, CELL_SIZE * sizeof(u64), GFP_KERNEL);
	w->group = kvcalloc(lanes, sizeof(*w->group), GFP_KERNEL);
	w->rows = kvcalloc(lanes, sizeof(*w->rows), GFP_KERNEL);
	if (!w->lane || !w->cell || !w->group || !w->rows) {
		rcr_workspace_free(w);
		return -ENOMEM;
	}
	for (i = 0; i < lanes; i++) {
		w->lane[i].delta = w->cell + CELL_SIZE * i;
		w->lane[i].time = w->lane[i].delta + CELL_TIME;
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
 * rcr_binding_init() - binds a form to the columns of histories
 * @b: the binding
 * @form: the form, which stays
 * @counter: by operand: number of the counter, or RCR_OPERAND_SPENT
 * @sharing: likewise, see struct rcr_binding
 * @l: of the histories
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

/* What was evaluated so far is not in the highest value any more. */
void rcr_past_reset(struct rcr_past *p)
{
	p->has_highest = false;
	p->highest = 0;
	p->unseen = 0;
}

static bool has_marks(const struct rcr_history *h)
{
	return h->head != h->first;
}

/* Sums of nothing. */
static const u64 *zero_row(const struct rcr_history *h)
{
	return h->latest + 2 * h->columns;
}

/* The newest sample. */
static void find_end(struct rcr_view *v)
{
	unsigned int i;

	v->time = 0;
	v->tsc = 0;
	for (i = 0; i < v->lanes; i++) {
		const struct rcr_history_sample *r = v->lane[i].history->record;

		if (r->time > v->time) {
			v->time = r->time;
			v->tsc = r->tsc;
		}
	}
}

/* Position of the oldest mark from a time on; that behind the newest one: there is none. */
static u64 find_mark(const struct rcr_history *h, u64 time, u64 hint)
{
	u64 at = hint;

	if (at < h->first || at > h->head ||
	    (at > h->first && rcr_history_time(h, at - 1) >= time))
		at = h->first;
	while (at < h->head && rcr_history_time(h, at) < time)
		at++;
	return at;
}

static void set_window(struct rcr_view_lane *l)
{
	const struct rcr_history *h = l->history;
	struct rcr_rows *r = &l->rows[RCR_WINDOW];

	r->to = h->now;
	if (l->begin < h->head) {
		r->from = rcr_history_row(h, l->begin);
		r->gauge_from = rcr_history_row(h, l->begin - 1);
	} else {
		r->from = h->now;
		r->gauge_from = l->is_current ? rcr_history_row(h, h->head - 1) : h->now;
	}
}

static void begin_lane(struct rcr_view *v, struct rcr_view_lane *l, u64 since)
{
	const struct rcr_history *h = l->history;

	l->begin = find_mark(h, since, l->begin);
	l->rows[RCR_WINDOW].mark = l->begin;
	l->is_current = h->record->time >= since && h->record->time;
	set_window(l);
	if (h->away)
		return;
	v->expected++;
	v->values += h->head - l->begin;
	v->values += !has_marks(h) || h->record->time > h->mark->time;
}

/* Where the window begins. */
static void find_begin(struct rcr_view *v)
{
	u64 since = v->time - min_t(u64, v->time, v->scale), time;
	unsigned int i;

	v->begin = v->time;
	v->begin_id = U64_MAX;
	v->expected = 0;
	v->values = 0;
	for (i = 0; i < v->lanes; i++) {
		struct rcr_view_lane *l = &v->lane[i];

		begin_lane(v, l, since);
		if (l->begin == l->history->head)
			continue;
		time = rcr_history_time(l->history, l->begin);
		if (time <= v->begin) {
			v->begin = time;
			v->begin_id = rcr_history_id(l->history, l->begin);
		}
	}
}

/* The longest part of a CPU that has a value. */
static u64 longest_part(const struct rcr_view *v)
{
	return max_t(u64, v->scale, 2 * v->period);
}

/* No mark with an id up to this one will come that ends a part. */
static u64 horizon_of(const struct rcr_view *v, const struct rcr_history *h)
{
	u64 newest = has_marks(h) ? rcr_history_id(h, h->head - 1) : 0, now;

	if (!h->away)
		return h->horizon;
	/* It comes back after the newest sample: its part may be too long then. */
	if (v->time - h->record->time > longest_part(v))
		return U64_MAX;
	now = div64_u64(v->time, v->part);
	return max_t(u64, newest, now ? now - 1 : 0);
}

/* The latest part of which all is known, and those that are gone. */
static void find_complete(struct rcr_view *v)
{
	u64 newest = 0, horizon = U64_MAX;
	unsigned int i;

	v->gone = v->dropped;
	for (i = 0; i < v->lanes; i++) {
		const struct rcr_history *h = v->lane[i].history;

		if (has_marks(h))
			newest = max_t(u64, newest, rcr_history_id(h, h->head - 1));
		horizon = min_t(u64, horizon, horizon_of(v, h));
		if (!h->away && h->partial && has_marks(h))
			v->gone = max_t(u64, v->gone, rcr_history_id(h, h->first));
	}
	v->complete = min_t(u64, newest, horizon);
}

/* Position behind the newest mark before @end that is not after a part. */
static u64 end_of_part(const struct rcr_history *h, u64 end, u64 id)
{
	while (end > h->first && rcr_history_id(h, end - 1) > id)
		end--;
	return end;
}

/* Takes in the time of an interval on a CPU, ns; 0: there is none on it. */
static void add_time(u64 *shortest, u64 time)
{
	if (time && (!*shortest || time < *shortest))
		*shortest = time;
}

static void set_latest(struct rcr_view *v, struct rcr_view_lane *l)
{
	const struct rcr_history *h = l->history;
	struct rcr_rows *r = &l->rows[RCR_LATEST];

	r->from = zero_row(h);
	r->gauge_from = r->from;
	r->to = r->from;
	if (!l->is_current || h->away)
		return;
	r->to = h->latest;
	if (h->before->time)
		add_time(&v->shortest[RCR_LATEST], h->record->time - h->before->time);
}

/* From the latest complete part, or from the oldest mark that is kept. */
static void set_running(struct rcr_view *v, struct rcr_view_lane *l, u64 since)
{
	const struct rcr_history *h = l->history;
	struct rcr_rows *r = &l->rows[RCR_RUNNING];

	r->to = h->now;
	r->from = h->now;
	r->gauge_from = h->now;
	if (h->away || !l->is_current || h->record->time < since)
		return;
	r->mark = l->end == h->first && has_marks(h) ? l->end : l->end - 1;
	r->from = rcr_history_row(h, r->mark);
	r->gauge_from = rcr_history_row(h, l->end - 1);
	if (has_marks(h))
		add_time(&v->shortest[RCR_RUNNING],
			 h->record->time - rcr_history_time(h, r->mark));
}

static void end_lanes(struct rcr_view *v)
{
	u64 since = v->complete * v->part;
	unsigned int i;

	v->shortest[RCR_LATEST] = 0;
	v->shortest[RCR_RUNNING] = 0;
	for (i = 0; i < v->lanes; i++) {
		struct rcr_view_lane *l = &v->lane[i];

		l->end = end_of_part(l->history, l->history->head, v->complete);
		set_latest(v, l);
		set_running(v, l, since);
	}
}

/* The latest part up to @id on any CPU. False: there is none. */
static bool latest_part(const struct rcr_view *v, u64 id, u64 *latest)
{
	bool found = false;
	unsigned int i;

	for (i = 0; i < v->lanes; i++) {
		const struct rcr_history *h = v->lane[i].history;
		u64 end = end_of_part(h, v->lane[i].end, id), here;

		if (end == h->first)
			continue;
		here = rcr_history_id(h, end - 1);
		if (!found || here > *latest)
			*latest = here;
		found = true;
	}
	return found;
}

/* Has a CPU a new mark in a part that was complete up to @complete? */
static bool has_late_mark(struct rcr_view *v, u64 complete)
{
	bool late = false;
	unsigned int i;

	for (i = 0; i < v->lanes; i++) {
		const struct rcr_history *h = v->lane[i].history;
		u64 known = max_t(u64, v->lane[i].known, h->first);

		late |= known < h->head && rcr_history_id(h, known) <= complete;
		v->lane[i].known = h->head;
	}
	return late;
}

/* Puts the complete parts that are new into the list. */
static void list_parts(struct rcr_view *v)
{
	u64 known = v->parts ? v->id[(v->parts - 1) % RCR_VIEW_PARTS] : 0;
	u64 latest[RCR_VIEW_PARTS], id = v->complete;
	unsigned int n = 0;

	while (latest_part(v, id, &id) && id > known) {
		if (n == RCR_VIEW_PARTS) {
			v->dropped = id;
			break;
		}
		latest[n++] = id--;
		if (id <= known)
			break;
	}
	while (n) {
		u64 *place = &v->id[v->parts % RCR_VIEW_PARTS];

		if (v->parts++ >= RCR_VIEW_PARTS)
			v->dropped = max_t(u64, v->dropped, *place);
		*place = latest[--n];
	}
}

/* The part of a CPU that ends with the mark @id. Return: its time, ns; 0: none. */
static u64 find_part(const struct rcr_view_lane *l, u64 id, u64 longest, struct rcr_rows *r)
{
	const struct rcr_history *h = l->history;
	u64 end = end_of_part(h, l->end, id), time = 0;

	r->to = h->now;
	r->from = h->now;
	r->gauge_from = h->now;
	if (end == h->first || rcr_history_id(h, end - 1) != id)
		return 0;
	/* Where a run begins a second mark may have the same number. */
	while (end - 1 > h->first && rcr_history_id(h, end - 2) == id)
		end--;
	if (end - 1 != h->first)
		time = rcr_history_time(h, end - 1) - rcr_history_time(h, end - 2);
	if (time > longest)
		return 0;
	r->to = rcr_history_row(h, end - 1);
	r->gauge_from = rcr_history_row(h, end - 2);
	r->from = end - 1 == h->first ? r->to : r->gauge_from;
	return time;
}

/* Most places are evaluated once for each part, when it is new. */
static void find_new_part(struct rcr_view *v)
{
	u64 longest = longest_part(v);
	unsigned int i;

	v->new_part = v->id[(v->parts - 1) % RCR_VIEW_PARTS];
	v->shortest[RCR_PART] = 0;
	for (i = 0; i < v->lanes; i++) {
		struct rcr_view_lane *l = &v->lane[i];

		add_time(&v->shortest[RCR_PART],
			 find_part(l, v->new_part, longest, &l->rows[RCR_PART]));
	}
}

/**
 * rcr_view_update() - finds the window of a place, and the parts in it
 * @v: the view; its histories have been updated
 */
void rcr_view_update(struct rcr_view *v)
{
	u64 parts = v->parts, complete = v->complete;

	v->part = v->lane[0].history->part;
	find_end(v);
	find_begin(v);
	v->shortest[RCR_WINDOW] = v->time - v->begin;
	find_complete(v);
	end_lanes(v);
	if (has_late_mark(v, complete)) {
		v->parts = 0;
		v->anew++;
	}
	list_parts(v);
	v->gone = max_t(u64, v->gone, v->dropped);
	v->new_part = 0;
	if (v->parts != parts)
		find_new_part(v);
}

/* @a * @b / @c; U64_MAX for anything larger, and where @c is 0. */
static u64 multiply_divide(u64 a, u64 b, u64 c)
{
	/* mul_u64_u64_div_u64() traps where the quotient does not fit. */
	if ((u64)(((__uint128_t)a * b) >> 64) >= c)
		return U64_MAX;
	return mul_u64_u64_div_u64(a, b, c);
}

/* Sampling periods in a time. */
static u64 periods_in(const struct rcr_view *v, u64 ns)
{
	return max_t(u64, div64_u64(ns + v->period / 2, v->period), 1);
}

/* What was counted of an operand that CPUs share goes to the first of these. */
static void share_operand(const struct rcr_view *v, const struct rcr_binding *b,
			  unsigned int k, struct rcr_workspace *w)
{
	unsigned int i;
	u32 stamp = ++w->stamp;

	for (i = 0; i < v->lanes; i++) {
		struct rcr_group_slot *g = &w->group[b->sharing[k][v->lane[i].lane]];
		u64 *cell = w->cell + CELL_SIZE * i, *first;

		if (g->stamp != stamp) {
			g->stamp = stamp;
			g->slot = i;
			continue;
		}
		first = w->cell + CELL_SIZE * g->slot;
		first[k] += cell[k];
		first[CELL_TIME + k] += cell[CELL_TIME + k];
		cell[k] = 0;
		cell[CELL_TIME + k] = 0;
	}
}

static void share_operands(const struct rcr_view *v, const struct rcr_binding *b,
			   struct rcr_workspace *w)
{
	unsigned int k;

	for (k = 0; k < b->operands; k++)
		if (b->sharing[k])
			share_operand(v, b, k, w);
}

/* What one CPU has counted, some of which are gauges. */
static noinline void take_gauges(const struct rcr_binding *b, const struct rcr_rows *r,
				 u64 *cell)
{
	const u64 *from, *to = r->to;
	unsigned int k, c;

	for (k = 0; k < b->operands; k++) {
		c = b->column[k];
		from = b->gauges >> k & 1 ? r->gauge_from : r->from;
		cell[k] = to[c] - from[c];
		cell[CELL_TIME + k] = to[b->columns + c] - from[b->columns + c];
	}
}

/* What one CPU has counted. */
static __always_inline void take_cell(const struct rcr_binding *b, const struct rcr_rows *r,
				      u64 *cell)
{
	const u64 *from = r->from, *to = r->to, *end = cell + b->operands;
	const u8 *column = b->column;
	size_t c, columns = b->columns;

	if (unlikely(b->gauges)) {
		take_gauges(b, r, cell);
		return;
	}
	for (; cell < end; cell++) {
		c = *column++;
		cell[0] = to[c] - from[c];
		c += columns;
		cell[CELL_TIME] = to[c] - from[c];
	}
}

/* Has a CPU counted all of @alike for the same time? Most forms have two such operands. */
static __always_inline bool is_alike(const struct rcr_binding *b, const u64 *cell)
{
	u64 time = cell[CELL_TIME + b->alike_first], differs = 0;
	u32 alike = b->alike >> b->alike_first;

	if (likely(b->alike == 3))
		return cell[CELL_TIME] == cell[CELL_TIME + 1];
	for (cell += CELL_TIME + b->alike_first; alike; alike >>= 1, cell++)
		differs |= (*cell ^ time) & -(u64)(alike & 1);
	return !differs;
}

/* Adds what was counted of @alike in a part, if all of it was. */
static void add_alike(const struct rcr_binding *b, const u64 *from, const u64 *to, u64 *cell)
{
	unsigned long alike = b->alike;
	unsigned int k, c;

	for_each_set_bit(k, &alike, RCR_FORM_OPERANDS) {
		c = b->columns + b->column[k];
		if (to[c] == from[c])
			return;
	}
	for_each_set_bit(k, &alike, RCR_FORM_OPERANDS) {
		c = b->column[k];
		cell[k] += to[c] - from[c];
		cell[CELL_TIME + k] += to[b->columns + c] - from[b->columns + c];
	}
}

/*
 * Counters of a CPU that were not counted in the same parts cannot be related: takes the
 * parts in which all of them were.
 */
static noinline void take_alike(const struct rcr_binding *b, const struct rcr_history *h,
				const struct rcr_rows *r, u64 *cell)
{
	unsigned long alike = b->alike;
	const u64 *from = r->from, *to;
	unsigned int k;
	u64 mark;

	for_each_set_bit(k, &alike, RCR_FORM_OPERANDS) {
		cell[k] = 0;
		cell[CELL_TIME + k] = 0;
	}
	/* One part, between two samples or marks. */
	if (r->to != h->now) {
		add_alike(b, r->from, r->to, cell);
		return;
	}
	for (mark = r->mark + 1; mark <= h->head; mark++, from = to) {
		to = mark < h->head ? rcr_history_row(h, mark) : h->now;
		add_alike(b, from, to, cell);
	}
}

/* What the CPUs of a place have counted of an operand. */
static void take_operand(const struct rcr_binding *b, unsigned int k, const struct rcr_rows *r,
			 size_t stride, unsigned int lanes, u64 *cell)
{
	size_t c = b->column[k], time = c + b->columns;
	const void *at = b->gauges >> k & 1 ? &r->gauge_from : &r->from;
	size_t to_offset = (const void *)&r->to - at;
	const u64 *end = cell + CELL_SIZE * lanes, *from, *to;

	for (; cell < end; cell += CELL_SIZE, at += stride) {
		from = *(const u64 *const *)at;
		to = *(const u64 *const *)(at + to_offset);
		cell[0] = to[c] - from[c];
		cell[CELL_TIME] = to[time] - from[time];
	}
}

static void relate_place(const struct rcr_view *v, const struct rcr_binding *b, const void *r,
			 size_t stride, struct rcr_workspace *w)
{
	unsigned int i;

	for (i = 0; i < v->lanes; i++) {
		u64 *cell = w->cell + CELL_SIZE * i;

		if (unlikely(!is_alike(b, cell)))
			take_alike(b, v->lane[i].history, r + stride * i, cell);
	}
}

/* A cell for each CPU of a place; @r of the first one, @stride bytes from the next. */
static noinline void gather_place(const struct rcr_view *v, const struct rcr_binding *b,
				  const struct rcr_rows *r, size_t stride,
				  struct rcr_workspace *w)
{
	unsigned int k;

	for (k = 0; k < b->operands; k++)
		take_operand(b, k, r, stride, v->lanes, w->cell + k);
	if (b->alike)
		relate_place(v, b, r, stride, w);
	if (b->shares)
		share_operands(v, b, w);
}

/* Most places are one CPU. */
static noinline void gather_cells(const struct rcr_view *v, const struct rcr_binding *b,
				  const struct rcr_rows *r, size_t stride,
				  struct rcr_workspace *w)
{
	if (unlikely(v->lanes != 1)) {
		gather_place(v, b, r, stride, w);
		return;
	}
	take_cell(b, r, w->cell);
	if (b->alike && unlikely(!is_alike(b, w->cell)))
		take_alike(b, v->lane->history, r, w->cell);
}

/* Of the time of the CPUs that have counted an operand, in cycles, how much it was counted. */
static u64 counted_share(const struct rcr_view *v, unsigned int k, const struct rcr_rows *r,
			 size_t stride, const struct rcr_workspace *w, u64 ns)
{
	unsigned int i, end = 2 * v->lane->history->columns - 1;
	u64 counted = 0, whole = 0, time;

	for (i = 0; i < v->lanes; i++, r = (const void *)r + stride) {
		time = w->cell[CELL_SIZE * i + CELL_TIME + k];
		counted += time;
		/* What ticks have cost always counts. */
		whole += time ? r->to[end] - r->from[end] : 0;
	}
	return counted < whole ? multiply_divide(ns, counted, whole) : ns;
}

/* Sampling periods in which a count was counted, of those in @ns. */
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

/* The value of what is in the cells, where the shortest time on a CPU is @time ns. */
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

	gather_cells(v, b, r, sizeof(*v->lane), w);
	return value_of_cells(v, b, r, sizeof(*v->lane), w, v->shortest[interval], val);
}

/* Of a part that is not the new one. */
static int value_of_old_part(const struct rcr_view *v, const struct rcr_binding *b, u64 id,
			     struct rcr_workspace *w, s64 *val)
{
	u64 longest = longest_part(v), shortest = 0;
	unsigned int i;

	for (i = 0; i < v->lanes; i++)
		add_time(&shortest, find_part(&v->lane[i], id, longest, &w->rows[i]));
	gather_cells(v, b, w->rows, sizeof(*w->rows), w);
	return value_of_cells(v, b, w->rows, sizeof(*w->rows), w, shortest, val);
}

/* Groups of CPUs that share a counter, of which one is sampled now. */
static unsigned int count_groups(const struct rcr_view *v, const u16 *sharing,
				 struct rcr_workspace *w)
{
	unsigned int i, groups = 0;
	u32 stamp = ++w->stamp;

	for (i = 0; i < v->lanes; i++) {
		struct rcr_group_slot *g = &w->group[sharing[v->lane[i].lane]];

		if (v->lane[i].history->away || g->stamp == stamp)
			continue;
		g->stamp = stamp;
		groups++;
	}
	return groups;
}

/* Of the cells of the window, the sum over CPUs of the time of an operand. */
static u64 time_of_operand(const struct rcr_view *v, unsigned int k,
			   const struct rcr_workspace *w)
{
	const u64 *time = w->cell + CELL_TIME + k, *end = time + CELL_SIZE * v->lanes;
	u64 sum = 0;

	for (; time < end; time += CELL_SIZE)
		sum += *time;
	return sum;
}

/* How long an operand was counted in the window of each of so many, ns. */
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
			/* Of these the one with the least time is enough. */
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

/* Why a CPU does not count; RCR_STATUS_OK: it does. */
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

/* Why a place does not count now, see the head of this file. */
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

/* The least number of TSC cycles that are @ns, from 1 on. */
static u64 cycles_of(const struct rcr_view *v, u64 ns)
{
	u64 cycles = multiply_divide(ns, v->tsc_hz, SECOND_NS);

	return cycles + (multiply_divide(cycles, SECOND_NS, v->tsc_hz) < ns);
}

/* Has each CPU that is sampled, or unit of these, counted an operand for @least cycles? */
static bool has_every_unit(const struct rcr_view *v, const struct rcr_binding *b, unsigned int k,
			   u64 least, struct rcr_workspace *w)
{
	const u16 *sharing = v->lanes > 1 ? b->sharing[k] : NULL;
	unsigned int i, slot;
	u32 stamp = ++w->stamp;
	u64 time;

	for (i = 0; i < v->lanes; i++) {
		slot = i;
		if (sharing) {
			struct rcr_group_slot *g = &w->group[sharing[v->lane[i].lane]];

			if (g->stamp != stamp)
				*g = (struct rcr_group_slot){ stamp, i };
			slot = g->slot;
		}
		time = w->cell[CELL_SIZE * slot + CELL_TIME + k];
		if (time < least && !v->lane[i].history->away)
			return false;
	}
	return true;
}

/* What is summed over CPUs lacks none of them. Slow counters are left out: they lag. */
static bool is_whole(const struct rcr_view *v, const struct rcr_binding *b, u64 least,
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
	    !is_whole(v, b, window - window / 2, w))
		val->status = status_of_place(v, b);
}

/* Why there is no value of now. Counters that are read slowly have one, of their last reading. */
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
	else if (err || !is_whole(v, b, 1, w))
		val->current_status = status_between_samples(v, b);
}

static void see_highest(struct rcr_past *p, s64 val)
{
	if (!p->has_highest || val > p->highest)
		p->highest = val;
	p->has_highest = true;
}

static void forget_parts(struct rcr_past *p, u64 id)
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

static void see_part(struct rcr_past *p, const struct rcr_view *v, const struct rcr_binding *b,
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
	if (!p->begun || id > p->seen)
		see_highest(p, val);
	if (id > v->begin_id)
		add_to_peak(p, id, val);
}

/* Parts behind @since that are gone, see the head of this file. */
static u64 unseen_parts(const struct rcr_view *v, u64 since)
{
	u64 last = min_t(u64, v->gone, v->complete);

	/* After a change of the set less may be complete than was evaluated. */
	if (last <= since)
		return 0;
	return div64_u64((last - since) * v->part, max_t(u64, v->part, v->period));
}

/* Those that are complete and were not evaluated yet. */
static void see_parts(struct rcr_past *p, const struct rcr_view *v, const struct rcr_binding *b,
		      struct rcr_workspace *w)
{
	u64 n = v->parts, oldest = n - min_t(u64, n, RCR_VIEW_PARTS), since;

	/* By another period all that was seen of a count was something else. */
	if (b->is_count && p->period != v->period) {
		rcr_past_reset(p);
		p->begun = false;
	}
	p->period = v->period;
	since = p->begun ? p->seen : v->begin_id;
	if (p->begun)
		p->unseen += unseen_parts(v, since);
	if (!p->begun || p->anew != v->anew || v->complete < p->seen ||
	    v->begin_id < p->begin_id) {
		p->first = p->end;
		since = min_t(u64, since, v->begin_id);
	}
	p->anew = v->anew;
	since = max_t(u64, since, v->gone);
	forget_parts(p, v->begin_id);
	while (n > oldest && v->id[(n - 1) % RCR_VIEW_PARTS] > since)
		n--;
	for (; n < v->parts && v->id[n % RCR_VIEW_PARTS] <= v->complete; n++)
		see_part(p, v, b, v->id[n % RCR_VIEW_PARTS], w);
	p->seen = v->complete;
	p->begin_id = v->begin_id;
	p->begun = true;
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
	see_highest(p, val);
	return found ? max_t(s64, peak, val) : val;
}

/**
 * rcr_value_update() - evaluates a meter at a place
 * @p: what was evaluated of it there before
 * @b: the meter's form
 * @v: the place, up to date
 * @w: for as many CPUs as the machine has
 * @val: filled in, but for what the resource can do; its @time is 0 where nothing was sampled
 *
 * Context: any; serialized by the caller for each of @p and @w.
 */
void rcr_value_update(struct rcr_past *p, const struct rcr_binding *b,
		      const struct rcr_view *v, struct rcr_workspace *w,
		      struct rcr_board_value *val)
{
	memset(val, 0, sizeof(*val));
	value_between_samples(p, v, b, w, val);
	see_parts(p, v, b, w);
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
 * rcr_limits_judge() - completes the values of a meter at a place. RCRTool Design
 * Document, section 3.2.
 * @l: what its resource can do there
 * @v: the values, in which these were 0: maximum and contention are filled in, and, where
 *	there is a value of now, utilization and verdict
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
