/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * signals.h - the counts of a set that models read: each family counts it by events of its own.
 */
#ifndef RCRD_SIGNALS_H
#define RCRD_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>
#include <linux/rcrtool.h>

#include "signal_row.h"

#define SIGNAL_BIT(s)	(1u << (s))

/**
 * struct signals - the counters of a set, as models use them
 * @has: bit n: the set counts enum signal n
 * @shared: bit n: units that CPUs share count it
 * @cover: signals whose counts show that the shared units were counted
 * @of: enum signal of each counter; SIGNALS: none
 * @weight: of each counter's counts
 * @cost: of each counter's counts, for SIGNAL_TRANSFER
 * @like: signal that has the same counts as enum signal n; SIGNALS: none
 * @like_weight: of these
 * @at_home: SIGNAL_LOCAL and SIGNAL_REMOTE are the accesses to a node's memory
 * @doubt: known defects of the counts of a signal; NULL: nothing is known
 */
struct signals {
	uint32_t has, shared, cover;
	uint8_t of[RCR_MAX_COUNTERS];
	double weight[RCR_MAX_COUNTERS], cost[RCR_MAX_COUNTERS];
	uint8_t like[SIGNALS];
	double like_weight[SIGNALS];
	bool at_home;
	const char *doubt[SIGNALS];
};

/**
 * signals_bind() - find the signals of a set
 * @s: filled in; no signals if no model knows the family
 * @set: the set
 * @boxes: memory controllers of a node: with fewer, its lines are not counted; 0: those of which
 *	the set counts anything
 */
void signals_bind(struct signals *s, const struct rcr_set *set, unsigned int boxes);

/* What a signal counts: "L3 misses". */
const char *signal_name(enum signal signal);

/*
 * The events by which @family counts it, with names, as they are added to a set: with blanks
 * between them, and "#" for the number of a box; NULL if there is none. The next call overwrites
 * them.
 */
const char *signal_event(const char *family, enum signal signal);

#endif
