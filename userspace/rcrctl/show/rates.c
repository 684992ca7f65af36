// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rates.c - current rates of the running counters, from the stream of samples.
 *
 * Keeps the first and the latest sample of each CPU. The rate of a counter on a CPU is its count
 * between these samples, divided by the time between their reads. CPUs without a valid count are
 * left out.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "print/si.h"
#include "show/rates.h"

#define LEAST_NS	250000000ull
#define MOST_NS		2000000000ull
#define PERIODS		3

/**
 * struct samples - samples of one generation
 * @only: the only CPU to keep samples of, or RATES_ALL
 * @ncpus: entries of @first and @last
 * @generation: generation that they belong to
 * @first: first sample of each CPU, or NULL
 * @last: latest sample of each CPU, or NULL
 */
struct samples {
	int only;
	unsigned int ncpus;
	uint32_t generation;
	struct rcr_record **first;
	struct rcr_record **last;
};

static bool keep_sample(struct rcr_record **at, const struct rcr_item *item)
{
	struct rcr_record *copy = malloc(item->size);

	if (!copy)
		return false;
	memcpy(copy, item, item->size);
	free(*at);
	*at = copy;
	return true;
}

static bool take_sample(struct samples *s, const struct rcr_item *item)
{
	if (item->type != RCR_ITEM_SAMPLE || item->cpu >= s->ncpus ||
	    (s->only != RATES_ALL && item->cpu != (uint32_t)s->only))
		return true;
	return keep_sample(s->first[item->cpu] ? &s->last[item->cpu] : &s->first[item->cpu],
			   item);
}

/* Reads for @duration ns; false if the set changes, or memory runs out. */
static bool read_samples(struct rcr_reader *r, struct samples *s, uint64_t duration)
{
	uint64_t end = now_ns() + duration, now;
	const struct rcr_item *item;

	while ((now = now_ns()) < end) {
		if (rcr_next(r, &item, (end - now) / 1000000 + 1) != 1)
			break;
		if (item->generation != s->generation || !take_sample(s, item))
			return false;
	}
	return true;
}

static void sum_rate(const struct rcr_set *set, const struct samples *s, unsigned int i,
		     struct rate *rate)
{
	struct rcr_part part;
	unsigned int cpu;

	for (cpu = 0; cpu < s->ncpus; cpu++) {
		if (!s->first[cpu] || !s->last[cpu] ||
		    !rcr_part(set, s->first[cpu], s->last[cpu], i, &part) || !part.cycles)
			continue;
		rate->known = true;
		rate->per_second += (double)part.count / part.cycles * set->tsc_khz * 1000;
	}
}

static void compute_rates(const struct rcr_set *set, const struct samples *s, struct rates *r)
{
	const struct rcr_counter *c;
	unsigned int i;

	for (i = 0; i < set->ncounters && i < RCR_MAX_COUNTERS; i++) {
		c = rcr_set_counter(set, i);
		snprintf(r->rate[i].name, sizeof(r->rate[i].name), "%s", c->name);
		r->rate[i].unit = c->unit;
		if (!rcr_set_is_gauge(set, i))
			sum_rate(set, s, i, &r->rate[i]);
		r->count++;
	}
}

static void measure_set(struct rcr_reader *reader, int cpu, struct rates *r)
{
	const struct rcr_set *set = rcr_reader_set(reader);
	struct samples s = {
		.only = cpu, .ncpus = set->ncpus, .generation = set->item.generation,
	};
	uint64_t duration = PERIODS * set->period_ns;
	unsigned int i;

	if (duration < LEAST_NS)
		duration = LEAST_NS;
	if (set->error || duration > MOST_NS)
		return;
	s.first = calloc(s.ncpus, sizeof(*s.first));
	s.last = calloc(s.ncpus, sizeof(*s.last));
	if (s.first && s.last && read_samples(reader, &s, duration))
		compute_rates(rcr_reader_set(reader), &s, r);
	for (i = 0; s.first && s.last && i < s.ncpus; i++) {
		free(s.first[i]);
		free(s.last[i]);
	}
	free(s.first);
	free(s.last);
}

void rates_read(struct rates *r, int cpu)
{
	struct rcr_reader *reader = rcr_open(NULL);

	memset(r, 0, sizeof(*r));
	if (reader)
		measure_set(reader, cpu, r);
	rcr_close(reader);
}

const struct rate *rates_find(const struct rates *r, const char *name)
{
	unsigned int i;

	for (i = 0; i < r->count; i++)
		if (r->rate[i].known && !strcmp(r->rate[i].name, name))
			return &r->rate[i];
	return NULL;
}

const char *rate_text(const struct rate *rate, char text[RATE_LEN])
{
	char number[SI_SIZE];

	if (!rate)
		return "-";
	if (rate->unit == RCR_UNIT_NANOJOULE)
		snprintf(text, RATE_LEN, "%.2fW", rate->per_second / 1e9);
	else
		snprintf(text, RATE_LEN, "%s/s", si_format(number, rate->per_second * 10 + 0.5));
	return text;
}
