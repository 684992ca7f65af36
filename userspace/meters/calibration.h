/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calibration.h - limits of resources in a file, which persists when the module is unloaded.
 *
 *	family AMD Fam15h
 *	mem_bw machine maximum 51200000000B/s
 *	mem_bw read maximum 38000000000B/s contention 31000000000B/s
 *
 * Each line has the limits of one meter and mix; "machine" is the theoretical maximum.
 */
#ifndef METERS_CALIBRATION_H
#define METERS_CALIBRATION_H

#include <stdio.h>

#include "parse/lines.h"
#include "mix.h"
#include "parse/quantity.h"

#define CALIBRATION_FILE "/var/lib/rcrtool/calibration"

/* Used like an enum mix: the theoretical limit, independent of the mix. */
#define CALIBRATION_MACHINE	MIXES
#define CALIBRATION_KINDS	(MIXES + 1)
#define CALIBRATION_MOST	(8 * CALIBRATION_KINDS)
#define CALIBRATION_FAMILY_LEN	32

/**
 * struct calibrated - limits of a resource
 * @meter: name of the meter
 * @kind: enum mix, or CALIBRATION_MACHINE
 * @maximum: highest observed throughput, or the theoretical limit, as text
 * @contention: throughput at the knee, as text; empty: not known
 */
struct calibrated {
	char meter[RCR_METER_NAME_LEN];
	unsigned int kind;
	char maximum[QUANTITY_LEN + RCR_METER_UNIT_LEN];
	char contention[QUANTITY_LEN + RCR_METER_UNIT_LEN];
};

/**
 * struct calibration - contents of a calibration file
 * @family: processor family that was measured
 * @count: entries of @line
 * @line: the limits
 */
struct calibration {
	char family[CALIBRATION_FAMILY_LEN];
	unsigned int count;
	struct calibrated line[CALIBRATION_MOST];
};

/* "read", "machine" */
const char *calibration_kind_name(unsigned int kind);
bool calibration_parse_kind(const char *name, unsigned int *kind);

/* Returns the number of invalid lines; calls @wrong for each. */
int calibration_read(struct calibration *c, const char *text, size_t size,
		     line_wrong wrong, void *to);

/*
 * Reads a file. Returns the number of invalid lines, each of which is reported; -1 after reporting
 * that it cannot be read.
 */
int calibration_load(struct calibration *c, const char *path);

/* Adds or replaces the line of a meter and kind; returns -1 with @why filled in on failure. */
int calibration_put(struct calibration *c, const struct calibrated *line, struct why *why);

/*
 * Returns the line of @meter with the limits to use: that of @kind, else of copy, read, write or
 * random, else of the machine; NULL if there is none.
 */
const struct calibrated *calibration_choose(const struct calibration *c, const char *meter,
					    unsigned int kind);

void calibration_write(FILE *out, const struct calibration *c);

#endif
