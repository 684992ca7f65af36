/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * signal_row.h - what models of contention count. Each family counts it by events of its own.
 */
#ifndef EVENTS_SIGNAL_ROW_H
#define EVENTS_SIGNAL_ROW_H

#include <stdbool.h>

/* Of a CPU; then of a node, which is what shares an L3 and its memory controllers. */
enum signal {
	SIGNAL_CYCLES,
	SIGNAL_INSTRUCTIONS,
	SIGNAL_REQUESTS,	/* lines asked of the L3 */
	SIGNAL_MODIFIED,	/* of these, lines that another core had modified */
	SIGNAL_TRANSFER,	/* the same, each by its cost */
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
	SIGNAL_BUSY,		/* cycles in which memory transfers, of all its channels */
	SIGNAL_CLOCKS,		/* cycles of these channels */
	SIGNAL_UNDER_WAY,	/* SIGNAL_WAITING, if that is of all reads for all their time */
	SIGNALS_COUNTED,
	/* Lines that memory moves: SIGNAL_ROWS, or reads and writes where these are not counted. */
	SIGNAL_LINES = SIGNALS_COUNTED,
	/* These, or the cycles in which memory transfers and all of them. */
	SIGNAL_LOAD,
	SIGNALS
};

/**
 * struct signal_row - an event that is a signal of models on a family
 * @family: name of the family
 * @signal: the signal; the counts of all its rows are added, and each must be there
 * @event: the raw form; or "NAME#=UNIT#:event:..." as in struct catalogue_row, for the counters
 *	with such names, one of each box; NULL: @like
 * @like: signal that has the same counts
 * @weight: of a count; 0: 1
 * @cost: of SIGNAL_MODIFIED: of such a line, in parts of cache.modified_cycles; 0: 1
 * @at_home: of SIGNAL_REMOTE: the accesses of other nodes to the node's memory, as its
 *	controllers see them; SIGNAL_LOCAL is then of the node to its own memory
 * @doubt: a known defect of the count, with its source; NULL: nothing is known
 */
struct signal_row {
	const char *family;
	enum signal signal;
	const char *event;
	enum signal like;
	double weight, cost;
	bool at_home;
	const char *doubt;
};

/* Iterates over the rows of a family; @before is the previous one, or NULL to start. */
const struct signal_row *signal_next(const struct signal_row *before, const char *family);

#endif
