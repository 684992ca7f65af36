/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * merge.h - makes one stream, as section 1 of Documentation/interface.md has it, of copies
 * of the rings of a run.
 */
#ifndef RCRD_MERGE_H
#define RCRD_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rcr.h"

/**
 * struct merge_ring - the copy of a ring
 * @cpu: whose
 * @copy: what it holds
 * @data: the slots
 * @at: position of the next record to be written
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
 * @ring: one for each CPU that is sampled, in the order of their numbers
 * @rings: how many
 * @mark: of each slot mark p % RCR_MARKS, as it was in the stream
 * @marks: position after the newest one
 * @marks_first: position of the oldest one there
 */
struct merge_run {
	const struct rcr_set *set;
	struct merge_ring *ring;
	unsigned int rings;
	const struct rcr_mark *mark;
	uint64_t marks;
	uint64_t marks_first;
};

/* Takes an item; 0, or -1 and errno, which ends the merge. */
typedef int (*merge_write)(void *to, const void *item, size_t size);

/* Has the run a record with @begin < time <= @end? */
bool merge_has_records(const struct merge_run *run, uint64_t begin, uint64_t end);

/*
 * How many records older than the window, which begins at @begin, are in every copy: so many
 * more could have been written before the copy came too late. Rings that have overwritten
 * nothing yet do not count; UINT64_MAX: none has.
 */
uint64_t merge_count_older(const struct merge_run *run, uint64_t begin);

/**
 * merge_items() - writes a run as a stream
 * @run: the run
 * @begin: CLOCK_MONOTONIC, ns
 * @end: records and marks with @begin < time <= @end are written
 * @write: takes the items: the set, then records and marks in the order of their time, a
 *	mark after all records that are not younger. Records of the window that the copy has
 *	not are in a struct rcr_lost at its begin
 * @to: its first argument
 *
 * Returns 0, or -1 and the errno of @write.
 */
int merge_items(struct merge_run *run, uint64_t begin, uint64_t end, merge_write write,
		void *to);

#endif
