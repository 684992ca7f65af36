/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * calibration.h - what resources can do, in a file that outlives the module.
 *
 *	family AMD Fam15h
 *	mem_bw machine maximum 51200000000B/s
 *	mem_bw read maximum 38000000000B/s contention 31000000000B/s
 *
 * One meter and mix a line. A machine's line has its theoretical maximum.
 */
#ifndef RCRCTL_CALIBRATION_H
#define RCRCTL_CALIBRATION_H

#include <stdio.h>

#include "lines.h"
#include "mix.h"
#include "quantity.h"

#define CALIBRATION_FILE "/var/lib/rcrtool/calibration"

/* In place of an enum mix: the theoretical limit, of no mix. */
#define CALIBRATION_MACHINE	MIXES
#define CALIBRATION_KINDS	(MIXES + 1)
#define CALIBRATION_MOST	(8 * CALIBRATION_KINDS)
#define CALIBRATION_FAMILY_LEN	32

/**
 * struct calibrated - what a resource can do
 * @meter: its name
 * @kind: enum mix, or CALIBRATION_MACHINE
 * @maximum: highest that was observed, or the machine's limit; as it is written
 * @contention: level of it, likewise; empty: not known
 */
struct calibrated {
	char meter[RCR_METER_NAME_LEN];
	unsigned int kind;
	char maximum[QUANTITY_LEN + RCR_METER_UNIT_LEN];
	char contention[QUANTITY_LEN + RCR_METER_UNIT_LEN];
};

/**
 * struct calibration - a file of them
 * @family: the kind of processor that it is of
 * @count: entries of @line
 * @line: the lines
 */
struct calibration {
	char family[CALIBRATION_FAMILY_LEN];
	unsigned int count;
	struct calibrated line[CALIBRATION_MOST];
};

/* "read", "machine" */
const char *calibration_kind_name(unsigned int kind);
bool calibration_parse_kind(const char *name, unsigned int *kind);

/* Returns how many lines are wrong; @wrong is told each. */
int calibration_read(struct calibration *c, const char *text, size_t size,
		     line_wrong wrong, void *to);

/* In the place of what is known of that meter and kind; -1 with the reason. */
int calibration_put(struct calibration *c, const struct calibrated *line, struct why *why);

/*
 * The line of @meter whose limits are to be used: of @kind, else of copy, read, write and
 * random, else of the machine; NULL: there is none.
 */
const struct calibrated *calibration_choose(const struct calibration *c, const char *meter,
					    unsigned int kind);

void calibration_write(FILE *out, const struct calibration *c);

#endif
