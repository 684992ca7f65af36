// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * align.c - finds the samples of grid ticks in a stream.
 *
 * A grid tick is the first tick at or after a multiple of the grid on the wall clock. Machines
 * with synchronized clocks and the same grid so publish values of the same instants.
 *
 * The stream is ordered by time: the first sample at or after the multiple opens the grid tick, the
 * first sample of a later tick closes it. A CPU without a sample of that tick keeps its latest one:
 * either its totals did not change, or its sample is still to be read.
 *
 * Pure: no input, no output, no clock. Also compiled into the unit tests.
 */
#include <stdlib.h>
#include <string.h>

#include "math/align.h"

/* Do not wait for a CPU that has been silent for this long plus a period and a grid step. */
#define LATELY_NS 1000000000ull

static void clear_samples(struct align_tick *t, unsigned int ncpus)
{
	t->valid = false;
	memset(t->cpu, 0, (ncpus + 1) * sizeof(*t->cpu));
}

static int resize_samples(struct align_tick *t, unsigned int ncpus)
{
	struct align_sample *cpu = realloc(t->cpu, (ncpus + 1) * sizeof(*cpu));

	if (!cpu)
		return -1;
	t->cpu = cpu;
	clear_samples(t, ncpus);
	return 0;
}

/* The first multiple of the grid after a time on the wall clock. */
static uint64_t next_multiple(const struct align *a, uint64_t wall)
{
	return (wall / a->grid + 1) * a->grid;
}

/**
 * align_set() - begin to read the records of a set
 * @a: zeroed except for @grid before the first call
 * @set: the set, which must outlive its records
 *
 * Drops earlier samples, because the totals of a new set restart at 0.
 *
 * Returns 0, or -1 with errno ENOMEM.
 */
int align_set(struct align *a, const struct rcr_set *set)
{
	a->set = set;
	a->ncpus = set->ncpus;
	a->offset = set->clock_realtime - set->clock_monotonic;
	a->due = 0;
	a->open = false;
	if (resize_samples(&a->before, a->ncpus) || resize_samples(&a->now, a->ncpus) ||
	    resize_samples(&a->next, a->ncpus))
		return -1;
	return 0;
}

void align_free(struct align *a)
{
	free(a->before.cpu);
	free(a->now.cpu);
	free(a->next.cpu);
	*a = (struct align){ };
}

static bool is_own_item(const struct align *a, const struct rcr_item *item)
{
	return item->cpu < a->ncpus && item->generation == a->set->item.generation;
}

/**
 * align_ends() - check whether an item ends the open grid tick
 * @a: after align_set() with the set of the item
 * @item: the next item of the stream
 *
 * If so, the caller calls align_close() before it adds the item.
 */
bool align_ends(const struct align *a, const struct rcr_item *item)
{
	const struct rcr_record *record = (const struct rcr_record *)item;

	return a->open && item->type == RCR_ITEM_SAMPLE && is_own_item(a, item) &&
	       record->tick > a->next.tick;
}

/*
 * Wait only for CPUs that wrote a record recently: the others are offline, or idle and skipped. A
 * CPU without any record counts from the start of the set.
 */
static bool is_awaited(const struct align *a, unsigned int cpu)
{
	const struct align_sample *s = &a->next.cpu[cpu];
	uint64_t time = s->valid ? s->time : a->set->clock_monotonic;

	return time + LATELY_NS + a->set->period_ns + a->grid > a->opened;
}

static void open_tick(struct align *a, const struct rcr_record *record, uint64_t wall)
{
	unsigned int cpu;

	a->open = true;
	a->opened = record->time;
	a->next.valid = true;
	a->next.tick = record->tick;
	a->next.time = wall;
	a->missing = 0;
	for (cpu = 0; cpu < a->ncpus; cpu++)
		a->missing += rcr_set_has_cpu(a->set, cpu) && is_awaited(a, cpu);
}

static void copy_sample(const struct align *a, const struct rcr_record *record,
			struct align_sample *s)
{
	const struct rcr_slow *slow = rcr_record_slow(a->set, record);

	s->valid = true;
	s->tick = record->tick;
	s->time = record->time;
	s->tsc = record->tsc;
	s->slow_tsc = slow ? slow->tsc / 2 + slow->tsc_end / 2 : 0;
	s->late = record->late;
	s->changes = record->changes;
	s->spent = record->spent;
	rcr_record_copy(a->set, record, s->total, s->status);
}

static void align_sample(struct align *a, const struct rcr_record *record)
{
	struct align_sample *s = &a->next.cpu[record->item.cpu];
	uint64_t wall = record->time + a->offset;

	if (s->valid && record->tick <= s->tick)
		return;
	a->overruns += record->overruns;
	a->skipped += record->skipped;
	/* The first sample itself may be at a multiple of the grid. */
	if (!a->due)
		a->due = next_multiple(a, wall - 1);
	if (!a->open && wall >= a->due)
		open_tick(a, record, wall);
	if (a->open && a->missing && record->tick == a->next.tick &&
	    is_awaited(a, record->item.cpu))
		a->missing--;
	copy_sample(a, record, s);
}

/* The wall clock was stepped: recompute when the next multiple of the grid is due. */
static void align_clock(struct align *a, const struct rcr_record *record)
{
	a->offset = record->value[1];
	if (!a->open)
		a->due = next_multiple(a, record->time + a->offset - 1);
}

/**
 * align_add() - add an item of the stream
 * @a: after align_set() with the set of the item
 * @item: the item; types other than samples, steps of the clock and losses are ignored
 */
void align_add(struct align *a, const struct rcr_item *item)
{
	if (!is_own_item(a, item))
		return;
	if (item->type == RCR_ITEM_SAMPLE)
		align_sample(a, (const struct rcr_record *)item);
	else if (item->type == RCR_ITEM_CLOCK)
		align_clock(a, (const struct rcr_record *)item);
	else if (item->type == RCR_ITEM_LOST)
		a->lost += ((const struct rcr_lost *)item)->count;
}

/**
 * align_is_due() - check whether the open grid tick can be closed
 * @a: with all items that could be read
 * @wall: wall clock, ns since 1970
 * @patience: longest time to wait for missing samples, ns
 */
bool align_is_due(const struct align *a, uint64_t wall, uint64_t patience)
{
	return a->open && (!a->missing || wall > a->next.time + patience);
}

/* Makes the open grid tick the latest one. */
void align_close(struct align *a)
{
	struct align_tick oldest = a->before;

	a->before = a->now;
	a->now = a->next;
	a->next = oldest;
	/* A CPU that writes no further record keeps its latest sample. */
	memcpy(a->next.cpu, a->now.cpu, (a->ncpus + 1) * sizeof(*a->next.cpu));
	a->next.valid = false;
	a->open = false;
	/* Use the current offset: the clock may have been stepped since the tick was opened. */
	a->due = next_multiple(a, a->opened + a->offset);
}

/* True if the CPU has a sample of that tick. */
bool align_has_tick(const struct align_tick *t, unsigned int cpu)
{
	return t->valid && t->cpu[cpu].valid && t->cpu[cpu].tick == t->tick;
}

/**
 * align_step() - the count of a CPU between the last two grid ticks
 * @a: after align_close()
 * @cpu: CPU number
 * @counter: of the set
 * @step: filled in
 *
 * Returns false if either sample is missing, or the counter was not ok throughout.
 */
bool align_step(const struct align *a, unsigned int cpu, unsigned int counter,
		struct align_step *step)
{
	const struct align_sample *from = &a->before.cpu[cpu], *to = &a->now.cpu[cpu];

	if (!align_has_tick(&a->before, cpu) || !align_has_tick(&a->now, cpu) ||
	    from->changes != to->changes || from->status[counter] != RCR_STATUS_OK ||
	    to->status[counter] != RCR_STATUS_OK || to->tsc <= from->tsc)
		return false;
	step->count = to->total[counter] - from->total[counter];
	step->seconds = (to->tsc - from->tsc) / (a->set->tsc_khz * 1000.0);
	return true;
}

/* Time of the latest reading of slow counters, ns since 1970; 0: there was none. */
uint64_t align_slow_time(const struct align *a)
{
	const struct align_sample *s;
	uint64_t latest = 0, wall;
	unsigned int cpu;

	for (cpu = 0; a->now.valid && cpu < a->ncpus; cpu++) {
		s = &a->now.cpu[cpu];
		if (!s->valid || !s->slow_tsc)
			continue;
		wall = s->time + a->offset -
		       (int64_t)((double)(int64_t)(s->tsc - s->slow_tsc) / a->set->tsc_khz * 1e6);
		latest = wall > latest ? wall : latest;
	}
	return latest;
}
