/* SPDX-License-Identifier: GPL-2.0-or-later */
/* follow.h - reads the rings of a run as they grow, in order of time, without system calls. */
#ifndef RCRD_FOLLOW_H
#define RCRD_FOLLOW_H

#include "recorder/run.h"

struct follow;

/* Called for each sample, and each struct rcr_lost, of a run. */
typedef void (*follow_take)(void *to, const struct rcr_set *set, const struct rcr_item *item);

/**
 * follow_begin() - begin to read the rings of a run
 * @run: the run, which must stay open; no one else uses its rcr_map_next()
 * @whole: from their oldest records on, not from where they were when it was opened
 *
 * Return: NULL without memory.
 */
struct follow *follow_begin(struct run *run, bool whole);

/* Delivers all samples that no older ones can follow. */
void follow_read(struct follow *f, follow_take take, void *to);

/* Likewise, but older ones may follow: the run has ended. */
void follow_drain(struct follow *f, follow_take take, void *to);

/* Frees it; @f may be NULL. */
void follow_end(struct follow *f);

#endif
