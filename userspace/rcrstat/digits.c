// SPDX-License-Identifier: GPL-2.0-only
/*
 * digits.c - numbers as text, many at a time: what printf would write, to the last
 * digit, in a tenth of the time.
 *
 * Each function writes at a place and returns the place behind what it wrote.
 *
 * Pure: no input, no output, no clock. Compiled into the unit tests as well.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "digits.h"

/* Bits of a double: so many of its fraction, and an exponent with this bias. */
#define FRACTION_BITS 52
#define EXPONENT_BIAS 1023

static const char pairs[100][2] = {
	"00", "01", "02", "03", "04", "05", "06", "07", "08", "09",
	"10", "11", "12", "13", "14", "15", "16", "17", "18", "19",
	"20", "21", "22", "23", "24", "25", "26", "27", "28", "29",
	"30", "31", "32", "33", "34", "35", "36", "37", "38", "39",
	"40", "41", "42", "43", "44", "45", "46", "47", "48", "49",
	"50", "51", "52", "53", "54", "55", "56", "57", "58", "59",
	"60", "61", "62", "63", "64", "65", "66", "67", "68", "69",
	"70", "71", "72", "73", "74", "75", "76", "77", "78", "79",
	"80", "81", "82", "83", "84", "85", "86", "87", "88", "89",
	"90", "91", "92", "93", "94", "95", "96", "97", "98", "99",
};

/* Entry i: the smallest number of i + 1 digits; 0 has one digit, too. */
static const uint64_t smallest[] = {
	0, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000,
	10000000000, 100000000000, 1000000000000, 10000000000000, 100000000000000,
	1000000000000000, 10000000000000000, 100000000000000000,
	1000000000000000000, 10000000000000000000u,
};

/* Digits of a number: the estimate from its bits, log10(2) = 1233 / 4096, may lack one. */
static unsigned int count_digits(uint64_t number)
{
	unsigned int bits = 64 - __builtin_clzll(number | 1);
	unsigned int some = bits * 1233 / 4096;

	return some + (number >= smallest[some]);
}

static void put_four(char *at, unsigned int four)
{
	memcpy(at, pairs[four / 100], 2);
	memcpy(at + 2, pairs[four % 100], 2);
}

/* @number as "%" PRIu64 has it. */
char *digits_put(char *at, uint64_t number)
{
	char *end = at + count_digits(number), *to = end;

	for (; number >= 10000; number /= 10000) {
		to -= 4;
		put_four(to, number % 10000);
	}
	if (number >= 100) {
		memcpy(to - 2, pairs[number % 100], 2);
		number /= 100;
	}
	if (number >= 10)
		memcpy(at, pairs[number], 2);
	else
		*at = '0' + number;
	return end;
}

/* So many tenths, as a number with one digit behind the point. */
char *digits_put_tenths(char *at, uint64_t tenths)
{
	char *end;

	if (tenths < 10)
		*at++ = '0';
	end = digits_put(at, tenths);
	end[0] = end[-1];
	end[-1] = '.';
	return end + 1;
}

/* @number / 2^@shift, halves to the even side; @number < 2^63, 0 < @shift < 64. */
static uint64_t divide_by_power(uint64_t number, unsigned int shift)
{
	uint64_t half = 1ull << (shift - 1), odd = number >> shift & 1;

	return (number + half - 1 + odd) >> shift;
}

/**
 * rate_tenths() - a rate as the whole number that "%.1f" prints of it
 * @rate: counts per second, 0 to RATE_LIMIT; or the value of a gauge
 *
 * Ten times a double has 57 bits at most, so that this is the only rounding, and it
 * goes the same way as printf's.
 */
uint64_t rate_tenths(double rate)
{
	uint64_t bits, fraction;
	int shift;

	memcpy(&bits, &rate, sizeof(bits));
	shift = EXPONENT_BIAS + FRACTION_BITS - (int)(bits >> FRACTION_BITS);
	if (shift <= 0)
		return llrintl((long double)rate * 10);
	/* Less than a twentieth, by far. */
	if (shift > 60)
		return 0;
	fraction = (bits & ((1ull << FRACTION_BITS) - 1)) | 1ull << FRACTION_BITS;
	return divide_by_power(fraction * 10, shift);
}

/* @rate, from 0, as "%.1f" has it. */
char *digits_put_rate(char *at, double rate)
{
	if (rate < 1ull << FRACTION_BITS)
		return digits_put_tenths(at, rate_tenths(rate));
	return at + snprintf(at, DIGITS_MOST, "%.1f", rate);
}
