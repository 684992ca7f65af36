// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_digits.c - numbers as text compared with printf(), at every boundary.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "print/digits.h"
#include "ksft.h"
#include "stream_maker.h"

#define ROUNDS 1000000

static unsigned int tried, wrong;

static void judge(const char *got, const char *end, const char *expected)
{
	size_t length = end - got;

	tried++;
	if (length == strlen(expected) && length <= DIGITS_MOST &&
	    !memcmp(got, expected, length))
		return;
	if (!wrong++)
		ksft_print_msg("got %.*s, expected %s\n", (int)length, got, expected);
}

static void try_number(uint64_t number)
{
	char got[DIGITS_MOST], expected[64];

	snprintf(expected, sizeof(expected), "%" PRIu64, number);
	judge(got, digits_put(got, number), expected);
	snprintf(expected, sizeof(expected), "%" PRIu64 ".%" PRIu64, number / 10,
		 number % 10);
	judge(got, digits_put_tenths(got, number), expected);
}

static void try_rate(double rate)
{
	char got[DIGITS_MOST], expected[512];

	snprintf(expected, sizeof(expected), "%.1f", rate);
	judge(got, digits_put_rate(got, rate), expected);
}

static void begin(void)
{
	tried = 0;
	wrong = 0;
}

static void finish(const char *what)
{
	ksft_test_result(tried && !wrong, "%s: %u tried, %u wrong\n", what, tried, wrong);
}

/* Try the numbers around each power of 2 and of 10, and all numbers with few digits. */
static void test_numbers(void)
{
	uint64_t power, i;
	unsigned int bit;

	begin();
	for (i = 0; i < 200000; i++)
		try_number(i);
	for (bit = 0; bit < 64; bit++)
		for (i = 0; i < 2000; i++)
			try_number((1ull << bit) - 1000 + i);
	for (power = 1; power; power = power > UINT64_MAX / 10 ? 0 : power * 10)
		for (i = 0; i < 2000; i++)
			try_number(power - 1000 + i);
	for (i = 0; i < 2000; i++)
		try_number(UINT64_MAX - i);
	finish("whole numbers at their boundaries");
}

static void test_random_numbers(void)
{
	unsigned int i;

	begin();
	for (i = 0; i < ROUNDS; i++)
		try_number(random_number() >> (random_number() % 64));
	finish("whole numbers of all sizes");
}

/* Try a rate and the doubles next to it. */
static void try_around(double rate)
{
	double below = rate, above = rate;
	unsigned int i;

	try_rate(rate);
	for (i = 0; i < 3; i++) {
		below = nextafter(below, 0);
		above = nextafter(above, INFINITY);
		try_rate(below);
		try_rate(above);
	}
}

/* Try halves of a tenth, where "%.1f" has to choose; some of them are exact. */
static void test_ties(void)
{
	double size;
	unsigned int i;

	begin();
	for (i = 0; i < 200000; i++)
		try_around(i / 20.0);
	for (size = 1; size <= 1e19; size *= 10)
		for (i = 0; i < 400; i++)
			try_around(size + i / 16.0);
	finish("rates that are halfway between two tenths");
}

/* Try every exponent, from less than a counter can have to more than a gauge can. */
static void test_exponents(void)
{
	int exponent;
	unsigned int i;

	begin();
	try_rate(0);
	for (exponent = -1074; exponent < 64; exponent++) {
		try_around(ldexp(1, exponent));
		for (i = 0; i < 500; i++)
			try_rate(ldexp(1 + random_number() / 18446744073709551616.0, exponent));
	}
	try_around((double)(UINT64_MAX - 2048));
	try_rate((double)UINT64_MAX);
	finish("rates of every exponent");
}

static void test_random_rates(void)
{
	unsigned int i;

	begin();
	for (i = 0; i < ROUNDS; i++)
		try_rate((double)(random_number() >> (random_number() % 64)) * 2.3e9 /
			 (double)(1 + (random_number() >> (20 + random_number() % 40))) /
			 4e9);
	finish("random rates");
}

/* rcrstat adds up rates in tenths, which must agree with the printed rates. */
static void test_tenths(void)
{
	char text[64];
	uint64_t whole, tenth;
	unsigned int i, bad = 0;
	double rate;

	for (i = 0; i < ROUNDS; i++) {
		rate = (double)(random_number() >> (18 + random_number() % 46)) / 16;
		snprintf(text, sizeof(text), "%.1f", rate);
		bad += sscanf(text, "%" SCNu64 ".%" SCNu64, &whole, &tenth) != 2 ||
		       rate_tenths(rate) != whole * 10 + tenth;
	}
	ksft_test_result(!bad, "a rate in tenths agrees with the printed rate\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(6);
	test_numbers();
	test_random_numbers();
	test_ties();
	test_exponents();
	test_random_rates();
	test_tenths();
	ksft_finished();
}
