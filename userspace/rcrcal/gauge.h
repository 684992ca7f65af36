/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gauge.h - median of a meter of the whole machine over selected ticks. */
#ifndef RCRCAL_GAUGE_H
#define RCRCAL_GAUGE_H

#include <stdint.h>

#include "board.h"

#define GAUGE_TICKS 1024

/**
 * struct gauge - a meter being watched
 * @b: the board
 * @name: name of the meter
 * @meter: handle of the meter
 * @about: description of the meter
 * @last: end of the latest tick taken, CLOCK_MONOTONIC, ns
 * @count: number of ticks taken
 * @value: ring buffer of their values, in the meter's unit
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
 * Finds a meter and subscribes to it every @interval_ns. Returns the exit status, after reporting
 * an error; a meter without values is an error.
 */
int gauge_open(struct gauge *g, const struct rcr_blackboard *b, const char *name,
	       uint64_t interval_ns);

/* Starts over: takes only ticks that end after @from, CLOCK_MONOTONIC in ns. */
void gauge_begin(struct gauge *g, uint64_t from);

/* Takes the latest tick if it is new; returns -1 with errno on failure. */
int gauge_look(struct gauge *g);

/* Returns the median of the ticks; 0 without any. Sorts @g->value: call gauge_begin() next. */
double gauge_median(struct gauge *g);

#endif
