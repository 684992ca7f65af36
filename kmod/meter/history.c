// SPDX-License-Identifier: GPL-2.0-only
/*
 * history.c - sums over the parts of a time scale, read from the mark ring of a CPU.
 *
 * A part is the time from one mark to the next, or from the newest mark to the newest sample.
 * Its count and its time are included for a counter that is RCR_STATUS_OK at both ends with the
 * same @changes, and excluded otherwise. The sum of a gauge includes its value at each mark
 * at which it is RCR_STATUS_OK. The cost of the ticks is always included, except in a part in
 * which the TSC was set back, as by a suspend: that part is excluded for every counter.
 *
 * An update reads the newest sample first, then the new marks up to that sample. All of them
 * have been written by then, except for the mark of the sample itself. If more marks have
 * passed than are kept, or one was overwritten while it was read, the history starts again
 * after the lost ones; if newer samples arrived meanwhile, the update starts again as well.
 *
 * The caller serializes all calls of a history. Has no kernel state: also compiled into the unit
 * tests.
 */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "ring/ring_protocol.h"
#include "ring/scale.h"
#include "history.h"

/* One row per mark, then @now, @latest, and a row of zeros. */
#define ALL_ROWS	(RCR_HISTORY_ROWS + 3)

/* Do not wait for a CPU that is overdue by more than two parts plus this time. */
#define OVERDUE_NS	10000000ull

/* Attempts to copy a sample, which may be overwritten during the copy. */
#define READ_TRIES	3

/**
 * rcr_history_init() - make an empty history
 * @h: the history
 * @layout: layout of the records
 * @scale: the time scale, ns, not 0
 * @ring: samples of the CPU
 * @rings: its RCR_SCALES mark rings
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int rcr_history_init(struct rcr_history *h, const struct rcr_record_layout *layout, u64 scale,
		     const struct rcr_ring *ring, const void *rings)
{
	memset(h, 0, sizeof(*h));
	h->layout = *layout;
	h->columns = layout->count + 1;
	h->all = BIT_ULL(h->columns) - 1;
	h->scale = scale;
	h->part = max_t(u64, div64_u64(scale, RCR_SCALE_PARTS), 1);
	h->ring = ring;
	h->rings = rings;
	h->mark = &h->reading[0];
	h->record = &h->reading[1];
	h->before = &h->reading[2];
	h->spare = &h->reading[3];
	h->row = kvcalloc(ALL_ROWS * 2 * h->columns, sizeof(u64), GFP_KERNEL);
	if (!h->row)
		return -ENOMEM;
	h->now = h->row + RCR_HISTORY_ROWS * 2 * h->columns;
	h->latest = h->now + 2 * h->columns;
	return 0;
}

/* May sleep. */
void rcr_history_free(struct rcr_history *h)
{
	kvfree(h->row);
	h->row = NULL;
}

static u64 *row_of_mark(const struct rcr_history *h, u64 position)
{
	return (u64 *)rcr_history_row(h, position);
}

static u64 middle_of(u64 begin, u64 end)
{
	return begin + (end - begin) / 2;
}

/* Bit n: counter n is RCR_STATUS_OK. For up to eight counters; usually all of them are. */
static u64 ok_of_statuses(const u8 *status, u64 word, u32 count)
{
	u64 differ = (word ^ RCR_STATUS_OK * 0x0101010101010101ull) << (64 - 8 * count), ok = 0;
	u32 i;

	if (likely(!differ))
		return BIT_ULL(count) - 1;
	for (i = 0; i < count; i++)
		ok |= (u64)(status[i] == RCR_STATUS_OK) << i;
	return ok;
}

static void read_statuses(struct rcr_history_sample *to, const u64 *word, u32 count)
{
	u64 ok = BIT_ULL(count);
	u32 i, k;

	for (i = 0, k = 0; i < count; i += 8, k++) {
		to->status_word[k] = READ_ONCE(word[k]);
		ok |= ok_of_statuses(&to->status[i], to->status_word[k],
				     min_t(u32, count - i, 8)) << i;
	}
	to->ok = ok;
}

/* Copy the used fields of a record. Return: RCR_RING_LOST if it was overwritten: @to is invalid. */
static enum rcr_ring_answer read_record(const struct rcr_history *h, const struct rcr_ring *ring,
					u64 position, struct rcr_history_sample *to)
{
	const struct rcr_record *r = rcr_ring_slot(ring, position);
	const struct rcr_slow *slow = (const void *)r + h->layout.slow_offset;
	u32 i, count = h->layout.count;

	to->position = position;
	to->time = READ_ONCE(r->time);
	to->tsc = middle_of(READ_ONCE(r->tsc), READ_ONCE(r->tsc_end));
	to->changes = READ_ONCE(r->changes);
	for (i = 0; i < count; i++)
		to->value[i] = READ_ONCE(r->value[i]);
	to->value[count] = READ_ONCE(r->spent);
	read_statuses(to, &r->value[count], count);
	if (h->layout.slow_offset)
		to->slow_tsc = middle_of(READ_ONCE(slow->tsc), READ_ONCE(slow->tsc_end));
	smp_rmb();	/* (A) pairs with the smp_wmb() of rcr_ring_begin() */
	return position < rcr_ring_oldest(ring) ? RCR_RING_LOST : RCR_RING_RECORD;
}

/* Add the values of the gauges of @r to those of @from. */
static void add_gauges(const struct rcr_history *h, u64 *to, const u64 *from,
		       const struct rcr_history_sample *r)
{
	unsigned long gauges = h->layout.gauges & r->ok;
	unsigned int i, n = h->columns;

	for_each_set_bit(i, &gauges, RCR_MAX_COUNTERS) {
		to[i] = from[i] + r->value[i];
		to[n + i] = from[n + i] + 1;
	}
}

static void add_slow_time(const struct rcr_history *h, u64 *to, const u64 *from, u64 counted,
			  u64 time)
{
	unsigned long slow = h->layout.slow & counted;
	unsigned int i, n = h->columns;

	for_each_set_bit(i, &slow, RCR_MAX_COUNTERS)
		to[n + i] = from[n + i] + time;
}

/* Columns that were counted from @a to @b: none if the TSC was set back, as by a suspend. */
static u64 counted_between(const struct rcr_history *h, const struct rcr_history_sample *a,
			   const struct rcr_history_sample *b)
{
	u64 ok = a->changes == b->changes ? a->ok & b->ok : 0;

	if (b->tsc < a->tsc)
		return 0;
	if (b->slow_tsc < a->slow_tsc)
		ok &= ~(u64)h->layout.slow;
	return (ok & ~(u64)h->layout.gauges) | BIT_ULL(h->layout.count);
}

/* Fast path of add_part(): all columns have the same counted time. */
static void add_row(const struct rcr_history *h, u64 *to, const u64 *from,
		    const struct rcr_history_sample *a, const struct rcr_history_sample *b)
{
	u64 time = b->tsc - a->tsc;
	unsigned int i, n = h->columns;

	for (i = 0; i < n; i++) {
		to[i] = from[i] + b->value[i] - a->value[i];
		to[n + i] = from[n + i] + time;
	}
}

/* Set @to to @from plus the counts and times between @a and @b. */
static void add_part(const struct rcr_history *h, u64 *to, const u64 *from,
		     const struct rcr_history_sample *a, const struct rcr_history_sample *b)
{
	u64 counted = counted_between(h, a, b), time = b->tsc - a->tsc, counts;
	unsigned int i, n = h->columns;

	if (likely(counted == h->all && !h->layout.slow)) {
		add_row(h, to, from, a, b);
		return;
	}
	for (i = 0; i < n; i++) {
		counts = -(counted >> i & 1);
		to[i] = from[i] + ((b->value[i] - a->value[i]) & counts);
		to[n + i] = from[n + i] + (time & counts);
	}
	if (h->layout.slow)
		add_slow_time(h, to, from, counted, b->slow_tsc - a->slow_tsc);
	if (h->layout.gauges)
		add_gauges(h, to, from, b);
}

/* Drop all marks; the next one to read is at @position. */
static void restart_marks(struct rcr_history *h, u64 position)
{
	h->first = position;
	h->head = position;
	h->partial = position > h->ring_first;
	memset(row_of_mark(h, position - 1), 0, 2 * h->columns * sizeof(u64));
}

static bool is_of_scale(const struct rcr_history *h, const struct rcr_ring *ring)
{
	/* Pairs with begin_scale(): @first belongs to @scale. */
	return smp_load_acquire(&ring->scale) == h->scale;
}

static const struct rcr_ring *find_marks(const struct rcr_history *h)
{
	u32 bytes = rcr_scale_ring_bytes(((const struct rcr_ring *)h->rings)->record_size);
	unsigned int i;

	if (h->marks && is_of_scale(h, h->marks))
		return h->marks;
	for (i = 0; i < RCR_SCALES; i++) {
		const struct rcr_ring *ring = h->rings + (size_t)i * bytes;

		if (is_of_scale(h, ring))
			return ring;
	}
	return NULL;
}

/* Switch to the marks of @ring, starting with the oldest that is not being overwritten. */
static void follow_marks(struct rcr_history *h, const struct rcr_ring *ring)
{
	h->marks = ring;
	h->ring_first = ring ? READ_ONCE(ring->first) : 0;
	restart_marks(h, ring ? max_t(u64, h->ring_first, rcr_ring_oldest(ring)) : 0);
}

/* Continue at the oldest mark in the ring; the marks before it are lost. */
static void skip_marks(struct rcr_history *h)
{
	u64 position = rcr_ring_oldest(h->marks);

	h->lost += position - h->head;
	restart_marks(h, position);
}

/* Append the mark in @spare. */
static void add_mark(struct rcr_history *h)
{
	struct rcr_history_sample *r = h->spare;
	u64 *row = row_of_mark(h, h->head);

	if (h->head == h->first) {
		memset(row, 0, 2 * h->columns * sizeof(u64));
		add_gauges(h, row, row, r);
	} else {
		add_part(h, row, rcr_history_row(h, h->head - 1), h->mark, r);
	}
	h->time[h->head % RCR_HISTORY_ROWS] = r->time;
	h->id[h->head % RCR_HISTORY_ROWS] = div64_u64(r->time, h->part);
	h->spare = h->mark;
	h->mark = r;
	h->head++;
	if (h->head - h->first > RCR_HISTORY_MARKS) {
		h->first++;
		h->partial = true;
	}
}

/*
 * Read the new marks up to the newest sample; all of them if there is no sample yet. @overtaken
 * is set if some may be missing and there is a newer sample. Return: true if anything changed.
 */
static bool read_marks(struct rcr_history *h, bool *overtaken)
{
	const struct rcr_ring *ring = find_marks(h);
	bool anew = ring != h->marks || (ring && READ_ONCE(ring->first) != h->ring_first);
	u64 was, lost = h->lost;

	if (anew)
		follow_marks(h, ring);
	if (!ring)
		return anew;
	was = h->head;
	while (h->head < rcr_ring_head(ring)) {
		if (read_record(h, ring, h->head, h->spare) == RCR_RING_LOST) {
			skip_marks(h);
			continue;
		}
		if (h->sampled && h->spare->time > h->record->time) {
			*overtaken = h->lost != lost;
			break;
		}
		add_mark(h);
	}
	/* The time scale was changed meanwhile: some of the marks may belong to another one. */
	if (!is_of_scale(h, ring) || READ_ONCE(ring->first) != h->ring_first) {
		follow_marks(h, NULL);
		return true;
	}
	return anew || h->head != was;
}

/* Position of the newest sample in [@from, @to); RCR_RING_NEVER: there is none. */
static u64 find_sample(const struct rcr_ring *ring, u64 from, u64 to)
{
	const struct rcr_record *r;

	from = max_t(u64, from, rcr_ring_oldest(ring));
	while (to > from) {
		r = rcr_ring_slot(ring, --to);
		if (READ_ONCE(r->item.type) == RCR_ITEM_SAMPLE)
			return to;
	}
	return RCR_RING_NEVER;
}

/* Make @spare the newest sample, and read the sample before it, which may precede @from. */
static void take_sample(struct rcr_history *h, u64 from)
{
	struct rcr_history_sample *r = h->spare;
	u64 position = find_sample(h->ring, from, r->position);

	if (position == RCR_RING_NEVER && h->sampled && from >= rcr_ring_oldest(h->ring)) {
		h->spare = h->before;
		h->before = h->record;
	} else {
		if (position == RCR_RING_NEVER ||
		    read_record(h, h->ring, position, h->before) == RCR_RING_LOST)
			h->before->time = 0;
		h->spare = h->record;
	}
	h->record = r;
	h->sampled = true;
}

/* Read the two newest samples. Return: true if they are new. */
static bool read_samples(struct rcr_history *h)
{
	u64 from = h->sampled ? h->record->position + 1 : 0, position;
	unsigned int i;

	for (i = 0; i < READ_TRIES; i++) {
		position = find_sample(h->ring, from, rcr_ring_head(h->ring));
		if (position == RCR_RING_NEVER)
			return false;
		if (read_record(h, h->ring, position, h->spare) == RCR_RING_RECORD) {
			take_sample(h, from);
			return true;
		}
	}
	return false;
}

/* Use the newest mark as a sample until a run has its first one. */
static void take_mark_for_sample(struct rcr_history *h)
{
	if (!rcr_history_has_marks(h) || h->sampled)
		return;
	*h->record = *h->mark;
	h->before->time = 0;
}

static void copy_row(const struct rcr_history *h, u64 *to, const u64 *from)
{
	memcpy(to, from, 2 * h->columns * sizeof(u64));
}

/* Sum the counts since the newest mark, and those of the latest sample. */
static void sum_samples(struct rcr_history *h)
{
	const u64 *before = rcr_history_row(h, h->head - 1), *zero = rcr_history_zeros(h);

	if (h->before->time) {
		add_part(h, h->latest, zero, h->before, h->record);
	} else {
		copy_row(h, h->latest, zero);
		if (h->record->time)
			add_gauges(h, h->latest, zero, h->record);
	}
	if (rcr_history_has_marks(h) && h->record->time > h->mark->time) {
		add_part(h, h->now, before, h->mark, h->record);
		return;
	}
	copy_row(h, h->now, before);
	if (!rcr_history_has_marks(h) && h->record->time)
		add_gauges(h, h->now, before, h->record);
}

static void set_horizon(struct rcr_history *h, u64 now)
{
	u64 id;

	h->next = max_t(u64, h->next, h->record->time);
	h->horizon = rcr_history_has_marks(h) ? rcr_history_id(h, h->head - 1) : 0;
	id = div64_u64(h->next, h->part);
	if (id)
		h->horizon = max_t(u64, h->horizon, id - 1);
	/* Compare with the clock: a late reader does not make the CPU overdue. */
	if (h->away ||
	    (now > h->next && now - h->next > max_t(u64, 2 * h->part, OVERDUE_NS)))
		h->horizon = U64_MAX;
}

/**
 * rcr_history_update() - read the samples and marks since the previous update
 * @h: the history
 * @now: CLOCK_MONOTONIC, ns
 *
 * Reads up to RCR_HISTORY_MARKS marks.
 *
 * Context: any; serialized by the caller.
 */
void rcr_history_update(struct rcr_history *h, u64 now)
{
	unsigned int tries = READ_TRIES;
	bool changed = false, again;

	do {
		again = false;
		/* Load @next first: a record that is not in the rings yet has no earlier time. */
		h->next = rcr_ring_next(h->ring);
		h->away = h->next == RCR_RING_NEVER;
		/* Before the marks: up to the newest sample all are written, except its own. */
		changed |= read_samples(h);
		changed |= read_marks(h, &again);
		/* A CPU that has come online may have marks and no samples, or the reverse. */
		again |= h->away && rcr_ring_next(h->ring) != RCR_RING_NEVER;
		again |= !h->sampled && rcr_ring_head(h->ring);
	} while (again && --tries);
	if (changed) {
		take_mark_for_sample(h);
		sum_samples(h);
	}
	set_horizon(h, now);
}

/**
 * rcr_history_status() - status of a counter in the newest sample
 * @h: the history
 * @operand: number of the counter, or RCR_OPERAND_SPENT
 *
 * Return: enum rcr_status; RCR_STATUS_OFFLINE if the CPU is not sampled now; RCR_STATUS_GAP if
 * the CPU or the counter has not been sampled yet.
 */
u8 rcr_history_status(const struct rcr_history *h, unsigned int operand)
{
	if (h->away)
		return RCR_STATUS_OFFLINE;
	if (!h->record->time)
		return RCR_STATUS_GAP;
	if (operand == RCR_OPERAND_SPENT)
		return RCR_STATUS_OK;
	return h->record->status[operand] ?: RCR_STATUS_GAP;
}
