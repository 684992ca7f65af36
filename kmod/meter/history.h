/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * history.h - counts of one CPU in the parts of one time scale.
 */
#ifndef RCR_HISTORY_H
#define RCR_HISTORY_H

#include <linux/types.h>
#include <linux/rcrtool.h>

/* The cost of the ticks on a CPU is a column of its own, after those of the set's counters. */
#define RCR_OPERAND_SPENT	RCR_MAX_COUNTERS
#define RCR_OPERANDS		(RCR_MAX_COUNTERS + 1)

/* Rows of sums, a power of two: one for each mark, and one for the time before the first. */
#define RCR_HISTORY_ROWS	RCR_SCALE_MARKS
#define RCR_HISTORY_MARKS	(RCR_HISTORY_ROWS - 1)

/**
 * struct rcr_record_layout - layout of the records of a run
 * @count: number of counters
 * @slow: counters with a time of their own, bit n for counter n
 * @gauges: counters whose totals are momentary values, bit n for counter n
 * @slow_offset: see struct rcr_set
 */
struct rcr_record_layout {
	u32 count;
	u32 slow;
	u32 gauges;
	u32 slow_offset;
};

/**
 * struct rcr_history_sample - one sample of a CPU
 * @position: position in its ring
 * @time: CLOCK_MONOTONIC, ns
 * @tsc: TSC in the middle of the reads
 * @slow_tsc: the same for the slow counters
 * @changes: see struct rcr_record
 * @ok: columns that are RCR_STATUS_OK, bit n for column n
 * @status: status of each counter
 * @status_word: the same as 64-bit words, as in the record
 * @value: by column
 */
struct rcr_history_sample {
	u64 position;
	u64 time;
	u64 tsc;
	u64 slow_tsc;
	u64 changes;
	u64 ok;
	union {
		u64 status_word[RCR_MAX_COUNTERS / sizeof(u64)];
		u8 status[RCR_MAX_COUNTERS];
	};
	u64 value[RCR_OPERANDS];
};

/**
 * struct rcr_history - counts of a CPU in the parts of a time scale
 * @pass: pass of the last update; set by the caller
 * @layout: layout of the records
 * @columns: number of columns: the counters, then the cost of ticks
 * @all: all columns, bit n for column n
 * @scale: the time scale, ns
 * @part: a sixteenth of @scale, ns
 * @ring: samples of the CPU
 * @rings: its mark rings
 * @marks: the mark ring of @scale; NULL: none at the moment
 * @ring_first: member first of @marks
 * @first: position of the oldest mark that is kept
 * @head: position after the newest mark
 * @partial: there were marks before @first
 * @away: the CPU is not sampled now
 * @sampled: @record is a sample; otherwise the newest mark is used in its place
 * @next: no record with an earlier time will come, CLOCK_MONOTONIC, ns
 * @horizon: no mark with an @id up to this one will come, or none is waited for: the CPU is
 *	@away, or overdue
 * @lost: marks that were overwritten before they were read
 * @time: time of each mark, by position % RCR_HISTORY_ROWS
 * @id: likewise, @time / @part
 * @mark: the newest mark
 * @record: the newest sample
 * @before: the one before @record; its @time is 0 if there is none
 * @spare: buffer for the next read
 * @now: sums up to @record
 * @latest: sums between @before and @record
 * @row: sums up to each mark, by position % RCR_HISTORY_ROWS
 * @reading: memory of the samples above
 *
 * A row of sums has the counted delta of each column, then the counted time of each.
 */
struct rcr_history {
	u32 pass;
	struct rcr_record_layout layout;
	u32 columns;
	u64 all;
	u64 scale;
	u64 part;
	const struct rcr_ring *ring;
	const void *rings;
	const struct rcr_ring *marks;
	u64 ring_first;
	u64 first;
	u64 head;
	bool partial;
	bool away;
	bool sampled;
	u64 next;
	u64 horizon;
	u64 lost;
	u64 time[RCR_HISTORY_ROWS];
	u64 id[RCR_HISTORY_ROWS];
	struct rcr_history_sample *mark;
	struct rcr_history_sample *record;
	struct rcr_history_sample *before;
	struct rcr_history_sample *spare;
	u64 *now;
	u64 *latest;
	u64 *row;
	struct rcr_history_sample reading[4];
};

int rcr_history_init(struct rcr_history *h, const struct rcr_record_layout *layout, u64 scale,
		     const struct rcr_ring *ring, const void *rings);
void rcr_history_free(struct rcr_history *h);
void rcr_history_update(struct rcr_history *h, u64 now);
u8 rcr_history_status(const struct rcr_history *h, unsigned int operand);

/* Sums up to the mark at @position; @first - 1: those before the oldest mark that is kept. */
static inline const u64 *rcr_history_row(const struct rcr_history *h, u64 position)
{
	return h->row + (position % RCR_HISTORY_ROWS) * 2 * h->columns;
}

/* A row of zeros. */
static inline const u64 *rcr_history_zeros(const struct rcr_history *h)
{
	return h->latest + 2 * h->columns;
}

static inline bool rcr_history_has_marks(const struct rcr_history *h)
{
	return h->head != h->first;
}

static inline u64 rcr_history_time(const struct rcr_history *h, u64 position)
{
	return h->time[position % RCR_HISTORY_ROWS];
}

static inline u64 rcr_history_id(const struct rcr_history *h, u64 position)
{
	return h->id[position % RCR_HISTORY_ROWS];
}

/* The column of a counter, or of RCR_OPERAND_SPENT. */
static inline unsigned int rcr_history_column(const struct rcr_record_layout *l,
					      unsigned int operand)
{
	return operand == RCR_OPERAND_SPENT ? l->count : operand;
}

#endif
