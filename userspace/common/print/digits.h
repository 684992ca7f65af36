/* SPDX-License-Identifier: GPL-2.0-or-later */
/* digits.h - fast conversion of numbers to text. */
#ifndef COMMON_DIGITS_H
#define COMMON_DIGITS_H

#include <stdint.h>

/* Maximum number of characters that a function here writes; none writes a terminating 0. */
#define DIGITS_MOST 24

uint64_t rate_tenths(double rate);
char *digits_put(char *at, uint64_t number);
char *digits_put_tenths(char *at, uint64_t tenths);
char *digits_put_rate(char *at, double rate);

#endif
