/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * place_value.h - the values of a meter at a place by the rules of section 9 of
 * Documentation/dev/interface.md, recomputed from the samples of its CPUs and from what
 * an evaluation knew of these.
 */
#ifndef RCR_GUEST_PLACE_VALUE_H
#define RCR_GUEST_PLACE_VALUE_H

#include "exact_form.h"
#include "sample_log.h"

#define KEPT_MARKS	31		/* latest marks of a CPU that an evaluation uses */
#define KEPT_PARTS	32		/* latest parts that an evaluation uses */
#define OVERDUE_NS	10000000ull
#define PROMPT		50		/* samples on either side: some are read on time */
#define SPENT_COLUMN	RCR_MAX_COUNTERS

/**
 * struct lane - the state of a CPU that an evaluation has seen
 * @cpu: number of the CPU
 * @newest: number of its newest sample, or of the mark used instead; LOG_NONE
 * @before: number of the sample before that; LOG_NONE
 * @head: number of marks
 * @away: the CPU was not sampled
 * @next: least time of the next sample, as far as known
 * @next_most: the promised least time was not later than this
 * @first: oldest mark kept; this and the following are filled in by find_window()
 * @partial: there were marks before @first
 * @begin: first mark in the window; @head if there is none
 */
struct lane {
	unsigned int cpu;
	int newest;
	int before;
	int head;
	bool away;
	uint64_t next;
	uint64_t next_most;
	int first;
	bool partial;
	int begin;
};

/**
 * struct place - the state of the CPUs of a place that an evaluation has seen
 * @scale: time scale
 * @run: current run
 * @period: sampling period, ns
 * @hz: TSC frequency
 * @lanes: number of entries of @lane
 * @lane: CPUs of the place
 * @time: end of the window, ns; 0: no sample. This and the following are filled in by find_window()
 * @tsc: TSC of the newest sample
 * @since: the window begins with marks at this time or later, ns
 * @begin: begin of the window, ns
 * @begin_id: number of the part that ends there; UINT64_MAX: no mark is in the window
 * @expected: number of CPUs that were sampled
 * @gauge_values: number of values that a gauge could have on these
 * @complete: latest complete part
 * @gone: latest part that can no longer be evaluated
 */
struct place {
	const struct log_scale *scale;
	unsigned int run;
	uint64_t period;
	uint64_t hz;
	unsigned int lanes;
	struct lane lane[LOG_CPUS];
	uint64_t time;
	uint64_t tsc;
	uint64_t since;
	uint64_t begin;
	uint64_t begin_id;
	unsigned int expected;
	uint64_t gauge_values;
	uint64_t complete;
	uint64_t gone;
};

/**
 * struct bound_form - a form bound to the counters of a run; arrays are indexed by operand
 * @form: the form
 * @column: number of the counter in the run, or SPENT_COLUMN
 * @gauge: totals are values, not counts
 * @slow: readings have timestamps of their own
 * @unit: number of the shared unit by CPU; NULL: each CPU has its own counter
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
 * @has_average: @average is valid; likewise the other has_ members
 * @has_highest_part: a complete part in the window has a value
 * @counted_ns: counted time in the window
 * @status: enum rcr_status
 * @current_status: enum rcr_status of the current value
 * @current_value: value between the two newest samples
 * @average: average over the window
 * @sum: sum over the window
 * @highest_part: highest value of the complete parts in the window
 * @running: value of the part that is not complete
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

static inline const struct log_marks *lane_marks(const struct place *p, const struct lane *l)
{
	return &p->scale->marks[l->cpu];
}

static inline const struct log_sample *lane_sample(const struct lane *l, int i)
{
	return i == LOG_NONE ? NULL : &samples.cpu[l->cpu].sample[i];
}

static inline const struct log_sample *lane_mark(const struct place *p, const struct lane *l,
						 int k)
{
	return lane_sample(l, lane_marks(p, l)->sample[k]);
}

static inline uint64_t part_id(const struct place *p, const struct log_sample *s)
{
	return s->time / p->scale->part;
}

static inline uint64_t mark_id(const struct place *p, const struct lane *l, int k)
{
	return part_id(p, lane_mark(p, l, k));
}

/* Return whether the newest sample is not a mark. */
static inline bool ends_with_sample(const struct place *p, const struct lane *l)
{
	return l->newest != LOG_NONE &&
	       (l->head == l->first || lane_sample(l, l->newest) != lane_mark(p, l, l->head - 1));
}

/* Find the marks that the ring has kept. */
static inline void keep_marks(const struct place *p, struct lane *l)
{
	const struct log_marks *m = lane_marks(p, l);
	int in_ring = m->before + l->head - m->dropped[p->run];
	int kept = in_ring > KEPT_MARKS ? KEPT_MARKS : in_ring;

	l->partial = in_ring > KEPT_MARKS;
	l->first = l->head - kept;
}

static inline void find_end(struct place *p)
{
	unsigned int i;

	p->time = 0;
	p->tsc = 0;
	for (i = 0; i < p->lanes; i++) {
		const struct log_sample *s = lane_sample(&p->lane[i], p->lane[i].newest);

		if (s && s->time > p->time) {
			p->time = s->time;
			p->tsc = s->tsc;
		}
	}
	p->since = p->time > p->scale->ns ? p->time - p->scale->ns : 0;
}

/* Find the marks in the window. Return false if some are from before the log. */
static inline bool begin_lane(struct place *p, struct lane *l)
{
	l->begin = l->head;
	while (l->begin > l->first) {
		if (l->begin == 0)
			return false;
		if (lane_mark(p, l, l->begin - 1)->time < p->since)
			break;
		l->begin--;
	}
	if (l->begin < l->head && lane_mark(p, l, l->begin)->time <= p->begin) {
		p->begin = lane_mark(p, l, l->begin)->time;
		p->begin_id = mark_id(p, l, l->begin);
	}
	if (l->away)
		return true;
	p->expected++;
	p->gauge_values += l->head - l->begin + ends_with_sample(p, l);
	return true;
}

static inline uint64_t longest_part(const struct place *p)
{
	return p->scale->ns > 2 * p->period ? p->scale->ns : 2 * p->period;
}

static inline uint64_t newest_id(const struct place *p, const struct lane *l)
{
	return l->head > l->first && l->head ? mark_id(p, l, l->head - 1) : 0;
}

/* Return the end of the reading of a sample in ns, on the clock of the CPU's TSC. */
static inline uint64_t end_of_reading(const struct place *p, const struct log_sample *s)
{
	return (__uint128_t)s->record->tsc_end * 1000000000 / p->hz;
}

/*
 * Return the end of the reading of a sample on CLOCK_MONOTONIC, as if the promptest of the samples
 * around it had been read on time.
 */
static inline uint64_t clock_of_reading(const struct place *p, const struct log_cpu *c, int i)
{
	int k = i > PROMPT ? i - PROMPT : 0, end = i + PROMPT < c->count ? i + PROMPT : c->count;
	int64_t offset = INT64_MAX, here;

	for (; k < end; k++) {
		here = end_of_reading(p, &c->sample[k]) - c->sample[k].time;
		if (here < offset)
			offset = here;
	}
	return end_of_reading(p, &c->sample[i]) - offset;
}

/* Return the longest time that an evaluation waits for a silent CPU. */
static inline uint64_t longest_wait(const struct place *p)
{
	return 2 * p->scale->part > OVERDUE_NS ? 2 * p->scale->part : OVERDUE_NS;
}

/* Return whether the sample after @i was overdue by more than longest_wait(). */
static inline bool is_silent_after(const struct place *p, const struct log_cpu *c, int i)
{
	return i + 1 >= c->count || clock_of_reading(p, c, i + 1) >
				    c->sample[i].time + p->period + longest_wait(p);
}

/* Return the latest part for which no further mark of the CPU was expected. */
static inline uint64_t lane_horizon(const struct place *p, const struct lane *l, uint64_t next,
				    bool is_overdue)
{
	uint64_t newest = newest_id(p, l), id = next / p->scale->part;
	const struct log_sample *s = lane_sample(l, l->newest);

	if (!l->away && is_overdue)
		return UINT64_MAX;
	if (l->away) {
		if (p->time - (s ? s->time : 0) > longest_part(p))
			return UINT64_MAX;
		id = p->time / p->scale->part;
	}
	return id && id - 1 > newest ? id - 1 : newest;
}

/* Return the latest part that has ended on some CPU. */
static inline uint64_t latest_part(const struct place *p)
{
	uint64_t newest = 0;
	unsigned int i;

	for (i = 0; i < p->lanes; i++)
		if (newest_id(p, &p->lane[i]) > newest)
			newest = newest_id(p, &p->lane[i]);
	return newest;
}

/* Return the latest complete part according to the known promises. */
static inline uint64_t latest_complete(const struct place *p)
{
	uint64_t horizon = latest_part(p), here;
	unsigned int i;

	for (i = 0; i < p->lanes; i++) {
		here = lane_horizon(p, &p->lane[i], p->lane[i].next,
				    p->lane[i].next + longest_wait(p) < p->time);
		if (here < horizon)
			horizon = here;
	}
	return horizon;
}

/*
 * Bound the latest complete part, for all possible promises, and with any silent CPUs waited for or
 * not.
 */
static inline void bound_complete(const struct place *p, uint64_t *least, uint64_t *most)
{
	unsigned int i;

	*least = latest_part(p);
	*most = *least;
	for (i = 0; i < p->lanes; i++) {
		const struct lane *l = &p->lane[i];
		const struct log_sample *s = lane_sample(l, l->newest);
		bool is_silent = s && is_silent_after(p, &samples.cpu[l->cpu], l->newest);
		uint64_t low = lane_horizon(p, l, s ? s->time : 0, false);
		uint64_t high = lane_horizon(p, l, l->next_most, is_silent);

		*least = low < *least ? low : *least;
		*most = high < *most ? high : *most;
	}
}

/* Return the latest part before @id of which some CPU has a mark; 0 if there is none. */
static inline uint64_t part_before(const struct place *p, uint64_t id)
{
	uint64_t latest = 0;
	unsigned int i;
	int k;

	for (i = 0; i < p->lanes; i++) {
		const struct lane *l = &p->lane[i];

		for (k = l->head - 1; k >= l->first && k >= 0; k--)
			if (mark_id(p, l, k) < id)
				break;
		if (k >= l->first && k >= 0 && mark_id(p, l, k) > latest)
			latest = mark_id(p, l, k);
	}
	return latest;
}

/*
 * Find the parts that are gone: a sampled CPU has overwritten their marks, or there are too many.
 */
static inline void find_gone(struct place *p)
{
	uint64_t id = p->complete + 1;
	unsigned int i;

	p->gone = 0;
	for (i = 0; i < p->lanes; i++) {
		const struct lane *l = &p->lane[i];

		if (!l->away && l->partial && l->first >= 0 && l->first < l->head &&
		    mark_id(p, l, l->first) > p->gone)
			p->gone = mark_id(p, l, l->first);
	}
	for (i = 0; i <= KEPT_PARTS && id; i++)
		id = part_before(p, id);
	if (id > p->gone)
		p->gone = id;
}

/**
 * find_window() - find the window of a place and its parts from the states of its CPUs
 * @p: the place
 *
 * Return: false if the window begins before the log.
 */
static inline bool find_window(struct place *p)
{
	unsigned int i;

	for (i = 0; i < p->lanes; i++)
		keep_marks(p, &p->lane[i]);
	find_end(p);
	p->begin = p->time;
	p->begin_id = UINT64_MAX;
	p->expected = 0;
	p->gauge_values = 0;
	for (i = 0; i < p->lanes; i++)
		if (!begin_lane(p, &p->lane[i]))
			return false;
	p->complete = latest_complete(p);
	find_gone(p);
	return true;
}

/* Return the number of a counter of the run in a sample, which may be of an earlier run. */
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

/* Return whether the counter was ok throughout the time between two samples. */
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

/* Return whether an operand is read at every sample, and is not a gauge. */
static inline bool is_steady(const struct bound_form *b, unsigned int k)
{
	return !b->gauge[k] && !b->slow[k];
}

/* Return whether an operand is steady and not shared: all such operands cover the same parts. */
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

/* Add the counts between two samples. Without @from only gauges have a value. */
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

/* Add the counts from mark @k to the newest sample; @inclusive: with the gauges at that mark. */
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

/* Add up shared counters on the first of the CPUs that share them. */
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

/* Return the number of sampling periods in a time, rounded, at least 1. */
static inline uint64_t periods_in(const struct place *p, uint64_t ns)
{
	uint64_t n = ns / p->period;

	n += ns % p->period >= p->period - ns % p->period;
	return n ? n : 1;
}

/* Return the counted part of @ns, by the operand that was counted least. */
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

/*
 * Return whether each sampled CPU, or its unit, was counted for at least @least ns, so that a sum
 * is complete.
 */
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

/* Return the counted time of an operand in the window: the mean of the units that count. */
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

/* Return why a sampled CPU does not count: the status of its first operand that does not. */
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

/*
 * Return the status of the current value. For slow counters that is the one at their last reading.
 */
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

/* Return the first mark of a CPU at which a part ends; LOG_NONE if there is none. */
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

/* Compute the running part, on the CPUs that have a sample since it began. */
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

/* Find the highest of the parts after @since and up to @to that are not gone. */
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

/* Compute all values of a place, after find_window() has succeeded. */
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
