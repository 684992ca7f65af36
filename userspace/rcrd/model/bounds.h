/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bounds.h - thresholds of the models. A configuration file can override the defaults:
 *
 *	memory.busy_utilization = 0.85
 */
#ifndef RCRD_BOUNDS_H
#define RCRD_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/fact.h"
#include "why.h"

enum bound {
	/* Memory. */
	BOUND_UTILIZATION,		/* fraction of the capacity; also needs BOUND_LATENCY */
	BOUND_LATENCY,			/* multiple of the latency without load */
	BOUND_BUSY_UTILIZATION,		/* as above, for busy */
	BOUND_BUSY_ALONE,		/* utilization that is busy with any latency */
	BOUND_BUSY_LATENCY,
	BOUND_IMBALANCE,		/* other nodes' utilization, as a fraction of this node's */
	BOUND_REMOTE,			/* fraction of the accesses, on each node */
	BOUND_BUSY_REMOTE,
	BOUND_CONFLICTS,		/* fraction of the accesses that close a row */
	BOUND_DEVICES,			/* fraction of the traffic that devices cause */
	BOUND_SLOWER,			/* latency, as a multiple of what a queue explains */
	BOUND_STALLED,			/* fraction of the time that processes wait for memory */
	BOUND_CONCURRENCY,		/* reads in flight while a process waits */
	/* Cache. */
	BOUND_MISSES,			/* per 1,000 instructions */
	BOUND_MISS_RATIO,
	BOUND_BUSY_CPUS,
	BOUND_BUSY_MISS_RATIO,
	BOUND_ONE_SHARE,		/* one process's requests, as a multiple of a fair share */
	BOUND_ONE_MOST,			/* fraction of the requests that always suffices */
	BOUND_MODIFIED,			/* fraction of the requests that hit a modified line */
	BOUND_MODIFIED_TIME,		/* fraction of the cycles that these requests take */
	BOUND_BUSY_MODIFIED_TIME,
	BOUND_MODIFIED_CYCLES,		/* cycles that one such request takes */
	BOUND_SLOPE,			/* misses over busy CPUs, in standard errors */
	/* Processes. */
	BOUND_VICTIM,			/* standard deviations above the mean of quiet windows */
	BOUND_CORRELATION,		/* of the cause's requests and the victim's CPI */
	BOUND_SLOWDOWN,			/* least slowdown of a victim */
	BOUNDS
};

/**
 * struct bounds - values of all thresholds
 * @value: value of each enum bound
 * @given: true for each enum bound that was set explicitly
 */
struct bounds {
	double value[BOUNDS];
	bool given[BOUNDS];
};

/* Sets the defaults. */
void bounds_init(struct bounds *b);

/* Sets the threshold in "NAME=VALUE". Returns 0, or -1 with @why filled in and @b unchanged. */
int bounds_set(struct bounds *b, const char *text, struct why *why);

/**
 * bounds_parse() - set the thresholds that a file lists
 * @b: thresholds to change; left unchanged if a line is invalid
 * @path: name of the file, for messages
 * @text: contents of the file
 * @size: bytes of @text
 * @why: filled in for the first invalid line: "PATH:LINE: ..."
 *
 * Return: 0 or -1.
 */
int bounds_parse(struct bounds *b, const char *path, const char *text, size_t size,
		 struct why *why);

/* Passes each threshold to @take, with @to, as a line "bound.NAME=VALUE" for a recording. */
void bounds_write(const struct bounds *b, fact_take take, void *to);

/*
 * Parses a line of bounds_write(); a threshold in @given keeps its value. Returns false if the
 * line is invalid or not about a threshold.
 */
bool bounds_take(struct bounds *b, const char *line);

#endif
