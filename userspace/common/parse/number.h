/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * number.h - parses decimal numbers, alone or before a unit. All other parsers of numbers (periods,
 * quantities) use these functions.
 */
#ifndef COMMON_NUMBER_H
#define COMMON_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* Parses a text that consists of one unsigned integer. */
bool number_parse(const char *text, uint64_t *number);

/* The same; false also if the number is not in the range @least to @most. */
bool number_parse_range(const char *text, uint64_t least, uint64_t most, uint64_t *number);

/*
 * Parses the number that @text begins with: 2.5, -1e9, but not 0x10, inf or nan. Returns what
 * follows, such as a unit; NULL if @text does not begin with a number.
 */
const char *number_begin(const char *text, long double *number);

#endif
