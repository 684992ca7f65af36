/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * signals.h - the counts of a set that models read: each family counts it by events of its own.
 */
#ifndef RCRD_SIGNALS_H
#define RCRD_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>
#include <linux/rcrtool.h>

/* Of a CPU; then of a node, which is what shares an L3 and its memory controllers. */
enum signal {
	SIGNAL_CYCLES,
	SIGNAL_INSTRUCTIONS,
	SIGNAL_REQUESTS,	/* lines asked of the L3 */
	SIGNAL_MODIFIED,	/* of these, lines that another core had modified */
	SIGNALS_OF_CPU,
	SIGNAL_MISSES = SIGNALS_OF_CPU,	/* of the L3 */
	SIGNAL_READS,		/* lines that memory controllers read */
	SIGNAL_WRITES,
	SIGNAL_WAITING,		/* cycles of all reads under way, added */
	SIGNAL_WAITED,		/* reads that these are cycles of */
	SIGNAL_CONFLICTS,	/* accesses that closed a row of memory */
	SIGNAL_ROWS,		/* accesses that could have */
	SIGNAL_LOCAL,		/* of cores to memory of their node */
	SIGNAL_REMOTE,		/* of cores to memory of other nodes */
	SIGNAL_DEVICES,		/* of devices */
	SIGNALS_COUNTED,
	/* Lines that memory moves: SIGNAL_ROWS, or reads and writes where these are not counted. */
	SIGNAL_LINES = SIGNALS_COUNTED,
	SIGNALS
};

#define SIGNAL_BIT(s)	(1u << (s))

/**
 * struct signals - the counters of a set, as models use them
 * @has: bit n: the set counts enum signal n
 * @of: enum signal of each counter; SIGNALS: none
 */
struct signals {
	uint32_t has;
	uint8_t of[RCR_MAX_COUNTERS];
};

/**
 * signals_bind() - find the signals of a set
 * @s: filled in; no signals if no model knows the family
 * @set: the set
 */
void signals_bind(struct signals *s, const struct rcr_set *set);

/* What a signal counts: "L3 misses". */
const char *signal_name(enum signal signal);

/* The event by which @family counts it, in the raw form; NULL if there is none. */
const char *signal_event(const char *family, enum signal signal);

#endif
