/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * place_value.h - the values of a meter at a place by the rules of section 9 of
 * Documentation/dev/interface.md, each the long way: from the samples in the window of the place.
 */
#ifndef RCR_GUEST_PLACE_VALUE_H
#define RCR_GUEST_PLACE_VALUE_H

#include "exact_form.h"
#include "place_window.h"

#define SPENT_COLUMN	RCR_MAX_COUNTERS

/**
 * struct bound_form - a form and the counters of a run
 * @form: the form
 * @column: by operand: number of the counter in the run, or SPENT_COLUMN
 * @gauge: by operand: its totals are values
 * @slow: by operand: its readings have a time of their own
 * @unit: by operand: what each CPU shares with others; NULL: each has its own
 */
struct bound_form {
	const struct meter_form *form;
	int column[FORM_OPERANDS];
	bool gauge[FORM_OPERANDS];
	bool slow[FORM_OPERANDS];
	const int *unit[FORM_OPERANDS];
};

/**
 * struct place_value - the values of a meter at a place
 * @has_average: there is one; and so on
 * @has_highest_part: a complete part in the window has a value
 * @counted_ns: how much of the window is in the average
 * @status: enum rcr_status
 * @current_status: likewise, of the current value
 * @current_value: between the two newest samples
 * @average: over the window
 * @sum: over the window
 * @highest_part: of the complete parts in the window
 * @running: of the part that is not complete
 */
struct place_value {
	bool has_average;
	bool has_current;
	bool has_highest_part;
	bool has_running;
	uint32_t status;
	uint32_t current_status;
	uint64_t counted_ns;
	int64_t current_value;
	int64_t average;
	int64_t sum;
	int64_t highest_part;
	int64_t running;
};

/* Return the column of a counter in a sample, which may be of an earlier run. */
static inline int column_in(const struct place *p, const struct log_sample *s, int column)
{
	return s->run == p->run ? column : counter_in(s->run, p->run, column);
}

static inline bool is_ok_in(const struct place *p, const struct log_sample *s, int column)
{
	if (column == SPENT_COLUMN)
		return true;
	column = column_in(p, s, column);
	return column != LOG_NONE && sample_status(s, column) == RCR_STATUS_OK;
}

static inline uint64_t total_in(const struct place *p, const struct log_sample *s, int column)
{
	return column == SPENT_COLUMN ? s->record->spent :
					sample_total(s, column_in(p, s, column));
}

/* Return whether everything counts that a counter has counted between two samples. */
static inline bool counts_between(const struct place *p, const struct bound_form *b,
				  unsigned int k, const struct log_sample *from,
				  const struct log_sample *to)
{
	if (to->tsc < from->tsc)
		return false;
	if (b->column[k] == SPENT_COLUMN)
		return true;
	if (b->slow[k] && to->slow_tsc < from->slow_tsc)
		return false;
	return from->record->changes == to->record->changes &&
	       is_ok_in(p, from, b->column[k]) && is_ok_in(p, to, b->column[k]);
}

/* Return whether a counter is read at every sample, and is no gauge. */
static inline bool is_steady(const struct bound_form *b, unsigned int k)
{
	return !b->gauge[k] && !b->slow[k];
}

/* Return whether such a counter belongs to the CPU: all of these are counted in the same parts. */
static inline bool is_own(const struct bound_form *b, unsigned int k)
{
	return is_steady(b, k) && !b->unit[k];
}

static inline bool all_own_count(const struct place *p, const struct bound_form *b,
				 const struct log_sample *from, const struct log_sample *to)
{
	unsigned int k;

	for (k = 0; k < b->form->operands; k++)
		if (is_own(b, k) && !counts_between(p, b, k, from, to))
			return false;
	return true;
}

/*
 * Add what was counted from @from on. If @from is missing nothing was counted, but a gauge has a
 * value.
 */
static inline void add_between(const struct place *p, const struct bound_form *b,
			       struct counted *sum, const struct log_sample *from,
			       const struct log_sample *to)
{
	bool own = from && all_own_count(p, b, from, to);
	unsigned int k;

	if (from && to->tsc >= from->tsc)
		sum->whole += to->tsc - from->tsc;
	for (k = 0; k < b->form->operands; k++) {
		int c = b->column[k];

		if (is_own(b, k) && !own)
			continue;
		if (b->gauge[k]) {
			if (!is_ok_in(p, to, c))
				continue;
			sum->delta[k] += total_in(p, to, c);
			sum->time[k]++;
		} else if (from && counts_between(p, b, k, from, to)) {
			sum->delta[k] += total_in(p, to, c) - total_in(p, from, c);
			sum->time[k] += b->slow[k] ? to->slow_tsc - from->slow_tsc :
						     to->tsc - from->tsc;
		}
	}
}

/* Add from mark @k on to the newest sample, with the gauges of that mark if @inclusive. */
static inline void add_from_mark(const struct place *p, const struct bound_form *b,
				 const struct lane *l, int k, bool inclusive, struct counted *sum)
{
	const struct log_sample *from = NULL;

	if (k < l->head && !inclusive)
		from = lane_mark(p, l, k++);
	for (; k < l->head; k++) {
		add_between(p, b, sum, from, lane_mark(p, l, k));
		from = lane_mark(p, l, k);
	}
	if (ends_with_sample(p, l))
		add_between(p, b, sum, from, lane_sample(l, l->newest));
}

static inline bool is_in_window(const struct place *p, const struct lane *l)
{
	const struct log_sample *s = lane_sample(l, l->newest);

	return s && s->time >= p->since;
}

/* Add up CPUs that share a counter: the first of them gets all of it. */
static inline void add_up_shared(const struct place *p, const struct bound_form *b,
				 struct counted *sum)
{
	unsigned int k, i, j;

	for (k = 0; k < b->form->operands; k++)
		for (i = 0; b->unit[k] && i < p->lanes; i++)
			for (j = i + 1; j < p->lanes; j++) {
				if (b->unit[k][p->lane[i].cpu] != b->unit[k][p->lane[j].cpu])
					continue;
				sum[i].delta[k] += sum[j].delta[k];
				sum[i].time[k] += sum[j].time[k];
				sum[j].delta[k] = 0;
				sum[j].time[k] = 0;
			}
}

/* Return the nearest number of sampling periods in a time, at least one. */
static inline uint64_t periods_in(const struct place *p, uint64_t ns)
{
	uint64_t n = ns / p->period;

	n += ns % p->period >= p->period - ns % p->period;
	return n ? n : 1;
}

/* Return how much of @ns was counted, by the operand that was counted least. */
static inline uint64_t counted_of(const struct place *p, const struct bound_form *b,
				  const struct counted *sum, uint64_t ns)
{
	uint64_t least = ns, here;
	unsigned int k, i;

	for (k = 0; k < b->form->operands; k++) {
		unsigned __int128 time = 0, whole = 0;

		for (i = 0; i < p->lanes && is_steady(b, k); i++) {
			time += sum[i].time[k];
			whole += sum[i].time[k] ? sum[i].whole : 0;
		}
		if (time >= whole)
			continue;
		here = ns * time / whole;
		if (here < least)
			least = here;
	}
	return least;
}

static inline bool value_of_sums(const struct place *p, const struct bound_form *b,
				 struct counted *sum, uint64_t ns, int64_t *val)
{
	uint64_t parts = 1;

	add_up_shared(p, b, sum);
	if (is_count_form(b->form))
		parts = periods_in(p, counted_of(p, b, sum, ns));
	return exact_value(b->form, sum, p->lanes, p->hz, parts, val);
}

/* Return whether a sum over CPUs is complete: each sampled CPU, or its unit, has @least ns. */
static inline bool is_whole_sum(const struct place *p, const struct bound_form *b,
				const struct counted *sum, uint64_t least)
{
	const struct meter_form *f = b->form;
	unsigned __int128 time;
	unsigned int k, i, j;

	if (p->lanes == 1 || f->side[1].terms || f->side[0].reduction != RCR_REDUCE_SUM ||
	    (!is_count_form(f) && !is_rate_form(f)))
		return true;
	for (k = 0; k < f->operands; k++)
		for (i = 0; i < p->lanes && is_steady(b, k); i++) {
			for (time = 0, j = 0; j < p->lanes; j++)
				if (j == i || (b->unit[k] && b->unit[k][p->lane[j].cpu] ==
							     b->unit[k][p->lane[i].cpu]))
					time += sum[j].time[k];
			if (!p->lane[i].away &&
			    (!time || time * 1000000000 / p->hz < least))
				return false;
		}
	return true;
}

/* Return how long an operand was counted in the window, as its share on each unit that counts. */
static inline uint64_t operand_time(const struct place *p, const struct bound_form *b,
				    unsigned int k, const struct counted *sum)
{
	uint64_t window = p->time - p->begin, units = p->expected;
	unsigned __int128 time = 0;
	unsigned int i, j;

	for (i = 0; i < p->lanes; i++)
		time += sum[i].time[k];
	if (b->unit[k] && p->lanes > 1) {
		for (units = 0, i = 0; i < p->lanes; i++) {
			for (j = 0; j < i; j++)
				if (!p->lane[j].away && b->unit[k][p->lane[j].cpu] ==
							b->unit[k][p->lane[i].cpu])
					break;
			units += j == i && !p->lane[i].away;
		}
	}
	if (!units)
		return 0;
	if (b->gauge[k])
		return !p->gauge_values ? 0 : time * p->expected * window /
					      ((unsigned __int128)p->gauge_values * units);
	return time * 1000000000 / ((unsigned __int128)p->hz * units);
}

/* Return why a sampled CPU does not count: the status of the first of its operands. */
static inline uint32_t lane_status(const struct place *p, const struct bound_form *b,
				   const struct lane *l)
{
	const struct log_sample *s = lane_sample(l, l->newest);
	uint32_t status = RCR_STATUS_ELSEWHERE, here;
	unsigned int k;

	if (l->away)
		return RCR_STATUS_OFFLINE;
	for (k = 0; k < b->form->operands; k++) {
		int c = b->column[k];

		here = RCR_STATUS_OK;
		if (!s) {
			here = RCR_STATUS_GAP;
		} else if (c != SPENT_COLUMN) {
			c = column_in(p, s, c);
			here = c == LOG_NONE ? 0 : sample_status(s, c);
		}
		if (!here)
			here = RCR_STATUS_GAP;
		if (here == RCR_STATUS_OK)
			status = here;
		else if (here != RCR_STATUS_ELSEWHERE)
			return here;
	}
	return status;
}

/* Return the status of a place of which less than half was counted. */
static inline uint32_t place_status(const struct place *p, const struct bound_form *b)
{
	bool counts = false, offline = false;
	unsigned int i;
	uint32_t here;

	if (!p->expected)
		return RCR_STATUS_OFFLINE;
	for (i = 0; i < p->lanes; i++) {
		here = lane_status(p, b, &p->lane[i]);
		if (here == RCR_STATUS_OK)
			counts = true;
		else if (here == RCR_STATUS_OFFLINE)
			offline = true;
		else if (here != RCR_STATUS_ELSEWHERE)
			return here;
	}
	return counts ? RCR_STATUS_GAP : offline ? RCR_STATUS_OFFLINE : RCR_STATUS_ELSEWHERE;
}

static inline void judge_window(const struct place *p, const struct bound_form *b,
				struct place_value *v)
{
	uint64_t window = p->time - p->begin, here;
	struct counted sum[LOG_CPUS];
	unsigned int i, k;

	memset(sum, 0, p->lanes * sizeof(sum[0]));
	for (i = 0; i < p->lanes; i++)
		if (p->lane[i].begin < p->lane[i].head || is_in_window(p, &p->lane[i]))
			add_from_mark(p, b, &p->lane[i], p->lane[i].begin, true, &sum[i]);
	v->has_average = value_of_sums(p, b, sum, window, &v->average);
	v->counted_ns = window;
	for (k = 0; k < b->form->operands; k++) {
		here = operand_time(p, b, k, sum);
		if (here < v->counted_ns)
			v->counted_ns = here;
	}
	v->sum = v->average;
	if (is_count_form(b->form) || is_rate_form(b->form))
		if (!v->has_average || !exact_value(b->form, sum, p->lanes, 0, 1, &v->sum))
			v->sum = 0;
	v->status = v->has_average ? RCR_STATUS_OK : 0;
	if (!p->expected || v->counted_ns < window - window / 2 ||
	    (!window && !v->has_average) || !is_whole_sum(p, b, sum, window - window / 2))
		v->status = place_status(p, b);
}

/* Counters that are read slowly have as current value that of their last reading. */
static inline uint32_t status_of_now(const struct place *p, const struct bound_form *b)
{
	uint32_t status = place_status(p, b);
	unsigned int k;

	for (k = 0; k < b->form->operands; k++)
		if (status == RCR_STATUS_GAP && b->slow[k])
			return RCR_STATUS_OK;
	return status;
}

static inline bool was_counted(const struct place *p, const struct bound_form *b,
			       const struct counted *sum)
{
	unsigned int k, i;

	for (k = 0; k < b->form->operands; k++) {
		for (i = 0; i < p->lanes && !sum[i].time[k]; i++)
			;
		if (i == p->lanes)
			return false;
	}
	return true;
}

static inline void judge_current(const struct place *p, const struct bound_form *b,
				 struct place_value *v)
{
	uint64_t least = UINT64_MAX;
	struct counted sum[LOG_CPUS];
	unsigned int i;

	memset(sum, 0, p->lanes * sizeof(sum[0]));
	for (i = 0; i < p->lanes; i++) {
		const struct lane *l = &p->lane[i];
		const struct log_sample *from = lane_sample(l, l->before);
		const struct log_sample *to = lane_sample(l, l->newest);

		if (l->away || !is_in_window(p, l))
			continue;
		add_between(p, b, &sum[i], from, to);
		if (from && to->time - from->time < least)
			least = to->time - from->time;
	}
	v->has_current = value_of_sums(p, b, sum, least == UINT64_MAX ? 0 : least,
				       &v->current_value);
	v->current_status = RCR_STATUS_OK;
	if (!v->has_current && was_counted(p, b, sum))
		v->current_status = 0;
	else if (!v->has_current || !is_whole_sum(p, b, sum, 1))
		v->current_status = status_of_now(p, b);
}

/* Return the first mark of a CPU with which a part ends; LOG_NONE if there is none. */
static inline int end_of_part(const struct place *p, const struct lane *l, uint64_t id)
{
	int k, found = LOG_NONE;

	for (k = l->head - 1; k >= l->first && k >= 0 && mark_id(p, l, k) >= id; k--)
		if (mark_id(p, l, k) == id)
			found = k;
	return found;
}

/* Compute the value of a complete part. */
static inline bool part_value(const struct place *p, const struct bound_form *b, uint64_t id,
			      int64_t *val)
{
	const struct log_sample *from, *to;
	uint64_t least = UINT64_MAX;
	struct counted sum[LOG_CPUS];
	unsigned int i;
	int k;

	memset(sum, 0, p->lanes * sizeof(sum[0]));
	for (i = 0; i < p->lanes; i++) {
		k = end_of_part(p, &p->lane[i], id);
		if (k == LOG_NONE || (!k && p->lane[i].first < 0))
			continue;
		to = lane_mark(p, &p->lane[i], k);
		from = k > p->lane[i].first ? lane_mark(p, &p->lane[i], k - 1) : NULL;
		if (from && to->time - from->time > longest_part(p))
			continue;
		add_between(p, b, &sum[i], from, to);
		if (from && to->time - from->time < least)
			least = to->time - from->time;
	}
	return value_of_sums(p, b, sum, least == UINT64_MAX ? 0 : least, val);
}

/* Judge the part after the latest complete one, on CPUs with a sample since it began. */
static inline void judge_running(const struct place *p, const struct bound_form *b,
				 struct place_value *v)
{
	uint64_t least = UINT64_MAX, time;
	struct counted sum[LOG_CPUS];
	unsigned int i;
	int k;

	memset(sum, 0, p->lanes * sizeof(sum[0]));
	for (i = 0; i < p->lanes; i++) {
		const struct lane *l = &p->lane[i];
		const struct log_sample *s = lane_sample(l, l->newest);

		if (l->away || !is_in_window(p, l) || s->time / p->scale->part < p->complete)
			continue;
		for (k = l->head; k > l->first && k && mark_id(p, l, k - 1) > p->complete; k--)
			;
		add_from_mark(p, b, l, k > l->first && k ? k - 1 : k, k == l->first, &sum[i]);
		if (l->head == l->first)
			continue;
		time = s->time - lane_mark(p, l, k > l->first && k ? k - 1 : k)->time;
		if (time && time < least)
			least = time;
	}
	v->has_running = value_of_sums(p, b, sum, least == UINT64_MAX ? 0 : least, &v->running);
}

/* Find the highest of the parts after @since up to @to that are not gone. */
static inline bool highest_part(const struct place *p, const struct bound_form *b,
				uint64_t since, uint64_t to, int64_t *highest)
{
	bool found = false;
	uint64_t id = to + 1;
	int64_t val;

	if (since < p->gone)
		since = p->gone;
	while ((id = part_before(p, id)) > since) {
		if (!part_value(p, b, id, &val))
			continue;
		if (!found || val > *highest)
			*highest = val;
		found = true;
	}
	return found;
}

/* Judge all values, once find_window() has succeeded. */
static inline void judge_place(const struct place *p, const struct bound_form *b,
			       struct place_value *v)
{
	memset(v, 0, sizeof(*v));
	judge_window(p, b, v);
	judge_current(p, b, v);
	judge_running(p, b, v);
	v->has_highest_part = highest_part(p, b, p->begin_id, p->complete, &v->highest_part);
}

#endif
