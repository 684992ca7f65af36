/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * digits.h - numbers as text, many at a time.
 */
#ifndef RCRSTAT_DIGITS_H
#define RCRSTAT_DIGITS_H

#include <stdint.h>

/* No function here writes more than this; none writes an end. */
#define DIGITS_MOST 24

uint64_t rate_tenths(double rate);
char *digits_put(char *at, uint64_t number);
char *digits_put_tenths(char *at, uint64_t tenths);
char *digits_put_rate(char *at, double rate);

#endif
