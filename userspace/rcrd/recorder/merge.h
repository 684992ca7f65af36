/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * merge.h - merge copies of the rings of a run into one stream (Documentation/dev/interface.md,
 * section 1).
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
 * @copy: positions of the records in the copy
 * @data: slots of the copy
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
 * @set: the item that describes the set
 * @ring: one ring for each sampled CPU, in ascending order
 * @rings: number of entries in @ring
 * @mark: newest marks of the stream; the one at position p is in entry p % RCR_MARKS
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

/* Writes an item. Returns 0, or -1 with errno to end the merge. */
typedef int (*merge_write)(void *to, const void *item, size_t size);

/* True if the run has a record with @begin < time <= @end. */
bool merge_has_records(const struct merge_run *run, uint64_t begin, uint64_t end);

/*
 * Minimum over the copies of the number of records that are older than @begin, the begin of the
 * window: this many more records could have been written before the copy would have been too late.
 * Rings without overwritten records are ignored; UINT64_MAX if there are no others.
 */
uint64_t merge_count_older(const struct merge_run *run, uint64_t begin);

/* Time from which on the copies of all rings are complete, ns; 0 if there are no records. */
uint64_t merge_whole_since(const struct merge_run *run);

/**
 * merge_items() - write a run as a stream
 * @run: the run
 * @begin: begin of the window, CLOCK_MONOTONIC, ns; exclusive
 * @end: end of the window, CLOCK_MONOTONIC, ns; inclusive
 * @write: called for each item
 * @to: first argument of @write
 *
 * Writes the set, a struct rcr_lost for each ring whose copy lacks records of the window, and then
 * the records and marks of the window in order of time; at the same time, records precede marks.
 *
 * Return: 0, or -1 with the errno of @write.
 */
int merge_items(struct merge_run *run, uint64_t begin, uint64_t end, merge_write write,
		void *to);

#endif
