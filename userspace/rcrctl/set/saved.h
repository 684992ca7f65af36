/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * saved.h - reads and writes a set of counters in a file.
 *
 *	# a comment
 *	period 10ms
 *	TOT_CYC=event:0x76
 *	L1_DCM
 *
 * Each line has one event, in any form that "add" accepts; at most one line has a period.
 */
#ifndef RCRCTL_SAVED_H
#define RCRCTL_SAVED_H

#include <stdio.h>

#include "names.h"
#include "rcr_control.h"

/**
 * struct saved - a set of counters
 * @event: events in the module's form
 * @line: line number of each event
 * @count: entries of @event
 * @period_ns: sampling period, ns; 0: not in the file
 * @period_line: line number of the period
 */
struct saved {
	char event[RCR_MAX_COUNTERS][RCR_EVENT_LEN];
	unsigned int line[RCR_MAX_COUNTERS];
	unsigned int count;
	uint64_t period_ns;
	unsigned int period_line;
};

/* Returns the number of invalid lines; calls @wrong for each. */
int saved_read(struct saved *s, const char *text, size_t size,
	       const struct names *names, line_wrong wrong, void *to);

/* Removes event @i. */
void saved_remove(struct saved *s, unsigned int i);

/* Writes the staged set and the period. */
void saved_write(FILE *out, const struct rcr_state *state);

#endif
