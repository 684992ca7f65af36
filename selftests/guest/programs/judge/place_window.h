/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * place_window.h - the window of a place and its parts by the rules of section 9 of
 * Documentation/dev/interface.md: from the samples of its CPUs, and what an evaluation
 * knew of them.
 */
#ifndef RCR_GUEST_PLACE_WINDOW_H
#define RCR_GUEST_PLACE_WINDOW_H

#include "sample_log.h"

#define KEPT_MARKS	31		/* of a CPU and a time scale that an evaluation uses */
#define KEPT_PARTS	32		/* of a place */
#define OVERDUE_NS	10000000ull
#define PROMPT		50		/* samples, of which one is read when it is due */

/**
 * struct lane - what an evaluation knew of a CPU
 * @cpu: its number
 * @newest: number of its newest sample, or of the mark that stands for it; LOG_NONE
 * @before: that of the one before; LOG_NONE
 * @head: marks that it had
 * @away: it was not sampled
 * @next: no sample with an earlier time was to come, as far as it is known
 * @next_most: that time was not later
 * @first: the oldest mark that was kept; from here on filled in by find_window()
 * @partial: there were marks before that
 * @begin: the first mark in the window; @head: there is none
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
 * struct place - what an evaluation knew of the CPUs of a place
 * @scale: the time scale
 * @run: that was sampled
 * @period: of the sampling, ns
 * @hz: TSC cycles in a second
 * @lanes: entries of @lane
 * @lane: its CPUs
 * @time: end of the window, ns; 0: there is no sample. From here on filled in by
 *	find_window()
 * @tsc: TSC of the newest sample
 * @since: the window begins with marks from that time on, ns
 * @begin: of the window, ns
 * @begin_id: number of the part that ends there; UINT64_MAX: no mark is in the window
 * @expected: CPUs that were sampled
 * @gauge_values: values that a gauge could have on these
 * @complete: the latest part that is complete
 * @gone: the latest part that cannot be evaluated any more
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

/* Select the marks that were kept among all marks. */
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

/* Find the marks in the window; return false if it has marks from before the log. */
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

/* Return when the reading of a sample ended, in ns by its CPU's TSC. */
static inline uint64_t end_of_reading(const struct place *p, const struct log_sample *s)
{
	return (__uint128_t)s->record->tsc_end * 1000000000 / p->hz;
}

/*
 * Return the same on CLOCK_MONOTONIC: the promptest of the samples around it was read
 * when it was due.
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

/* Return how long an evaluation waits for a silent CPU. */
static inline uint64_t longest_wait(const struct place *p)
{
	return 2 * p->scale->part > OVERDUE_NS ? 2 * p->scale->part : OVERDUE_NS;
}

/* Return whether a CPU was overdue by so much, by the clock, before its next sample. */
static inline bool is_silent_after(const struct place *p, const struct log_cpu *c, int i)
{
	return i + 1 >= c->count || clock_of_reading(p, c, i + 1) >
				    c->sample[i].time + p->period + longest_wait(p);
}

/* Return the latest part of which the CPU had no mark to come, or was not waited for any more. */
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

/* Return the latest part that was known completely, by the promises that were known. */
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

/* Bound that part, for any possible promises and overdue CPUs: it is between @least and @most. */
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

/* Find the parts whose marks are gone on a sampled CPU, or that are too many. */
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
 * find_window() - the window of a place, and its parts, from the knowledge of its CPUs
 * @p: the place
 *
 * Return: false: some of it is from before the log.
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

#endif
