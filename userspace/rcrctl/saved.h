/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * saved.h - a set of counters in a file.
 *
 *	# a comment
 *	period 10ms
 *	TOT_CYC=event:0x76
 *	L1_DCM
 *
 * One event a line, in any form that add takes, and at most one period.
 */
#ifndef RCRCTL_SAVED_H
#define RCRCTL_SAVED_H

#include <stdio.h>

#include "names.h"
#include "rcr_control.h"

/**
 * struct saved - a set of counters
 * @event: the events, in the module's form
 * @line: where each stands
 * @count: how many
 * @period_ns: 0 when the file has none
 * @period_line: where that stands
 */
struct saved {
	char event[RCR_MAX_COUNTERS][RCR_EVENT_LEN];
	unsigned int line[RCR_MAX_COUNTERS];
	unsigned int count;
	uint64_t period_ns;
	unsigned int period_line;
};

/* Returns how many lines are wrong; @wrong is told each. */
int saved_read(struct saved *s, const char *text, size_t size,
	       const struct names *names, line_wrong wrong, void *to);

/* Takes event @i out. */
void saved_remove(struct saved *s, unsigned int i);

/* Writes what finalize would program, and the period. */
void saved_write(FILE *out, const struct rcr_state *state);

#endif
