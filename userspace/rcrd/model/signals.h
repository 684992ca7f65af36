/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * signals.h - signals, the inputs of the models, which each CPU family counts by its own events.
 */
#ifndef RCRD_SIGNALS_H
#define RCRD_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>
#include <linux/rcrtool.h>

#include "signal_row.h"

#define SIGNAL_BIT(s)	(1u << (s))

/**
 * struct signals - which counters of a set provide which signals
 * @has: bit n: the set provides enum signal n
 * @shared: bit n: units that CPUs share count enum signal n
 * @cover: bits of the signals whose counts show that the shared units were read
 * @of: by counter: its enum signal; SIGNALS: none
 * @weight: by counter: factor of its counts
 * @cost: by counter: factor of its counts in SIGNAL_TRANSFER
 * @like: by signal: signal to copy the counts from; SIGNALS: none
 * @like_weight: by signal: factor of the copied counts
 * @at_home: SIGNAL_LOCAL and SIGNAL_REMOTE count accesses to a node's memory, not from its CPUs
 * @doubt: by signal: known defect of its counts, or NULL
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
 * @boxes: memory controllers per node, each of which must have a counter; 0: unknown, take those in
 *	which the set has a counter
 */
void signals_bind(struct signals *s, const struct rcr_set *set, unsigned int boxes);

/* What a signal counts: "L3 misses". */
const char *signal_name(enum signal signal);

/*
 * The events that provide a signal on @family, with names, to be added to a set: separated by
 * blanks, with "#" for the number of a box. Returns NULL if there are none. The next call
 * overwrites the text.
 */
const char *signal_event(const char *family, enum signal signal);

#endif
