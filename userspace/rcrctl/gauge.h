/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gauge.h - what a meter says of the whole machine for some time, in the middle.
 */
#ifndef RCRCTL_GAUGE_H
#define RCRCTL_GAUGE_H

#include <stdint.h>

#include "board.h"

#define GAUGE_TICKS 1024

/**
 * struct gauge - a meter that is watched for some time
 * @b: the board
 * @name: of the meter
 * @meter: it
 * @about: what it is
 * @last: the latest tick that was taken, CLOCK_MONOTONIC, ns
 * @count: ticks that were taken
 * @value: of the latest of them, in the meter's unit
 */
struct gauge {
	const struct rcr_blackboard *b;
	const char *name;
	struct rcr_meter meter;
	struct rcr_board_meter about;
	uint64_t last;
	unsigned int count;
	double value[GAUGE_TICKS];
};

/*
 * Finds it, and has it evaluated every @interval_ns; the exit status, after a sentence where
 * it has no values.
 */
int gauge_open(struct gauge *g, const struct rcr_blackboard *b, const char *name,
	       uint64_t interval_ns);

/* Only ticks that end after @from, CLOCK_MONOTONIC in ns, count from now on. */
void gauge_begin(struct gauge *g, uint64_t from);

/* Takes the latest tick, if it is new; -1 with errno. */
int gauge_look(struct gauge *g);

/* The median of what was taken; 0: there was nothing. Sorts it: begin anew then. */
double gauge_median(struct gauge *g);

#endif
