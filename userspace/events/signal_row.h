/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * signal_row.h - signals: the inputs of models of contention. Each family has its own events for
 * them.
 */
#ifndef EVENTS_SIGNAL_ROW_H
#define EVENTS_SIGNAL_ROW_H

#include <stdbool.h>

/* Signals of a CPU, then those of a node: the CPUs that share an L3 and its memory controllers. */
enum signal {
	SIGNAL_CYCLES,
	SIGNAL_INSTRUCTIONS,
	SIGNAL_REQUESTS,	/* lines requested from the L3 */
	SIGNAL_MODIFIED,	/* requested lines that another core had modified */
	SIGNAL_TRANSFER,	/* SIGNAL_MODIFIED, weighted by the cost of each line */
	SIGNALS_OF_CPU,
	SIGNAL_MISSES = SIGNALS_OF_CPU,	/* misses of the L3 */
	SIGNAL_READS,		/* lines that memory controllers read */
	SIGNAL_WRITES,
	SIGNAL_WAITING,		/* sum of the cycles for which reads were pending */
	SIGNAL_WAITED,		/* reads that SIGNAL_WAITING has the cycles of */
	SIGNAL_CONFLICTS,	/* accesses that closed a row of memory */
	SIGNAL_ROWS,		/* accesses that could have closed a row */
	SIGNAL_LOCAL,		/* accesses of cores to memory of their node */
	SIGNAL_REMOTE,		/* accesses of cores to memory of other nodes */
	SIGNAL_DEVICES,		/* accesses of devices */
	SIGNAL_BUSY,		/* cycles in which channels of memory transferred data */
	SIGNAL_CLOCKS,		/* cycles of these channels */
	SIGNAL_UNDER_WAY,	/* SIGNAL_WAITING, if it covers all reads from start to end */
	SIGNALS_COUNTED,
	/* Lines read from or written to memory: SIGNAL_ROWS if counted, else reads and writes. */
	SIGNAL_LINES = SIGNALS_COUNTED,
	/* Load of the memory: from SIGNAL_LINES, or from SIGNAL_BUSY and SIGNAL_CLOCKS. */
	SIGNAL_LOAD,
	SIGNALS
};

/**
 * struct signal_row - an event that is a signal of models on a family
 * @family: name of the family
 * @signal: the signal; the counts of all its rows are added, and all of them must be counted
 * @event: the raw form; or "NAME#=UNIT#:event:..." as in struct catalogue_row, for counters of all
 *	boxes; NULL: use @like
 * @like: signal that has the same counts
 * @weight: factor of the counts; 0: 1
 * @cost: SIGNAL_MODIFIED: cost of a line, as a fraction of cache.modified_cycles; 0: 1
 * @at_home: SIGNAL_REMOTE: counts accesses of other nodes to this node's memory; SIGNAL_LOCAL
 *	then counts those of this node to its own memory
 * @doubt: known defect of the count, with its source; NULL: none
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
