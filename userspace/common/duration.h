/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * duration.h - a time as people write it: a number and a unit.
 */
#ifndef COMMON_DURATION_H
#define COMMON_DURATION_H

#include <stdbool.h>
#include <stdint.h>

#define DURATION_UNITS 4

/**
 * struct duration_unit - a unit of time
 * @name: behind the number
 * @ns: how long it is
 */
struct duration_unit {
	const char *name;
	uint64_t ns;
};

/* From the longest to the shortest. */
extern const struct duration_unit duration_units[DURATION_UNITS];

/*
 * Reads "10ms"; a bare number is of units of @bare ns, or wrong when that is 0.
 * What is too short, too long or no number at all is the caller's to refuse.
 */
bool duration_parse(const char *text, uint64_t bare, double *ns);

#endif
