// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rate.c - computes the counts of a set of CPUs between two points in time.
 *
 * A count is the sum of the differences between the totals of consecutive samples of a CPU. The
 * total of a counter does not change while its status is not ok.
 *
 * A counter that CPUs share is read by one of them, and has the status "elsewhere" on the others.
 * A CPU's total covers only what that CPU has read, so the sum over all CPUs of the unit is right
 * even if another CPU takes over the reading.
 *
 * Time is measured in TSC cycles. The time between two consecutive samples counts if the counter
 * was ok in both, and at every tick between them.
 *
 * Pure: no input, no output, no clock. Also compiled into the unit tests.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "math/rate.h"

/**
 * rate_init() - prepare a run
 * @r: the run
 * @ncpus: more than the highest number of a CPU
 *
 * By default all CPUs belong to the run, and none shares a counter: the caller may change @wanted
 * and @shares. Samples are ignored until the caller sets @r->begin.
 *
 * Returns 0, or -1 with errno ENOMEM; rate_free() is needed in any case.
 */
int rate_init(struct rate_run *r, unsigned int ncpus)
{
	unsigned int scope, cpu;

	*r = (struct rate_run){
		.ncpus = ncpus,
		.begin = UINT64_MAX, .end = UINT64_MAX,
		.wanted = calloc(ncpus + 1, sizeof(*r->wanted)),
		.cpu = calloc(ncpus + 1, sizeof(*r->cpu)),
	};
	if (!r->wanted || !r->cpu)
		return -1;
	memset(r->wanted, true, ncpus);
	for (scope = 0; scope < RATE_SCOPES; scope++) {
		r->shares[scope].first = calloc(ncpus + 1, sizeof(unsigned int));
		if (!r->shares[scope].first)
			return -1;
		for (cpu = 0; cpu < ncpus; cpu++)
			r->shares[scope].first[cpu] = cpu;
	}
	return 0;
}

void rate_free(struct rate_run *r)
{
	unsigned int i;

	for (i = 0; i < r->count; i++)
		free(r->event[i].cell);
	for (i = 0; i < RATE_SCOPES; i++)
		free(r->shares[i].first);
	free(r->wanted);
	free(r->cpu);
	free(r->row);
	*r = (struct rate_run){ };
}

/* Compare everything: in another set, a different event may have the same name. */
static bool is_same_counter(const struct rcr_counter *a, const struct rcr_counter *b)
{
	return !strcmp(a->name, b->name) && a->unit == b->unit && a->scope == b->scope &&
	       a->width == b->width && (a->select == b->select || !a->control || !b->control);
}

/* Finds or adds the event of a counter; returns RATE_EVENTS if there is no room. */
static unsigned int find_rate_event(struct rate_run *r, unsigned int counter)
{
	const struct rcr_counter *c = rcr_set_counter(r->set, counter);
	struct rate_event *e;
	unsigned int i;

	for (i = 0; i < r->count; i++)
		if (is_same_counter(&r->event[i].counter, c))
			return i;
	if (i == RATE_EVENTS)
		return i;
	e = &r->event[i];
	*e = (struct rate_event){
		.counter = *c,
		.scope = c->scope < RATE_SCOPES ? c->scope : RATE_SCOPES - 1,
		.gauge = rcr_set_is_gauge(r->set, counter),
		.slow = rcr_set_is_slow(r->set, counter),
		.cell = calloc(r->ncpus + 1, sizeof(*e->cell)),
	};
	if (!e->cell)
		return RATE_EVENTS;
	r->count++;
	return i;
}

/**
 * rate_set() - begin to read the records of a set
 * @r: the run
 * @set: the set, which must outlive its records
 *
 * Returns 0, or -1 with errno ENOMEM.
 */
int rate_set(struct rate_run *r, const struct rcr_set *set)
{
	unsigned int i;

	r->set = set;
	r->in_set = false;
	for (i = 0; i < r->ncpus; i++)
		r->cpu[i].has_before = false;
	for (i = 0; i < set->ncounters && i < RCR_MAX_COUNTERS; i++) {
		r->of_counter[i] = find_rate_event(r, i);
		if (r->of_counter[i] == RATE_EVENTS && r->count < RATE_EVENTS)
			return -1;
	}
	return 0;
}

/* True if the event's unit is shared by CPUs of several cores. */
bool rate_is_shared(const struct rate_event *e)
{
	return e->scope != RCR_SCOPE_CPU && e->scope != RCR_SCOPE_CORE;
}

/**
 * rate_has() - check whether the counts of a CPU belong to the run
 * @r: the run
 * @event: index of the event
 * @cpu: CPU number
 *
 * A shared unit belongs to the run if any of its CPUs does: the CPU that reads the counter need not
 * be part of the run.
 */
bool rate_has(const struct rate_run *r, unsigned int event, unsigned int cpu)
{
	const struct rate_event *e = &r->event[event];
	const bool *wanted = r->machine && rate_is_shared(e) ? r->machine : r->wanted;
	const unsigned int *first = r->shares[e->scope].first;
	unsigned int i;

	if (e->scope == RCR_SCOPE_CPU || wanted[cpu])
		return wanted[cpu];
	for (i = 0; i < r->ncpus; i++)
		if (wanted[i] && first[i] == first[cpu])
			return true;
	return false;
}

/* Returns the row of a time; NULL if it is beyond RATE_ROWS, or memory ran out. */
static uint64_t *find_row(struct rate_run *r, uint64_t time)
{
	uint64_t i = time > r->begin ? (time - r->begin - 1) / r->row_ns : 0;
	uint64_t *row;

	if (i >= RATE_ROWS)
		return NULL;
	if (i >= r->rows) {
		row = reallocarray(r->row, i + 1, RATE_EVENTS * sizeof(*row));
		if (!row)
			return NULL;
		memset(row + (size_t)r->rows * RATE_EVENTS, 0,
		       (i + 1 - r->rows) * RATE_EVENTS * sizeof(*row));
		r->row = row;
		r->rows = i + 1;
	}
	return r->row + i * RATE_EVENTS;
}

static struct rate_tick take_tick(const struct rcr_set *set, const struct rcr_record *record)
{
	const struct rcr_slow *slow = rcr_record_slow(set, record);

	return (struct rate_tick){
		.valid = true, .tick = record->tick, .time = record->time, .tsc = record->tsc,
		.tsc_end = record->tsc_end, .changes = record->changes, .spent = record->spent,
		.slow_tsc = slow ? slow->tsc / 2 + slow->tsc_end / 2 : 0,
	};
}

static void add_to_row(struct rate_run *r, unsigned int event, unsigned int cpu, uint64_t time,
		       uint64_t count)
{
	uint64_t *row = r->row_ns && rate_has(r, event, cpu) ? find_row(r, time) : NULL;

	if (row)
		row[event] += count;
}

/* TSC cycles between two readings of a counter. */
static uint64_t step_time(const struct rate_event *e, const struct rate_tick *from,
			  const struct rate_tick *to)
{
	if (!e->slow)
		return to->tsc - from->tsc;
	return from->slow_tsc ? to->slow_tsc - from->slow_tsc : 0;
}

static void add_gauge(struct rate_cell *cell, uint64_t value, uint64_t time)
{
	if (value > cell->count)
		cell->count = value;
	cell->time += time;
}

/* Why a step was not counted; prefers the cause to the gap that follows every interruption. */
static uint8_t step_status(uint8_t before, uint8_t status)
{
	if (status != RCR_STATUS_OK && (status != RCR_STATUS_GAP || before == RCR_STATUS_OK))
		return status;
	return before == RCR_STATUS_OK ? RCR_STATUS_GAP : before;
}

/* Adds the step of one counter of a CPU from the latest sample to @now. */
static void add_rate_step(struct rate_run *r, unsigned int cpu, unsigned int counter,
			  const struct rate_tick *now, uint64_t total, uint8_t status)
{
	const struct rate_event *e = &r->event[r->of_counter[counter]];
	const struct rate_cpu *c = &r->cpu[cpu];
	uint64_t time = step_time(e, &c->last, now), count = total - c->total[counter];
	struct rate_cell *cell = &e->cell[cpu];
	bool clear = !c->torn || now->changes == c->last.changes;

	clear &= status == RCR_STATUS_OK && c->status[counter] == RCR_STATUS_OK;
	if (!clear) {
		status = step_status(c->status[counter], status);
		if (!cell->status && status != RCR_STATUS_ELSEWHERE)
			cell->status = status;
	}
	cell->lag += time - (now->tsc - c->last.tsc);
	if (e->gauge) {
		if (clear)
			add_gauge(cell, total, time);
		return;
	}
	if (clear)
		cell->time += time;
	else
		cell->unclear += count;
	cell->count += count;
	add_to_row(r, r->of_counter[counter], cpu, now->time, count);
}

/* Adds all counters of a sample. */
static void add_totals(struct rate_run *r, unsigned int cpu, const struct rate_tick *now,
		       const uint64_t *total, const uint8_t *status)
{
	struct rate_event *e;
	unsigned int i;

	for (i = 0; i < r->set->ncounters; i++) {
		if (r->of_counter[i] == RATE_EVENTS)
			continue;
		e = &r->event[r->of_counter[i]];
		if (r->cpu[cpu].has_before)
			add_rate_step(r, cpu, i, now, total[i], status[i]);
		else if (e->gauge && status[i] == RCR_STATUS_OK)
			add_gauge(&e->cell[cpu], total[i], 0);
	}
}

static void add_rate_sample(struct rate_run *r, const struct rcr_record *record)
{
	struct rate_tick now = take_tick(r->set, record);
	struct rate_cpu *c = &r->cpu[record->item.cpu];
	uint64_t total[RCR_MAX_COUNTERS] = { };
	uint8_t status[RCR_MAX_COUNTERS] = { };

	if (now.time > r->latest)
		r->latest = now.time;
	if (now.time < r->begin || now.time > r->end || (c->last.valid && now.tsc <= c->last.tsc))
		return;
	rcr_record_copy(r->set, record, total, status);
	add_totals(r, record->item.cpu, &now, total, status);
	if (!c->first.valid)
		c->first = now;
	c->last = now;
	c->has_before = true;
	c->torn = false;
	memcpy(c->total, total, sizeof(total));
	memcpy(c->status, status, sizeof(status));
	r->sets += !r->in_set;
	r->in_set = true;
}

/**
 * rate_add() - add an item of the stream to the run
 * @r: the run, after rate_set() with the set of the item
 * @item: the item; types other than samples and losses are ignored
 */
void rate_add(struct rate_run *r, const struct rcr_item *item)
{
	if (item->cpu >= r->ncpus || item->generation != r->set->item.generation)
		return;
	if (item->type == RCR_ITEM_SAMPLE) {
		add_rate_sample(r, (const struct rcr_record *)item);
	} else if (item->type == RCR_ITEM_LOST) {
		r->lost += ((const struct rcr_lost *)item)->count;
		r->cpu[item->cpu].torn = true;
	}
}

static uint64_t time_between(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

static uint64_t ns_to_tsc(const struct rate_run *r, uint64_t ns)
{
	return (double)ns * r->set->tsc_khz / 1e6;
}

/**
 * rate_span() - time that the counters of a CPU should have counted, TSC cycles
 * @r: the run, which has ended
 * @cpu: CPU number
 *
 * This is the time between its first and last sample, plus any time without samples at the
 * beginning or end of the run that is longer than @r->edge.
 */
uint64_t rate_span(const struct rate_run *r, unsigned int cpu)
{
	const struct rate_cpu *c = &r->cpu[cpu];
	uint64_t head, tail;

	if (!c->first.valid)
		return ns_to_tsc(r, time_between(r->begin, r->end));
	head = time_between(r->begin, c->first.time);
	tail = time_between(c->last.time, r->end);
	return c->last.tsc - c->first.tsc + (head > r->edge ? ns_to_tsc(r, head) : 0) +
	       (tail > r->edge ? ns_to_tsc(r, tail) : 0);
}

/* True if all CPUs of a unit are in the place. */
static bool holds_unit(const struct rate_run *r, const unsigned int *unit,
		       const struct rate_groups *groups, unsigned int first, unsigned int leader)
{
	unsigned int cpu;

	for (cpu = leader; cpu < r->ncpus; cpu++)
		if (unit[cpu] == leader && groups->first[cpu] != first)
			return false;
	return true;
}

/* Adds one CPU, or the CPUs that share the counter, of which @leader is the first. */
static void add_unit(const struct rate_run *r, const struct rate_event *e,
		     const unsigned int *unit, unsigned int leader, struct rate_sum *sum,
		     double *expected, double *counted)
{
	uint64_t time = 0, clear = 0, span = 0, own;
	unsigned int cpu, last = e->scope == RCR_SCOPE_CPU ? leader + 1 : r->ncpus;
	const struct rate_cell *cell;
	bool sampled = false;

	for (cpu = leader; cpu < last; cpu++) {
		cell = &e->cell[cpu];
		if (unit[cpu] != leader)
			continue;
		/* One sampled CPU of the unit is enough. */
		own = r->cpu[cpu].first.valid ? rate_span(r, cpu) + cell->lag : 0;
		span = own > span ? own : span;
		sampled |= r->cpu[cpu].first.valid;
		time += cell->time;
		if (e->gauge)
			sum->count = cell->count > sum->count ? cell->count : sum->count;
		else
			sum->count += cell->count;
		clear += cell->count - cell->unclear;
		if (cell->status && !sum->status) {
			sum->status = cell->status;
			sum->cpu = cpu;
		}
	}
	if (!sampled)
		span = rate_span(r, leader);
	sum->places++;
	sum->counted += time > 0;
	*expected += span;
	*counted += time < span ? time : span;
	if (time)
		sum->per_second += (double)clear / time * r->set->tsc_khz * 1000;
}

/**
 * rate_sum() - sum of an event over a place
 * @r: the run, which has ended
 * @event: index of the event
 * @groups: places; NULL: the whole run
 * @first: the first CPU of the place
 * @sum: filled in
 *
 * A shared counter belongs to a place only if all CPUs that share it do.
 *
 * Returns false if the place has no such counter.
 */
bool rate_sum(const struct rate_run *r, unsigned int event, const struct rate_groups *groups,
	      unsigned int first, struct rate_sum *sum)
{
	const struct rate_event *e = &r->event[event];
	const unsigned int *unit = r->shares[e->scope].first;
	double expected = 0, counted = 0;
	unsigned int cpu;

	*sum = (struct rate_sum){ };
	for (cpu = 0; cpu < r->ncpus; cpu++) {
		if (unit[cpu] != cpu || !rate_has(r, event, cpu) ||
		    (groups && !holds_unit(r, unit, groups, first, cpu)))
			continue;
		add_unit(r, e, unit, cpu, sum, &expected, &counted);
	}
	sum->completeness = expected > 0 ? counted / expected : 0;
	return sum->places;
}
