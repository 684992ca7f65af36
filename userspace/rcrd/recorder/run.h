/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * run.h - a set with its mapped rings and its marks, and memory that the rings can be
 * copied to.
 */
#ifndef RCRD_RUN_H
#define RCRD_RUN_H

#include <stdbool.h>

#include "merge.h"
#include "why.h"

/**
 * struct run - a set while it is counted, and as long afterwards as it is of use
 * @merge: the set, its marks, and where its rings are copied to
 * @map: the mapped rings, in the order of @merge.ring
 * @mark: slots of @merge.mark
 * @copy: locked memory for all rings; NULL: none
 * @copy_bytes: of @copy
 */
struct run {
	struct merge_run merge;
	struct rcr_map **map;
	struct rcr_mark mark[RCR_MARKS];
	void *copy;
	size_t copy_bytes;
};

/* Maps the rings of the reader's set. Returns NULL with the reason. */
struct run *run_open(struct rcr_reader *reader, struct why *why);

/* NULL is allowed. */
void run_close(struct run *run);

/* Keeps a mark of the stream. */
void run_add_mark(struct run *run, const struct rcr_mark *mark);

/*
 * Do the rings hold a window of @ns at a moment up to a second ago? Returns 0, or -1 with
 * the reason, which names the ring_records that would do.
 */
int run_check_window(const struct run *run, uint64_t ns, struct why *why);

/* Locks memory for a copy of all rings. Returns 0, or -1 with the reason. */
int run_reserve(struct run *run, struct why *why);

/* Gives that memory back. */
void run_release(struct run *run);

/* Has every CPU written all its records up to @time? */
bool run_is_past(const struct run *run, uint64_t time);

/* Copies all rings to the reserved memory; allocates nothing, makes no system call. */
void run_copy(struct run *run);

#endif
