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

#define HUNDRED_MILLION 100000000u

static char *put_pair(char *at, unsigned int pair)
{
	memcpy(at, pairs[pair], 2);
	return at + 2;
}

static char *put_four(char *at, unsigned int four)
{
	return put_pair(put_pair(at, four / 100), four % 100);
}

/* All of them, zeros as well. */
static char *put_eight(char *at, unsigned int eight)
{
	return put_four(put_four(at, eight / 10000), eight % 10000);
}

/* Of a number below a hundred million. */
static unsigned int length_of(unsigned int number)
{
	unsigned int length = 1, next = 10;

	while (number >= next) {
		length++;
		next *= 10;
	}
	return length;
}

static char *put_some(char *at, unsigned int number)
{
	char *end = at + length_of(number), *to = end;

	while (number >= 10) {
		to -= 2;
		put_pair(to, number % 100);
		number /= 100;
	}
	if (to > at)
		*at = '0' + number;
	return end;
}

/* @number as "%" PRIu64 has it. */
char *digits_put(char *at, uint64_t number)
{
	if (number < HUNDRED_MILLION)
		return put_some(at, number);
	at = digits_put(at, number / HUNDRED_MILLION);
	return put_eight(at, number % HUNDRED_MILLION);
}

/* So many tenths, as a number with one digit behind the point. */
char *digits_put_tenths(char *at, uint64_t tenths)
{
	at = digits_put(at, tenths / 10);
	*at++ = '.';
	*at++ = '0' + tenths % 10;
	return at;
}

/* @number / 2^@shift, halves to the even side; 0 < @shift < 64. */
static uint64_t divide_by_power(uint64_t number, unsigned int shift)
{
	uint64_t half = 1ull << (shift - 1), whole = number >> shift;
	uint64_t rest = number & (2 * half - 1);

	return whole + (rest > half || (rest == half && whole % 2));
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
