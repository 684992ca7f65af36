/* SPDX-License-Identifier: GPL-2.0-or-later */
/* follow.h - read the rings of a running set in order of time, without system calls. */
#ifndef RCRD_FOLLOW_H
#define RCRD_FOLLOW_H

#include "recorder/run.h"

struct follow;

/* Called for each sample and each struct rcr_lost of a run. */
typedef void (*follow_take)(void *to, const struct rcr_set *set, const struct rcr_item *item);

/**
 * follow_begin() - begin to read the rings of a run
 * @run: the run; it must stay open, and rcr_map_next() must not be called for it elsewhere
 * @whole: begin at the oldest records in the rings, not at those when the run was opened
 *
 * Return: NULL without memory.
 */
struct follow *follow_begin(struct run *run, bool whole);

/* Delivers the samples up to the time until which all CPUs have written theirs. */
void follow_read(struct follow *f, follow_take take, void *to);

/* Delivers all samples, without waiting for other CPUs, after the run has ended. */
void follow_drain(struct follow *f, follow_take take, void *to);

/* Stops reading and frees @f, which may be NULL. */
void follow_end(struct follow *f);

#endif
