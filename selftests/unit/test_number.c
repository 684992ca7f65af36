// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_number.c - numbers without floating point, against the processor's own
 * of 64 bits and against integers of 128.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <linux/kernel.h>

#include "ksft.h"
#include "meter/number.h"

#define ROUNDS 200000

/* Half a unit of the number's last bit, and of the processor's. */
#define NEAR ldexpl(1.5, -63)

static u64 state = 20240229;

/* A generator of the test's own: the same numbers everywhere. */
static u64 random_bits(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * 0x2545f4914f6cdd1dull;
}

static u64 random_below(u64 limit)
{
	return random_bits() % limit;
}

/* Of any size up to @bits, and often of one that is close to a power of two. */
static u64 random_integer(unsigned int bits)
{
	u64 val = 1 + random_below(bits);

	switch (random_below(4)) {
	case 0:
		return (1ull << (val - 1)) - random_below(2);
	default:
		return random_bits() >> (64 - val);
	}
}

static long double value(struct rcr_number n)
{
	return ldexpl(n.mantissa, n.exponent);
}

/* A number of any magnitude, and now and then 0. */
static struct rcr_number random_number(void)
{
	struct rcr_number n = rcr_number_from_s64(random_bits());

	if (!random_below(50))
		return (struct rcr_number){ };
	n.exponent += (int)random_below(4000) - 2000;
	return n;
}

/* One that is of about the size of another. */
static struct rcr_number random_like(struct rcr_number other)
{
	struct rcr_number n = random_number();

	if (n.mantissa && random_below(2))
		n.exponent = other.exponent + (int)random_below(150) - 75;
	return n;
}

static bool is_normal(struct rcr_number n)
{
	u64 size = n.mantissa < 0 ? -(u64)n.mantissa : (u64)n.mantissa;

	return size ? size >> 62 == 1 : !n.exponent;
}

static bool is_near(struct rcr_number n, long double want)
{
	return is_normal(n) && fabsl(value(n) - want) <= fabsl(want) * NEAR;
}

static void test_arithmetic(void)
{
	unsigned int i, add = 0, sub = 0, mul = 0, div = 0, order = 0;

	for (i = 0; i < ROUNDS; i++) {
		struct rcr_number a = random_number(), b = random_like(a);
		/* The same for the processor. */
		long double x = value(a), y = value(b);

		add += !is_near(rcr_number_add(a, b), x + y);
		sub += !is_near(rcr_number_sub(a, b), x - y);
		mul += !is_near(rcr_number_mul(a, b), x * y);
		if (b.mantissa)
			div += !is_near(rcr_number_div(a, b), x / y);
		else
			div += rcr_number_is_defined(rcr_number_div(a, b));
		order += (rcr_number_compare(a, b) > 0) != (x > y) ||
			 (rcr_number_compare(a, b) < 0) != (x < y) ||
			 rcr_number_compare(a, a) ||
			 value(rcr_number_min(a, b)) != fminl(x, y) ||
			 value(rcr_number_max(a, b)) != fmaxl(x, y);
	}
	ksft_test_result(!add, "%u sums are the nearest numbers (%u are not)\n", i, add);
	ksft_test_result(!sub, "differences (%u)\n", sub);
	ksft_test_result(!mul, "products (%u)\n", mul);
	ksft_test_result(!div, "quotients (%u)\n", div);
	ksft_test_result(!order, "which is larger (%u)\n", order);
}

static bool is_integer(struct rcr_number n, __int128_t want)
{
	s64 val;

	return !rcr_number_to_fixed(n, 0, &val) && val == want && is_normal(n) &&
	       value(n) == (long double)want;
}

static void test_integers(void)
{
	unsigned int i, from = 0, sums = 0, products = 0, quotients = 0;

	for (i = 0; i < ROUNDS; i++) {
		s64 a = random_integer(62), b = random_integer(62);
		u64 c = random_integer(31), d = 1 + random_integer(30);

		a = random_below(2) ? -a : a;
		from += !is_integer(rcr_number_from_s64(a), a) ||
			!is_integer(rcr_number_from_u64(b), b);
		sums += !is_integer(rcr_number_add(rcr_number_from_s64(a),
						   rcr_number_from_s64(b)), (__int128_t)a + b) ||
			!is_integer(rcr_number_sub(rcr_number_from_s64(a),
						   rcr_number_from_s64(b)), (__int128_t)a - b);
		products += !is_integer(rcr_number_mul(rcr_number_from_u64(c),
						       rcr_number_from_u64(d)), (__int128_t)c * d);
		quotients += !is_integer(rcr_number_div(rcr_number_from_u64(c * d),
							rcr_number_from_u64(d)), c);
	}
	ksft_test_result(!from, "integers stay what they are (%u do not)\n", from);
	ksft_test_result(!sums, "sums and differences of integers are exact (%u are not)\n", sums);
	ksft_test_result(!products, "products (%u)\n", products);
	ksft_test_result(!quotients, "quotients that are integers (%u)\n", quotients);
	ksft_test_result(value(rcr_number_from_u64(U64_MAX)) == 0x1p64L &&
			 value(rcr_number_from_s64(S64_MIN)) == -0x1p63L &&
			 value(rcr_number_from_u64(0)) == 0 &&
			 value(rcr_number_from_u128((__uint128_t)3 << 126)) == 0x1.8p127L &&
			 value(rcr_number_from_u128(~(__uint128_t)0)) == 0x1p128L,
			 "the largest and the smallest integers become numbers\n");
}

/* @size / 2^@shift x 10^@digits, as integers round it; counts exact halves. */
static __uint128_t fixed(u64 size, unsigned int shift, unsigned int digits,
			 unsigned int *halves)
{
	__uint128_t twice = (__uint128_t)size * 2;

	while (digits--)
		twice *= 10;
	*halves += twice % ((__uint128_t)2 << shift) == (__uint128_t)1 << shift;
	return (twice + ((__uint128_t)1 << shift)) / ((__uint128_t)2 << shift);
}

static void test_fixed(void)
{
	unsigned int i, wrong = 0, halves = 0, large = 0;

	for (i = 0; i < ROUNDS; i++) {
		u64 size = random_integer(62);
		unsigned int shift = random_below(random_below(2) ? 12 : 90);
		unsigned int digits = random_below(10);
		struct rcr_number n = rcr_number_from_u64(size);
		__uint128_t want = fixed(size, shift, digits, &halves);
		bool negative = random_below(2);
		s64 val, limit = negative ? S64_MIN : S64_MAX;
		int err;

		n = rcr_number_div(negative ? rcr_number_negate(n) : n,
				   (struct rcr_number){ 1ll << 62, (int)shift - 62 });
		err = rcr_number_to_fixed(n, digits, &val);
		if (want > (u64)S64_MAX + negative) {
			large++;
			wrong += err != -ERANGE || val != limit;
		} else {
			wrong += err || val != (negative ? -(s64)want : (s64)want);
		}
	}
	ksft_test_result(!wrong && halves > 1000 && large > 1000,
			 "%u fixed-point values, %u of them halves, %u past the limit (%u are wrong)\n",
			 i, halves, large, wrong);
}

static int to_fixed(const char *text, bool negative, unsigned int digits, s64 *val)
{
	struct rcr_number n;

	if (rcr_number_parse(&text, &n) || *text)
		return -1;
	return rcr_number_to_fixed(negative ? rcr_number_negate(n) : n, digits, val);
}

static bool fixed_is(const char *text, bool negative, unsigned int digits, int err, s64 want)
{
	s64 val = 77;

	return to_fixed(text, negative, digits, &val) == err && val == want;
}

static void test_fixed_ends(void)
{
	s64 val = 77;

	ksft_test_result(fixed_is("2.5", false, 0, 0, 3) && fixed_is("2.5", true, 0, 0, -3) &&
			 fixed_is("0.5", true, 0, 0, -1) && fixed_is("0.25", false, 1, 0, 3) &&
			 fixed_is("0.4999", false, 0, 0, 0),
			 "halves are rounded away from 0\n");
	ksft_test_result(fixed_is("9223372036854775807", false, 0, 0, S64_MAX) &&
			 fixed_is("9223372036854775808", true, 0, 0, S64_MIN) &&
			 fixed_is("9223372036854775808", false, 0, -ERANGE, S64_MAX) &&
			 fixed_is("9223372036854775810", true, 0, -ERANGE, S64_MIN) &&
			 fixed_is("18446744073709551616", true, 0, -ERANGE, S64_MIN) &&
			 fixed_is("1e99", true, 9, -ERANGE, S64_MIN) &&
			 fixed_is("1e-99", false, 9, 0, 0),
			 "what does not fit is the nearest that does\n");
	ksft_test_result(rcr_number_to_fixed(rcr_number_undefined(), 3, &val) == -EDOM && !val,
			 "what is undefined has no value\n");
	ksft_test_result(fixed_is("1", false, 10, -EINVAL, 0) && fixed_is("1", false, 9, 0, 1000000000),
			 "nine digits and no more\n");
}

static void test_undefined(void)
{
	struct rcr_number no = rcr_number_undefined(), one = rcr_number_from_u64(1);
	struct rcr_number zero = { }, huge = { 1ll << 62, 1 << 30 }, tiny = { 1ll << 62, -(1 << 30) };
	struct rcr_number all[] = {
		rcr_number_add(no, one), rcr_number_add(zero, no), rcr_number_sub(no, no),
		rcr_number_mul(zero, no), rcr_number_mul(no, one), rcr_number_div(no, one),
		rcr_number_div(zero, no), rcr_number_min(no, one), rcr_number_max(one, no),
		rcr_number_negate(no), rcr_number_div(one, zero), rcr_number_div(zero, zero),
		rcr_number_mul(huge, huge), rcr_number_div(huge, tiny), rcr_number_add(huge, huge),
	};
	unsigned int i, defined = 0;

	for (i = 0; i < ARRAY_SIZE(all); i++)
		defined += rcr_number_is_defined(all[i]);
	ksft_test_result(!defined, "what has an undefined part, or is past all, is undefined (%u are not)\n",
			 defined);
	ksft_test_result(is_integer(rcr_number_mul(tiny, tiny), 0) &&
			 is_integer(rcr_number_div(tiny, huge), 0) &&
			 is_integer(rcr_number_mul(zero, huge), 0) &&
			 is_integer(rcr_number_div(zero, tiny), 0) &&
			 is_integer(rcr_number_sub(huge, huge), 0),
			 "what is below all is 0, and so is 0 of anything\n");
}

/* Random digits, a point and an exponent, which may each be missing. */
static void random_decimal(char *text)
{
	unsigned int i, whole = 1 + random_below(50), part = random_below(25);
	int exponent = (int)random_below(100) - 50;

	for (i = 0; i < whole; i++)
		*text++ = '0' + random_below(10);
	if (part)
		*text++ = '.';
	for (i = 0; i < part; i++)
		*text++ = '0' + random_below(10);
	*text = 0;
	if (random_below(2))
		sprintf(text, random_below(2) ? "e%d" : "E%+d", exponent);
}

static void test_parse(void)
{
	unsigned int i, wrong = 0;

	for (i = 0; i < ROUNDS; i++) {
		long double want;
		char text[100];
		const char *at = text;
		struct rcr_number n;

		random_decimal(text);
		want = strtold(text, NULL);
		if (rcr_number_parse(&at, &n) || *at || fabsl(value(n) - want) > ldexpl(want, -60)) {
			wrong++;
			ksft_print_msg("%s\n", text);
		}
	}
	ksft_test_result(!wrong, "%u decimals are what the C library reads (%u are not)\n", i, wrong);
}

/* How much of a text is a number; or an error. */
static int taken(const char *text)
{
	const char *at = text;
	struct rcr_number n;
	int err = rcr_number_parse(&at, &n);

	return err ? (at == text ? err : -1) : at - text;
}

static void test_parse_ends(void)
{
	ksft_test_result(taken("12") == 2 && taken("1.25") == 4 && taken("1e9") == 3 &&
			 taken("2.5e-3") == 6 && taken("7.x") == 1 && taken("7e") == 1 &&
			 taken("7e+") == 1 && taken("7ex") == 1 && taken("1.2.3") == 3 &&
			 taken("1e2e3") == 3 && taken("3x4") == 1 && taken("0x10") == 1,
			 "a number ends where it ends\n");
	ksft_test_result(taken("") == -EINVAL && taken("-1") == -EINVAL && taken(".5") == -EINVAL &&
			 taken("e5") == -EINVAL && taken(" 1") == -EINVAL && taken("\xff") == -EINVAL,
			 "what does not begin with a digit is none\n");
	ksft_test_result(taken("1e100") == -ERANGE && taken("1e-100") == -ERANGE &&
			 taken("1.5e-99") == -ERANGE && taken("1e99999999999999999999") == -ERANGE &&
			 taken("1e99") == 4 && taken("1.5e-98") == 7,
			 "nor is what is too large or too small\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(5 + 5 + 1 + 4 + 2 + 1 + 3);
	test_arithmetic();
	test_integers();
	test_fixed();
	test_fixed_ends();
	test_undefined();
	test_parse();
	test_parse_ends();
	ksft_finished();
}
