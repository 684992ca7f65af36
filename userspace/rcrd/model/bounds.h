/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bounds.h - thresholds of models. Each has a default, and a file can have other values:
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
	BOUND_UTILIZATION,		/* loaded, together with the following */
	BOUND_LATENCY,			/* by load, divided by that without load */
	BOUND_BUSY_UTILIZATION,
	BOUND_BUSY_ALONE,		/* utilization that is busy with any latency */
	BOUND_BUSY_LATENCY,
	BOUND_IMBALANCE,		/* of other controllers, by that of the loaded one */
	BOUND_REMOTE,			/* part of the accesses, on each node */
	BOUND_BUSY_REMOTE,
	BOUND_CONFLICTS,		/* part of the accesses that closes a row */
	BOUND_DEVICES,			/* part of the lines that devices ask for */
	BOUND_SLOWER,			/* latency beyond what a queue explains */
	BOUND_STALLED,			/* part of the time in which a process waits for memory */
	BOUND_CONCURRENCY,		/* its reads under way at once */
	/* Cache. */
	BOUND_MISSES,			/* for 1,000 instructions */
	BOUND_MISS_RATIO,
	BOUND_BUSY_CPUS,
	BOUND_BUSY_MISS_RATIO,
	BOUND_ONE_SHARE,		/* of the requests, by that of a fair share, */
	BOUND_ONE_MOST,			/* or alone */
	BOUND_MODIFIED,			/* part of the requests that found a line modified */
	BOUND_MODIFIED_TIME,		/* part of the cycles that these took */
	BOUND_BUSY_MODIFIED_TIME,
	BOUND_MODIFIED_CYCLES,		/* of such a line */
	BOUND_SLOPE,			/* of misses by busy CPUs, in its standard errors */
	/* Processes. */
	BOUND_VICTIM,			/* above its own quiet mean, in standard deviations */
	BOUND_CORRELATION,		/* of cause and victim */
	BOUND_SLOWDOWN,			/* of a victim, at least */
	BOUNDS
};

/**
 * struct bounds - values of all thresholds
 * @value: by enum bound
 * @given: by enum bound: it was set, perhaps to its default
 */
struct bounds {
	double value[BOUNDS];
	bool given[BOUNDS];
};

/* Sets the defaults. */
void bounds_init(struct bounds *b);

/* Sets one by "NAME=VALUE"; returns 0, or -1 with @why filled in, and nothing changed. */
int bounds_set(struct bounds *b, const char *text, struct why *why);

/**
 * bounds_parse() - take the lines of a file
 * @b: the defaults, or values of before; unchanged if a line is invalid
 * @path: for messages
 * @text: contents
 * @size: bytes of @text
 * @why: filled in for the first invalid line: "PATH:LINE: ..."
 *
 * Return: 0 or -1.
 */
int bounds_parse(struct bounds *b, const char *path, const char *text, size_t size,
		 struct why *why);

/* Writes all for a recording: lines "bound.NAME=VALUE", with @to as first argument of @take. */
void bounds_write(const struct bounds *b, fact_take take, void *to);

/* Takes such a line, unless the threshold was given; false if it is another one, or invalid. */
bool bounds_take(struct bounds *b, const char *line);

#endif
