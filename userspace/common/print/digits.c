// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * digits.c - fast conversion of numbers to text: the same digits as printf, in a tenth of the time.
 *
 * Each function writes at @at and returns the position after the last character written.
 *
 * Pure: no input, no output, no clock. Also compiled into the unit tests.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "print/digits.h"

/* Layout of a double: bits of the fraction, and the bias of the exponent. */
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

/* Entry i: the smallest number with i + 1 digits; 0 has one digit as well. */
static const uint64_t smallest[] = {
	0, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000,
	10000000000, 100000000000, 1000000000000, 10000000000000, 100000000000000,
	1000000000000000, 10000000000000000, 100000000000000000,
	1000000000000000000, 10000000000000000000u,
};

/* Digits of a number: the estimate from its bits, log10(2) = 1233 / 4096, may be one too low. */
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

/* Writes @number like "%" PRIu64. */
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

/* Writes @tenths / 10 with one digit after the decimal point. */
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

/* @number / 2^@shift, rounded half to even; @number < 2^63, 0 < @shift < 64. */
static uint64_t divide_by_power(uint64_t number, unsigned int shift)
{
	uint64_t half = 1ull << (shift - 1), odd = number >> shift & 1;

	return (number + half - 1 + odd) >> shift;
}

/**
 * rate_tenths() - convert a rate to tenths, rounded as "%.1f" does
 * @rate: counts per second, 0 to RATE_LIMIT; or the value of a gauge
 *
 * Ten times a double has at most 57 bits, so this is the only rounding, and it is the same as
 * printf's.
 */
uint64_t rate_tenths(double rate)
{
	uint64_t bits, fraction;
	int shift;

	memcpy(&bits, &rate, sizeof(bits));
	shift = EXPONENT_BIAS + FRACTION_BITS - (int)(bits >> FRACTION_BITS);
	if (shift <= 0)
		return llrintl((long double)rate * 10);
	/* Far below 1/20, rounds to 0. */
	if (shift > 60)
		return 0;
	fraction = (bits & ((1ull << FRACTION_BITS) - 1)) | 1ull << FRACTION_BITS;
	return divide_by_power(fraction * 10, shift);
}

/* Writes @rate, which is not negative, like "%.1f". */
char *digits_put_rate(char *at, double rate)
{
	if (rate < 1ull << FRACTION_BITS)
		return digits_put_tenths(at, rate_tenths(rate));
	return at + snprintf(at, DIGITS_MOST, "%.1f", rate);
}
