/* SPDX-License-Identifier: GPL-2.0-or-later */
/* duration.h - parses a time: a number and a unit. */
#ifndef COMMON_DURATION_H
#define COMMON_DURATION_H

#include <stdbool.h>
#include <stdint.h>

#define DURATION_UNITS 4

/**
 * struct duration_unit - a unit of time
 * @name: suffix of the number
 * @ns: length
 */
struct duration_unit {
	const char *name;
	uint64_t ns;
};

/* In descending order of length. */
extern const struct duration_unit duration_units[DURATION_UNITS];

/*
 * Parses "10ms"; the unit of a bare number is @bare ns, and 0 makes it invalid. The caller checks
 * the range; @ns may be infinite.
 */
bool duration_parse(const char *text, uint64_t bare, double *ns);

#endif
