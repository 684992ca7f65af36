// SPDX-License-Identifier: GPL-2.0-only
/*
 * view.c - finds the window of a place and its parts by the rules at the head of value.c: for each
 * interval and CPU the two rows whose difference is counted, which all meters of the place
 * share, and the cells of a meter's operands.
 *
 * Has no kernel state: also compiled into the unit tests.
 */
#include <linux/bitmap.h>
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>

#include "value.h"

/* Find the newest sample of the CPUs, which ends the window. */
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

/* Return: position of the oldest mark at or after @time; else that after the newest mark. */
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
	v->values += !rcr_history_has_marks(h) || h->record->time > h->mark->time;
}

/* Find the first mark of each CPU in the window, and the beginning of the window. */
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

/* Return: maximum length of a part; longer ones have no value, ns. */
static u64 longest_part(const struct rcr_view *v)
{
	return max_t(u64, v->scale, 2 * v->period);
}

/* Return: id up to which the CPU will not complete any more parts. */
static u64 horizon_of(const struct rcr_view *v, const struct rcr_history *h)
{
	u64 newest = rcr_history_has_marks(h) ? rcr_history_id(h, h->head - 1) : 0, now;

	if (!h->away)
		return h->horizon;
	/* If the CPU is sampled again, its next part is too long to have a value. */
	if (v->time - h->record->time > longest_part(v))
		return U64_MAX;
	now = div64_u64(v->time, v->part);
	return max_t(u64, newest, now ? now - 1 : 0);
}

/* Find the latest complete part, and the latest one whose marks are gone. */
static void find_complete(struct rcr_view *v)
{
	u64 newest = 0, horizon = U64_MAX;
	unsigned int i;

	v->gone = v->dropped;
	for (i = 0; i < v->lanes; i++) {
		const struct rcr_history *h = v->lane[i].history;

		if (rcr_history_has_marks(h))
			newest = max_t(u64, newest, rcr_history_id(h, h->head - 1));
		horizon = min_t(u64, horizon, horizon_of(v, h));
		if (!h->away && h->partial && rcr_history_has_marks(h))
			v->gone = max_t(u64, v->gone, rcr_history_id(h, h->first));
	}
	v->complete = min_t(u64, newest, horizon);
}

/* Return: position after the newest mark before @end whose part is not later than @id. */
static u64 end_of_part(const struct rcr_history *h, u64 end, u64 id)
{
	while (end > h->first && rcr_history_id(h, end - 1) > id)
		end--;
	return end;
}

/* Lower the shortest time of an interval to that of a CPU, ns; 0: it has none. */
static void add_time(u64 *shortest, u64 time)
{
	if (time && (!*shortest || time < *shortest))
		*shortest = time;
}

static void set_latest(struct rcr_view *v, struct rcr_view_lane *l)
{
	const struct rcr_history *h = l->history;
	struct rcr_rows *r = &l->rows[RCR_LATEST];

	r->from = rcr_history_zeros(h);
	r->gauge_from = r->from;
	r->to = r->from;
	if (!l->is_current || h->away)
		return;
	r->to = h->latest;
	if (h->before->time)
		add_time(&v->shortest[RCR_LATEST], h->record->time - h->before->time);
}

/* The running part begins after the latest complete one, or at the oldest mark that is kept. */
static void set_running(struct rcr_view *v, struct rcr_view_lane *l, u64 since)
{
	const struct rcr_history *h = l->history;
	struct rcr_rows *r = &l->rows[RCR_RUNNING];

	r->to = h->now;
	r->from = h->now;
	r->gauge_from = h->now;
	if (h->away || !l->is_current || h->record->time < since)
		return;
	r->mark = l->end == h->first && rcr_history_has_marks(h) ? l->end : l->end - 1;
	r->from = rcr_history_row(h, r->mark);
	r->gauge_from = rcr_history_row(h, l->end - 1);
	if (rcr_history_has_marks(h))
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

/* Find the latest part up to @id on any CPU. Return: false if there is none. */
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

/* True if a CPU has a new mark in a part that was complete before. */
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

/* Append the new complete parts to the list. */
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

/* Find the part of a CPU that ends with mark @id. Return: its length, ns; 0: none. */
static u64 find_part(const struct rcr_view_lane *l, u64 id, u64 longest, struct rcr_rows *r)
{
	const struct rcr_history *h = l->history;
	u64 end = end_of_part(h, l->end, id), time = 0;

	r->to = h->now;
	r->from = h->now;
	r->gauge_from = h->now;
	if (end == h->first || rcr_history_id(h, end - 1) != id)
		return 0;
	/* At the beginning of a run, two marks may have the same number. */
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

/**
 * rcr_view_part() - find the rows of a complete part
 * @v: the view, up to date
 * @id: id of the part
 * @r: rows of the first CPU, filled in
 * @stride: distance of the rows of two CPUs, bytes
 *
 * Return: the shortest time in it on any CPU, ns; 0: none.
 */
u64 rcr_view_part(const struct rcr_view *v, u64 id, struct rcr_rows *r, size_t stride)
{
	u64 longest = longest_part(v), shortest = 0;
	unsigned int i;

	for (i = 0; i < v->lanes; i++, r = (void *)r + stride)
		add_time(&shortest, find_part(&v->lane[i], id, longest, r));
	return shortest;
}

/* Prepare the new part once for all meters: most places are evaluated once for each part. */
static void find_new_part(struct rcr_view *v)
{
	v->new_part = v->id[(v->parts - 1) % RCR_VIEW_PARTS];
	v->shortest[RCR_PART] = rcr_view_part(v, v->new_part, &v->lane->rows[RCR_PART],
					      sizeof(*v->lane));
}

/**
 * rcr_view_update() - find the window of a place, and the parts in it
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

/**
 * rcr_view_unit() - find the CPU that stands for all those that share a counter
 * @v: the view
 * @sharing: map of the operand; NULL: each CPU counts for itself
 * @i: number of a CPU in the view; the caller increments @w->stamp and then asks for 0, 1, ...
 * @w: the workspace
 *
 * Return: number of the first CPU with the same unit, of those asked for with this stamp.
 */
unsigned int rcr_view_unit(const struct rcr_view *v, const u16 *sharing, unsigned int i,
			   struct rcr_workspace *w)
{
	struct rcr_group_slot *g;

	if (!sharing)
		return i;
	g = &w->group[sharing[v->lane[i].lane]];
	if (g->stamp != w->stamp)
		*g = (struct rcr_group_slot){ w->stamp, i };
	return g->slot;
}

static void share_operand(const struct rcr_view *v, const u16 *sharing, unsigned int k,
			  struct rcr_workspace *w)
{
	unsigned int i, unit;

	w->stamp++;
	for (i = 0; i < v->lanes; i++) {
		u64 *cell = w->cell + RCR_CELL_SIZE * i, *first;

		unit = rcr_view_unit(v, sharing, i, w);
		if (unit == i)
			continue;
		first = w->cell + RCR_CELL_SIZE * unit;
		first[k] += cell[k];
		first[RCR_CELL_TIME + k] += cell[RCR_CELL_TIME + k];
		cell[k] = 0;
		cell[RCR_CELL_TIME + k] = 0;
	}
}

/* Add up the counts of operands that CPUs share in the first of these CPUs. */
void rcr_view_share(const struct rcr_view *v, const struct rcr_binding *b,
		    struct rcr_workspace *w)
{
	unsigned int k;

	for (k = 0; k < b->operands; k++)
		if (b->sharing[k])
			share_operand(v, b->sharing[k], k, w);
}

/* Fill in the cell of a CPU if some operands are gauges. */
static noinline void accumulate_gauges(const struct rcr_binding *b, const struct rcr_rows *r,
				       u64 *cell)
{
	const u64 *from, *to = r->to;
	unsigned int k, c;

	for (k = 0; k < b->operands; k++) {
		c = b->column[k];
		from = b->gauges >> k & 1 ? r->gauge_from : r->from;
		cell[k] = to[c] - from[c];
		cell[RCR_CELL_TIME + k] = to[b->columns + c] - from[b->columns + c];
	}
}

/* Fill in the cell of a CPU. */
static __always_inline void take_cell(const struct rcr_binding *b, const struct rcr_rows *r,
				      u64 *cell)
{
	const u64 *from = r->from, *to = r->to, *end = cell + b->operands;
	const u8 *column = b->column;
	size_t c, columns = b->columns;

	if (unlikely(b->gauges)) {
		accumulate_gauges(b, r, cell);
		return;
	}
	for (; cell < end; cell++) {
		c = *column++;
		cell[0] = to[c] - from[c];
		c += columns;
		cell[RCR_CELL_TIME] = to[c] - from[c];
	}
}

/* True if a CPU has counted all of @alike for the same time. Most forms have two of them. */
static __always_inline bool is_alike(const struct rcr_binding *b, const u64 *cell)
{
	u64 time = cell[RCR_CELL_TIME + b->alike_first], differs = 0;
	u32 alike = b->alike >> b->alike_first;

	if (likely(b->alike == 3))
		return cell[RCR_CELL_TIME] == cell[RCR_CELL_TIME + 1];
	for (cell += RCR_CELL_TIME + b->alike_first; alike; alike >>= 1, cell++)
		differs |= (*cell ^ time) & -(u64)(alike & 1);
	return !differs;
}

/* Add the counts of @alike in a part, if all of them were counted. */
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
		cell[RCR_CELL_TIME + k] += to[b->columns + c] - from[b->columns + c];
	}
}

/*
 * Counters of a CPU that were not counted in the same parts cannot be related: use only the
 * parts in which all of them were counted.
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
		cell[RCR_CELL_TIME + k] = 0;
	}
	/* A single part, between two samples or marks. */
	if (r->to != h->now) {
		add_alike(b, r->from, r->to, cell);
		return;
	}
	for (mark = r->mark + 1; mark <= h->head; mark++, from = to) {
		to = mark < h->head ? rcr_history_row(h, mark) : h->now;
		add_alike(b, from, to, cell);
	}
}

/* Fill in the cells of an operand for all CPUs of a place. */
static void take_operand(const struct rcr_binding *b, unsigned int k, const struct rcr_rows *r,
			 size_t stride, unsigned int lanes, u64 *cell)
{
	size_t c = b->column[k], time = c + b->columns;
	const void *at = b->gauges >> k & 1 ? &r->gauge_from : &r->from;
	size_t to_offset = (const void *)&r->to - at;
	const u64 *end = cell + RCR_CELL_SIZE * lanes, *from, *to;

	for (; cell < end; cell += RCR_CELL_SIZE, at += stride) {
		from = *(const u64 *const *)at;
		to = *(const u64 *const *)(at + to_offset);
		cell[0] = to[c] - from[c];
		cell[RCR_CELL_TIME] = to[time] - from[time];
	}
}

static void relate_place(const struct rcr_view *v, const struct rcr_binding *b, const void *r,
			 size_t stride, struct rcr_workspace *w)
{
	unsigned int i;

	for (i = 0; i < v->lanes; i++) {
		u64 *cell = w->cell + RCR_CELL_SIZE * i;

		if (unlikely(!is_alike(b, cell)))
			take_alike(b, v->lane[i].history, r + stride * i, cell);
	}
}

/* Fill in the cells of a place; @r has the rows of its first CPU, @stride bytes before the next. */
static noinline void count_place(const struct rcr_view *v, const struct rcr_binding *b,
				 const struct rcr_rows *r, size_t stride,
				 struct rcr_workspace *w)
{
	unsigned int k;

	for (k = 0; k < b->operands; k++)
		take_operand(b, k, r, stride, v->lanes, w->cell + k);
	if (b->alike)
		relate_place(v, b, r, stride, w);
	if (b->shares)
		rcr_view_share(v, b, w);
}

/**
 * rcr_view_count() - fill in the cells with the counts of an interval
 * @v: the view, up to date
 * @b: the meter's form
 * @r: rows of the first CPU in the interval
 * @stride: distance of the rows of two CPUs, bytes
 * @w: workspace; its cells are filled in
 */
void rcr_view_count(const struct rcr_view *v, const struct rcr_binding *b,
		    const struct rcr_rows *r, size_t stride, struct rcr_workspace *w)
{
	/* Most places have a single CPU. */
	if (unlikely(v->lanes != 1)) {
		count_place(v, b, r, stride, w);
		return;
	}
	take_cell(b, r, w->cell);
	if (b->alike && unlikely(!is_alike(b, w->cell)))
		take_alike(b, v->lane->history, r, w->cell);
}
