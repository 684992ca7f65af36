/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * merge.h - merges copies of the rings of a run into one stream, as in section 1 of
 * Documentation/dev/interface.md.
 */
#ifndef RCRD_MERGE_H
#define RCRD_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rcr.h"

/**
 * struct merge_ring - copy of a ring
 * @cpu: CPU of the ring
 * @copy: range of the records in the copy
 * @data: the slots
 * @at: position of the next record to write
 */
struct merge_ring {
	unsigned int cpu;
	struct rcr_copy copy;
	const char *data;
	uint64_t at;
};

/**
 * struct merge_run - a set, with copies of its rings and its marks
 * @set: the item that describes it
 * @ring: one for each sampled CPU, in ascending order
 * @rings: entries of @ring
 * @mark: by slot, mark p % RCR_MARKS as it was in the stream
 * @marks: position after the newest mark
 * @marks_first: position of the oldest mark in @mark
 */
struct merge_run {
	const struct rcr_set *set;
	struct merge_ring *ring;
	unsigned int rings;
	const struct rcr_mark *mark;
	uint64_t marks;
	uint64_t marks_first;
};

/* Writes an item; returns 0, or -1 with errno, which ends the merge. */
typedef int (*merge_write)(void *to, const void *item, size_t size);

/* True if the run has a record with @begin < time <= @end. */
bool merge_has_records(const struct merge_run *run, uint64_t begin, uint64_t end);

/*
 * Minimum number of records older than the window, which begins at @begin, in the copies: this many
 * more records could have been written before the copy would have been too late. Rings without
 * overwritten records are not counted; UINT64_MAX: there are no others.
 */
uint64_t merge_count_older(const struct merge_run *run, uint64_t begin);

/* Time of the first record after which no ring has lost one, ns; 0: there are no records. */
uint64_t merge_whole_since(const struct merge_run *run);

/**
 * merge_items() - write a run as a stream
 * @run: the run
 * @begin: CLOCK_MONOTONIC, ns
 * @end: records and marks with @begin < time <= @end are written
 * @write: called for each item: the set, then records and marks in order of time, a mark
 *	after all records that are not younger; records of the window that are missing from the
 *	copy are reported by a struct rcr_lost before them
 * @to: first argument of @write
 *
 * Returns 0, or -1 with the errno of @write.
 */
int merge_items(struct merge_run *run, uint64_t begin, uint64_t end, merge_write write,
		void *to);

#endif
