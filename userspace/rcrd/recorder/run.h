/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run.h - a set with its mapped rings, its marks, and memory for copies of the rings. */
#ifndef RCRD_RUN_H
#define RCRD_RUN_H

#include <stdbool.h>

#include "merge.h"
#include "why.h"

/**
 * struct run - a set while it is counted, and for some time after that
 * @merge: the set, its marks, and the copies of its rings
 * @map: the mapped rings, in the order of @merge.ring
 * @mark: storage of @merge.mark
 * @copy: locked memory for copies of all rings; NULL: none
 * @copy_bytes: size of @copy
 */
struct run {
	struct merge_run merge;
	struct rcr_map **map;
	struct rcr_mark mark[RCR_MARKS];
	void *copy;
	size_t copy_bytes;
};

/* Maps the rings of the reader's set. Returns NULL with @why filled in on failure. */
struct run *run_open(struct rcr_reader *reader, struct why *why);

/* Unmaps the rings and frees @run, which may be NULL. */
void run_close(struct run *run);

/* Adds a mark of the stream. */
void run_add_mark(struct run *run, const struct rcr_mark *mark);

/*
 * Checks that the rings still hold a window of @ns a second after its end. Returns 0, or -1 with
 * @why filled in, which includes a sufficient value of ring_records.
 */
int run_check_window(const struct run *run, uint64_t ns, struct why *why);

/* Allocates and locks memory for copies of all rings. Returns 0, or -1 with @why filled in. */
int run_reserve(struct run *run, struct why *why);

/* Frees the memory of run_reserve(). */
void run_release(struct run *run);

/* True if every CPU has written all its records up to @time. */
bool run_is_past(const struct run *run, uint64_t time);

/* Copies all rings to the reserved memory, without allocations or system calls. */
void run_copy(struct run *run);

#endif
