// SPDX-License-Identifier: GPL-2.0-only
/*
 * evaluate.c - accounts the ticks of all CPUs in a meter, and says what it reads.
 * Section 4 of <linux/rcrboard.h>.
 *
 * Pure: compiled into the unit tests as well.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "evaluate.h"
#include "groups.h"

/**
 * rcr_scratch_init() - makes room to evaluate in
 * @scratch: gets it
 * @lanes: CPUs
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int rcr_scratch_init(struct rcr_scratch *scratch, unsigned int lanes)
{
	size_t n = (size_t)lanes * RCR_FORM_OPERANDS;

	scratch->lane = kvcalloc(lanes, sizeof(*scratch->lane), GFP_KERNEL);
	scratch->delta = kvcalloc(n, sizeof(u64), GFP_KERNEL);
	scratch->cycles = kvcalloc(n, sizeof(u64), GFP_KERNEL);
	if (scratch->lane && scratch->delta && scratch->cycles)
		return 0;
	rcr_scratch_free(scratch);
	return -ENOMEM;
}

void rcr_scratch_free(struct rcr_scratch *scratch)
{
	kvfree(scratch->lane);
	kvfree(scratch->delta);
	kvfree(scratch->cycles);
	memset(scratch, 0, sizeof(*scratch));
}

/* Why a step has no part in a meter; RCR_STATUS_OK when it has. */
static u8 step_status(const struct rcr_meter *m, const struct rcr_step *s)
{
	unsigned int k;

	for (k = 0; k < m->operands; k++) {
		unsigned int operand = m->counter[k];

		if (!((s->ok | s->elsewhere) & BIT_ULL(operand)))
			return s->status[operand];
	}
	return m->uses & s->ok ? RCR_STATUS_OK : RCR_STATUS_ELSEWHERE;
}

/* What is read less often is told whole, as it was read last. Is it new? */
static bool set_cell(struct rcr_meter *m, size_t at, const struct rcr_step *s,
		     unsigned int operand, u64 tick)
{
	struct rcr_counts *cell = &m->window.cell;
	bool seldom = s->seldom & s->ok & BIT_ULL(operand);
	u64 delta = s->delta[operand], cycles = s->cycles[operand];

	if (seldom && !cycles)
		return false;
	if (!seldom) {
		delta = rcr_step_share(delta, s, tick) - rcr_step_share(delta, s, tick - 1);
		cycles = rcr_step_share(cycles, s, tick) - rcr_step_share(cycles, s, tick - 1);
	}
	cell->delta[at] = delta;
	cell->cycles[at] = cycles;
	return true;
}

/* The ticks of a lane's step behind @from, up to @to. Is there something new? */
static bool add_lane(struct rcr_meter *m, unsigned int lane, const struct rcr_step *s,
		     u64 from, u64 to)
{
	struct rcr_window *w = &m->window;
	unsigned int k, operand;
	bool news = false;
	size_t at;

	for (k = 0; k < w->operands; k++) {
		at = (size_t)lane * w->operands + k;
		operand = m->counter[k];
		w->total.delta[at] += rcr_step_share(s->delta[operand], s, to) -
				      rcr_step_share(s->delta[operand], s, from);
		w->total.cycles[at] += rcr_step_share(s->cycles[operand], s, to) -
				       rcr_step_share(s->cycles[operand], s, from);
		news |= set_cell(m, at, s, operand, to);
	}
	return news;
}

/*
 * What a CPU told too late for its ticks is in the window all the same: it begins
 * where the lane was accounted to, but not before the meter does.
 */
static u64 told_up_to(const struct rcr_meter *m, const struct rcr_feed *f)
{
	return max_t(s64, f->accounted, m->window.since);
}

/* Is there something new, in what was counted or in who counts? */
static bool add_span(struct rcr_meter *m, const struct rcr_span *s, u64 from, u64 to,
		     bool first)
{
	unsigned int lane;
	bool news = false;
	u8 status;

	for (lane = 0; lane < m->window.lanes; lane++) {
		const struct rcr_feed *f = &s->feed[lane];

		status = s->present[lane] ? step_status(m, &f->step) : RCR_STATUS_OFFLINE;
		news |= status != m->lane_status[lane];
		m->lane_status[lane] = status;
		if (status == RCR_STATUS_OK)
			news |= add_lane(m, lane, &f->step,
					 first ? told_up_to(m, f) : from - 1, to);
	}
	return news;
}

/* The lanes of a group that have a part, with the counts of @c; how many. */
static unsigned int gather(const struct rcr_meter *m, const struct rcr_group *g,
			   const struct rcr_counts *c, const struct rcr_scratch *scratch)
{
	unsigned int i, n = 0;

	for (i = 0; i < g->lanes; i++) {
		size_t at = (size_t)g->lane[i] * m->window.operands;

		if (m->lane_status[g->lane[i]] != RCR_STATUS_OK)
			continue;
		scratch->lane[n].delta = c->delta + at;
		scratch->lane[n].time = c->cycles + at;
		n++;
	}
	return n;
}

/*
 * Of all that is wrong the first, where nothing else is that a CPU is away, and where
 * not even that is that others read it.
 */
static u32 group_status(const struct rcr_meter *m, const struct rcr_group *g)
{
	u32 status = RCR_STATUS_ELSEWHERE;
	unsigned int i;

	for (i = 0; i < g->lanes; i++) {
		u8 lane = m->lane_status[g->lane[i]];

		if (lane == RCR_STATUS_OK)
			return lane;
		if (status == RCR_STATUS_ELSEWHERE ||
		    (status == RCR_STATUS_OFFLINE && lane != RCR_STATUS_ELSEWHERE))
			status = lane;
	}
	return status;
}

static void see_current(struct rcr_meter *m, struct rcr_instance *i,
			const struct rcr_span *s, struct rcr_scratch *scratch)
{
	unsigned int lanes;
	s64 val;

	i->status = group_status(m, i->group);
	if (i->status != RCR_STATUS_OK)
		return;
	lanes = gather(m, i->group, &m->window.cell, scratch);
	if (rcr_form_value(m->spec.form, scratch->lane, lanes, s->tsc_hz, 1, &val)) {
		i->status = 0;
		return;
	}
	i->current_value = val;
	i->highest = i->valued ? max(i->highest, val) : val;
	i->valued = true;
}

/* What the latest tick has is in the part of the window that it is in. */
static void see_peak(const struct rcr_meter *m, struct rcr_instance *i)
{
	s64 *peak = &i->peak[m->window.newest];

	if (i->status == RCR_STATUS_OK)
		*peak = max(*peak, i->current_value);
}

static void begin_part(struct rcr_meter *m, s64 tick, u64 time)
{
	unsigned int part = rcr_window_mark(&m->window, tick, time), i;

	for (i = 0; i < m->instances; i++)
		m->instance[i].peak[part] = S64_MIN;
}

/**
 * rcr_evaluate_begin() - a meter's history begins, or goes on in another run
 * @m: the meter, which is live
 * @tick: behind which
 * @time: of that tick, CLOCK_MONOTONIC, ns
 * @period: distance of two ticks of the run, ns
 */
void rcr_evaluate_begin(struct rcr_meter *m, s64 tick, u64 time, u64 period)
{
	if (!m->window.marks) {
		rcr_window_clear(&m->window, tick, time);
		return;
	}
	rcr_window_rebase(&m->window, time, tick, period);
	begin_part(m, tick, time);
}

/* Of a span that is longer than the window its last part will do. */
static u64 skip_parts(const struct rcr_meter *m, const struct rcr_span *s, u64 from)
{
	u64 parts = (RCR_WINDOW_MARKS + 1) * m->window.part;

	return s->to - from > 2 * parts ? s->to - parts : from;
}

/**
 * rcr_evaluate_account() - accounts ticks in a meter
 * @m: the meter, which is live
 * @s: the ticks
 * @scratch: for as many lanes as the meter has
 */
void rcr_evaluate_account(struct rcr_meter *m, const struct rcr_span *s,
			  struct rcr_scratch *scratch)
{
	u64 from = s->from, to, long_past = skip_parts(m, s, from);
	bool first = true, news;
	unsigned int i;

	do {
		to = min(s->to, long_past > from ? long_past :
				rcr_window_next(&m->window, from));
		news = add_span(m, s, from, to, first);
		for (i = 0; i < m->instances; i++) {
			if (news || !m->instance[i].valued)
				see_current(m, &m->instance[i], s, scratch);
			see_peak(m, &m->instance[i]);
		}
		if (to % m->window.part == 0)
			begin_part(m, to, s->time - (s->to - to) * s->period);
		first = false;
		from = to + 1;
	} while (from <= s->to);
}

/* What a lane counted in the window. */
static void take_window(const struct rcr_meter *m, unsigned int lane, unsigned int begin,
			const struct rcr_scratch *scratch)
{
	const struct rcr_window *w = &m->window;
	size_t from = (size_t)lane * w->operands, at;

	for (at = from; at < from + w->operands; at++) {
		scratch->delta[at] = w->total.delta[at] - w->mark[begin].delta[at];
		scratch->cycles[at] = w->total.cycles[at] - w->mark[begin].cycles[at];
	}
}

/*
 * CPUs that have read a shared counter one after the other are one: by two of its
 * times it would have two rates.
 */
static void give_to_first(const struct rcr_meter *m, unsigned int lane,
			  const struct rcr_scratch *scratch)
{
	size_t from, to;
	unsigned int k;

	for (k = 0; k < m->operands; k++) {
		if (!m->sharing[k] || m->sharing[k][lane] == lane)
			continue;
		from = (size_t)lane * m->window.operands + k;
		to = (size_t)m->sharing[k][lane] * m->window.operands + k;
		scratch->delta[to] += scratch->delta[from];
		scratch->cycles[to] += scratch->cycles[from];
		scratch->delta[from] = 0;
		scratch->cycles[from] = 0;
	}
}

static bool has_time(const struct rcr_lane *lane, unsigned int operands)
{
	unsigned int k;

	for (k = 0; k < operands; k++)
		if (lane->time[k])
			return true;
	return false;
}

/* What was counted in the window, by the lanes of a group that did; how many. */
static unsigned int gather_window(const struct rcr_meter *m, const struct rcr_group *g,
				  unsigned int begin, const struct rcr_scratch *scratch)
{
	unsigned int i, n = 0;

	for (i = 0; i < g->lanes; i++)
		take_window(m, g->lane[i], begin, scratch);
	for (i = 0; i < g->lanes; i++)
		give_to_first(m, g->lane[i], scratch);
	for (i = 0; i < g->lanes; i++) {
		size_t at = (size_t)g->lane[i] * m->window.operands;

		scratch->lane[n].delta = scratch->delta + at;
		scratch->lane[n].time = scratch->cycles + at;
		n += has_time(&scratch->lane[n], m->window.operands);
	}
	return n;
}

static s64 window_peak(const struct rcr_meter *m, const struct rcr_instance *i,
		       unsigned int begin)
{
	s64 peak = i->peak[begin];
	unsigned int at = begin;

	while (at != m->window.newest) {
		at = (at + 1) % RCR_WINDOW_MARKS;
		peak = max(peak, i->peak[at]);
	}
	return peak == S64_MIN ? i->current_value : peak;
}

/*
 * Of counts the average is what a tick counted, the sum all of it; of a rate the
 * sum is the count; of anything else it is the average. Where nothing was counted
 * the average is what was read last.
 */
static void window_values(const struct rcr_meter *m, const struct rcr_instance *i,
			  const struct rcr_span *s, unsigned int begin,
			  struct rcr_scratch *scratch, struct rcr_board_value *v)
{
	const struct rcr_form *form = m->spec.form;
	bool count = rcr_form_is_count(form);
	u64 ticks = s->to - m->window.tick[begin];
	unsigned int lanes = gather_window(m, i->group, begin, scratch);

	if (!lanes || rcr_form_value(form, scratch->lane, lanes, s->tsc_hz, count ? ticks : 1,
				     &v->average))
		v->average = v->current_value;
	v->sum = v->average;
	if ((count || rcr_form_is_rate(form)) &&
	    (!lanes || rcr_form_value(form, scratch->lane, lanes, 0, 1, &v->sum)))
		v->sum = 0;
}

/**
 * rcr_evaluate_values() - what a meter reads at a place
 * @m: the meter
 * @i: the place
 * @s: the ticks that were accounted last
 * @scratch: for as many lanes as the meter has
 * @v: gets all but what its resource can do
 */
void rcr_evaluate_values(const struct rcr_meter *m, const struct rcr_instance *i,
			 const struct rcr_span *s, struct rcr_scratch *scratch,
			 struct rcr_board_value *v)
{
	unsigned int begin = rcr_window_begin(&m->window, s->to);

	memset(v, 0, sizeof(*v));
	v->current_value = i->current_value;
	v->highest = i->highest;
	v->peak = window_peak(m, i, begin);
	v->time = s->time;
	v->begin = m->window.time[begin];
	v->tsc = s->tsc;
	v->status = i->status;
	window_values(m, i, s, begin, scratch, v);
}
