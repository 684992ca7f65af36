/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tracks.h - what the samples of each CPU say of a quantity: in a tick, and in a span of
 * ticks. By section 9 of Documentation/interface.md, in double.
 */
#ifndef RCR_GUEST_TRACKS_H
#define RCR_GUEST_TRACKS_H

#include "history.h"
#include "machine.h"
#include "quantity.h"

/* What came later than that meters may not have waited for, if they were hurried. */
#define PATIENCE_NS	200000000ull

/**
 * struct track - what a CPU's samples of a run say of a quantity
 * @n: samples
 * @tick: of each
 * @counted: is what lies between it and the one before in the quantity?
 * @late: did it come so late that meters may not have waited?
 * @count: of each term, from the first sample up to this one
 * @cycles: likewise, in how much time; of a temperature in how many ticks
 */
struct track {
	unsigned int n;
	uint64_t *tick;
	bool *counted;
	bool *late;
	double *count[TERMS];
	double *cycles[TERMS];
};

/**
 * struct share - what a CPU has in an interval
 * @in: does it take part?
 * @unsure: might meters have seen it otherwise?
 * @cuts: ends of the interval that lie between two samples
 * @count: by term
 * @cycles: by term
 */
struct share {
	bool in, unsure;
	unsigned int cuts;
	double count[TERMS];
	double cycles[TERMS];
};

static const struct quantity *quantity;
static const struct term *term[TERMS];
static unsigned int terms, terms_above;
static int column[RUNS][TERMS];	/* of each term in the set of a run */
static int unit[TERMS][CPUS];		/* what a CPU shares for it */
static bool seldom[TERMS];
static bool told[RUNS];			/* is it? */
static struct track tracks[RUNS][CPUS];

static bool has_all(const struct run *run, const struct quantity *q)
{
	const struct term *t;

	for (t = q->above; t->counter; t++)
		if (find_counter(run, t->counter) < 0)
			return false;
	for (t = q->below; t->counter; t++)
		if (find_counter(run, t->counter) < 0)
			return false;
	return true;
}

/* The way in which a run has counters for it; NULL: in none. */
static const struct quantity *way_of(const struct run *run, const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(quantities) / sizeof(quantities[0]); i++)
		if (is_called(&quantities[i], name) && has_all(run, &quantities[i]))
			return &quantities[i];
	return NULL;
}

static void list_terms(const struct quantity *q)
{
	const struct term *t;

	terms = 0;
	for (t = q->above; t->counter; t++)
		term[terms++] = t;
	terms_above = terms;
	for (t = q->below; t->counter; t++)
		term[terms++] = t;
}

/* Who shares it, and is it read at each tick? All runs have it alike. */
static void look_at_counter(unsigned int n, unsigned int k)
{
	int c = find_counter(&runs[n], term[k]->counter);
	unsigned int cpu;

	for (cpu = 0; cpu < CPUS; cpu++)
		unit[k][cpu] = unit_of(cpu, counters_of(runs[n].set)[c].scope);
	seldom[k] = runs[n].set->slow >> c & 1;
	column[n][k] = c;
}

/* Runs may have it in two ways, of as many terms. */
static bool find_quantity(const char *name)
{
	const struct quantity *way;
	unsigned int n, k;

	quantity = NULL;
	for (n = 0; n < run_count; n++) {
		way = way_of(&runs[n], name);
		told[n] = way;
		if (!way)
			continue;
		quantity = way;
		list_terms(way);
		for (k = 0; k < terms; k++)
			look_at_counter(n, k);
	}
	return quantity;
}

static uint8_t status_of(const struct run *run, const struct rcr_record *r, int counter)
{
	return statuses_of(run->set, r)[counter];
}

/* From one sample to the next: is everything counted, by this CPU or another? */
static bool is_counted(const struct run *run, const struct rcr_record *before,
		       const struct rcr_record *r)
{
	bool any = false;
	unsigned int k;

	for (k = 0; k < terms; k++) {
		int c = column[run - runs][k];
		uint8_t now = status_of(run, r, c);

		if (now == RCR_STATUS_ELSEWHERE)
			continue;
		if (now != RCR_STATUS_OK ||
		    (quantity->sort != HOTTEST && status_of(run, before, c) != RCR_STATUS_OK))
			return false;
		any = true;
	}
	return any;
}

static void add_step(const struct run *run, struct track *t, unsigned int i,
		     const struct rcr_record *before, const struct rcr_record *r)
{
	unsigned int k;

	t->counted[i] = is_counted(run, before, r);
	t->late[i] = t->counted[i] && r->time + r->late - before->time > PATIENCE_NS;
	for (k = 0; k < terms; k++) {
		int c = column[run - runs][k];
		double delta = 0, cycles = 0;

		if (t->counted[i] && status_of(run, r, c) == RCR_STATUS_OK) {
			delta = r->value[c] - before->value[c];
			cycles = read_at(run, r, c) - read_at(run, before, c);
			if (quantity->sort == HOTTEST) {
				cycles = r->tick - before->tick;
				delta = cycles * r->value[c];
			}
		}
		t->count[k][i] = t->count[k][i - 1] + delta;
		t->cycles[k][i] = t->cycles[k][i - 1] + cycles;
	}
}

static void free_track(struct track *t)
{
	unsigned int k;

	for (k = 0; k < TERMS; k++) {
		free(t->count[k]);
		free(t->cycles[k]);
	}
	free(t->tick);
	free(t->counted);
	free(t->late);
	memset(t, 0, sizeof(*t));
}

static void make_track(const struct run *run, unsigned int cpu, struct track *t)
{
	unsigned int k, i, n = run->samples[cpu];

	free_track(t);
	if (!n || !told[run - runs])
		return;
	t->n = n;
	t->tick = calloc(n, sizeof(*t->tick));
	t->counted = calloc(n, sizeof(*t->counted));
	t->late = calloc(n, sizeof(*t->late));
	for (k = 0; k < terms; k++) {
		t->count[k] = calloc(n, sizeof(double));
		t->cycles[k] = calloc(n, sizeof(double));
	}
	for (i = 0; i < n; i++) {
		t->tick[i] = run->sample[cpu][i]->tick;
		if (i)
			add_step(run, t, i, run->sample[cpu][i - 1], run->sample[cpu][i]);
	}
}

/* The first sample at or behind a tick; n: none is. */
static unsigned int sample_at(const struct track *t, uint64_t tick)
{
	unsigned int low = 0, high = t->n, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (t->tick[middle] < tick)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Adds @sign times what was counted up to a tick: samples share equally among ticks. */
static void add_up_to(const struct track *t, uint64_t tick, int sign, struct share *s)
{
	unsigned int i = sample_at(t, tick), k;
	double part;

	if (!t->n || !i)
		return;
	if (i == t->n)
		tick = t->tick[--i];
	part = (double)(tick - t->tick[i - 1]) / (t->tick[i] - t->tick[i - 1]);
	if (tick < t->tick[i]) {
		s->cuts++;
		s->unsure |= t->late[i];
	}
	for (k = 0; k < terms; k++) {
		s->count[k] += sign * (t->count[k][i - 1] +
				       part * (t->count[k][i] - t->count[k][i - 1]));
		s->cycles[k] += sign * (t->cycles[k][i - 1] +
					part * (t->cycles[k][i] - t->cycles[k][i - 1]));
	}
}

/* Of a CPU, behind @begin up to @end: what lies between two runs is in none. */
static struct share share_of_span(unsigned int cpu, const struct moment *begin,
				  const struct moment *end)
{
	struct share s = { .in = false };
	unsigned int n, k;

	for (n = begin->run; n <= end->run; n++) {
		const struct track *t = &tracks[n][cpu];

		add_up_to(t, n == end->run ? end->tick : UINT64_MAX, 1, &s);
		if (n == begin->run)
			add_up_to(t, begin->tick, -1, &s);
	}
	for (k = 0; k < terms; k++)
		s.in |= s.cycles[k] > 0;
	return s;
}

/* Of what is read less often: as it was read last. */
static void take_last_reading(const struct track *t, unsigned int i, unsigned int k,
			      struct share *s)
{
	for (; i; i--) {
		s->cycles[k] = t->cycles[k][i] - t->cycles[k][i - 1];
		s->count[k] = t->count[k][i] - t->count[k][i - 1];
		if (s->cycles[k] > 0)
			return;
	}
	s->unsure = true;
}

static struct share share_of_tick(unsigned int cpu, unsigned int run, uint64_t tick)
{
	const struct track *t = &tracks[run][cpu];
	struct share s = { .in = false };
	unsigned int i = sample_at(t, tick), k;
	double ticks;

	if (!t->n || !i || i == t->n)
		return s;
	s.in = t->counted[i];
	s.unsure = t->late[i];
	ticks = t->tick[i] - t->tick[i - 1];
	s.cuts = ticks > 1 ? 2 : 0;
	for (k = 0; k < terms; k++) {
		if (seldom[k] && quantity->sort != HOTTEST) {
			if (s.in)
				take_last_reading(t, i, k, &s);
			continue;
		}
		s.count[k] = (t->count[k][i] - t->count[k][i - 1]) / ticks;
		s.cycles[k] = (t->cycles[k][i] - t->cycles[k][i - 1]) / ticks;
	}
	return s;
}

#endif
