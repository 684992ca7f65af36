// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * estimates.c - estimates a job's share of the counts of CPUs that it shares with other tasks.
 *
 * Uses the estimator of common/estimate.c, with its V, M and d_i, for each event that every CPU
 * counts itself, and the same samples as the totals in rate.c. Where a sample was lost or cannot be
 * attributed, any part of the adjacent counts may be the job's: M grows by all of them.
 *
 * Turns that no sample hits add to the error, too:
 * - A turn that exactly one sample hits, of another task between two samples of the job or the
 *   reverse, is short. Similar turns may fit between two samples, and may count TURN_RATE times as
 *   fast as the other task: the d_i on both sides are weighted in M accordingly.
 * - If UNSEEN_TURNS samples of other tasks are expected, there may be none by chance: V of each CPU
 *   with a sample of the job grows by the square of UNSEEN_TURNS times its mean d_i. So even a
 *   job that is alone on a CPU has the error of two samples.
 *
 * Pure: no input, no output, no clock. Also compiled into the unit tests.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/estimates.h"

/* How much faster than the rest of the CPU's work a task in single samples may count. */
#define TURN_RATE	3
/* Samples of other tasks that may be missing by chance. */
#define UNSEEN_TURNS	2

/* Returns 0, or -1 with errno ENOMEM; estimates_free() is needed in any case. */
int estimates_init(struct estimates *s, unsigned int ncpus)
{
	*s = (struct estimates){
		.ncpus = ncpus,
		.task = calloc(ncpus + 1, sizeof(*s->task)),
		.earlier = calloc(ncpus + 1, sizeof(*s->earlier)),
		.has_record = calloc(ncpus + 1, sizeof(*s->has_record)),
		.torn = calloc(ncpus + 1, sizeof(*s->torn)),
		.own = calloc(ncpus + 1, sizeof(*s->own)),
	};
	return s->task && s->earlier && s->has_record && s->torn && s->own ? 0 : -1;
}

void estimates_free(struct estimates *s)
{
	unsigned int i;

	for (i = 0; i < RATE_EVENTS; i++)
		free(s->cell[i]);
	free(s->record);
	free(s->task);
	free(s->earlier);
	free(s->has_record);
	free(s->torn);
	free(s->own);
	*s = (struct estimates){ };
}

/**
 * estimates_set() - begin to read the records of a set
 * @s: the estimates
 * @set: the set, which must outlive its records
 *
 * Returns 0, or -1 with errno ENOMEM.
 */
int estimates_set(struct estimates *s, const struct rcr_set *set)
{
	char *record = realloc(s->record, (s->ncpus + 1ul) * set->record_size);

	if (!record)
		return -1;
	s->record = record;
	s->set = set;
	memset(s->has_record, 0, s->ncpus * sizeof(*s->has_record));
	return 0;
}

/* True if each CPU counts the event in its samples. */
bool estimates_has(const struct rate_event *e)
{
	return e->scope == RCR_SCOPE_CPU && !e->gauge && !e->slow;
}

static const struct rcr_record *latest_sample(const struct estimates *s, unsigned int cpu)
{
	return (const struct rcr_record *)(s->record + (size_t)cpu * s->set->record_size);
}

/* True if of three consecutive samples only the middle one hit a turn, of the job or of others. */
static bool is_short_turn(enum estimates_task before, enum estimates_task task,
			  enum estimates_task after)
{
	if (task == ESTIMATES_OTHER)
		return before == ESTIMATES_OWN && after == ESTIMATES_OWN;
	return task == ESTIMATES_OWN && before != ESTIMATES_OWN && after != ESTIMATES_OWN;
}

/* Adds the counts of one counter of a CPU from its latest sample to @record. */
static void add_estimate(struct estimates *s, unsigned int event, unsigned int counter,
			 const struct rcr_record *record, enum estimates_task task)
{
	unsigned int cpu = record->item.cpu;
	const struct rcr_record *before = latest_sample(s, cpu);
	struct estimates_cell *cell;
	struct rcr_part part;

	if (!s->cell[event])
		s->cell[event] = calloc(s->ncpus + 1, sizeof(*cell));
	if (!s->cell[event]) {
		s->failed = true;
		return;
	}
	cell = &s->cell[event][cpu];
	if (!rcr_part(s->set, before, record, counter, &part)) {
		cell->broken = true;
		return;
	}
	estimate_add(&cell->own, &cell->all, part.count, s->task[cpu] == ESTIMATES_OWN,
		     task == ESTIMATES_OWN);
	if (s->torn[cpu] || s->task[cpu] == ESTIMATES_UNSURE || task == ESTIMATES_UNSURE)
		cell->own.mixed += part.count;
	if (cell->all.samples && is_short_turn(s->earlier[cpu], s->task[cpu], task))
		cell->own.mixed += (TURN_RATE - 1) * (cell->all.before + part.count) / 2;
	estimate_add_cpu(&cell->all, part.count);
}

static void add_estimates(struct estimates *s, const struct rate_run *r,
			  const struct rcr_record *record, enum estimates_task task)
{
	unsigned int i, cpu = record->item.cpu;

	if (s->has_record[cpu] && record->time <= latest_sample(s, cpu)->time)
		return;
	for (i = 0; s->has_record[cpu] && i < s->set->ncounters; i++)
		if (r->of_counter[i] < RATE_EVENTS && estimates_has(&r->event[r->of_counter[i]]))
			add_estimate(s, r->of_counter[i], i, record, task);
	/* The first sample has no counts before it. */
	s->own[cpu] += s->has_record[cpu] && task == ESTIMATES_OWN;
	memcpy(s->record + (size_t)cpu * s->set->record_size, record, s->set->record_size);
	s->has_record[cpu] = true;
	s->torn[cpu] = false;
	s->earlier[cpu] = s->task[cpu];
	s->task[cpu] = task;
}

/**
 * estimates_add() - add an item of the stream
 * @s: the estimates, after estimates_set() with the set of the item
 * @r: the run, after rate_set() with the same set
 * @item: the item; only losses and samples newer than the latest one count
 * @task: what the sample interrupted
 */
void estimates_add(struct estimates *s, const struct rate_run *r, const struct rcr_item *item,
		   enum estimates_task task)
{
	const struct rcr_record *record = (const struct rcr_record *)item;

	if (item->cpu >= s->ncpus || item->generation != s->set->item.generation)
		return;
	if (item->type == RCR_ITEM_LOST)
		s->torn[item->cpu] = true;
	if (item->type != RCR_ITEM_SAMPLE || item->size != s->set->record_size ||
	    record->time < r->begin || record->time > r->end)
		return;
	add_estimates(s, r, record, task);
}

/* Sums up the CPUs of the run; returns false if the count of one is unknown. */
static bool sum_cells(const struct estimates *s, const struct rate_run *r, unsigned int event,
		      struct estimates_sum *sum, uint64_t *own)
{
	const struct estimates_cell *cell;
	double variance = 0, mixed = 0, mean;
	bool broken = false;
	unsigned int cpu;

	for (cpu = 0; cpu < s->ncpus; cpu++) {
		cell = &s->cell[event][cpu];
		if (!rate_has(r, event, cpu))
			continue;
		broken |= cell->broken;
		*own += s->own[cpu];
		if (!cell->all.samples)
			continue;
		sum->count += cell->own.count;
		mean = UNSEEN_TURNS * cell->all.count / cell->all.samples;
		variance += estimate_variance(&cell->own, &cell->all);
		variance += s->own[cpu] ? mean * mean : 0;
		mixed += cell->own.mixed;
	}
	sum->error = sqrt(variance + mixed * mixed);
	return !broken;
}

/**
 * estimates_sum() - estimate the job's share of an event
 * @s: the estimates
 * @r: the run
 * @event: index of the event
 */
struct estimates_sum estimates_sum(const struct estimates *s, const struct rate_run *r,
				   unsigned int event)
{
	struct estimates_sum sum = { };
	uint64_t own = 0;

	if (!estimates_has(&r->event[event]))
		sum.reason = ESTIMATES_SHARED;
	else if (!s->cell[event])
		sum.reason = s->failed ? ESTIMATES_BROKEN : ESTIMATES_UNSEEN;
	else if (!sum_cells(s, r, event, &sum, &own))
		sum.reason = ESTIMATES_BROKEN;
	else if (!own)
		sum.reason = ESTIMATES_UNSEEN;
	else if (!(sum.error <= ESTIMATE_ERROR_MOST * sum.count))
		sum.reason = ESTIMATES_ERROR;
	return sum;
}

const char *estimates_reason_text(enum estimates_reason reason)
{
	switch (reason) {
	case ESTIMATES_SHARED:
		return "it is not counted by each CPU in its samples";
	case ESTIMATES_UNSEEN:
		return "no sample interrupted its processes";
	case ESTIMATES_BROKEN:
		return "it was not counted all the time";
	case ESTIMATES_ERROR:
		return "its standard error is more than 10 %";
	default:
		return "";
	}
}
