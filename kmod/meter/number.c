// SPDX-License-Identifier: GPL-2.0-only
/*
 * number.c - arithmetic of numbers of any size, in integers.
 *
 * Every operation makes its exact result, or one with more bits than a number
 * has, and rounds once.
 *
 * Pure: compiled into the unit tests as well.
 */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/math64.h>

#include "number.h"

#define MANTISSA_BITS	63
#define MAX_EXPONENT	0x40000000

static int bits_of(__uint128_t val)
{
	u64 high = val >> 64;

	return high ? 64 + fls64(high) : fls64(val);
}

static u64 magnitude_of(struct rcr_number n)
{
	return n.mantissa < 0 ? -(u64)n.mantissa : (u64)n.mantissa;
}

/* @val / 2^@shift to the nearest integer, a half upwards; by 1 to 127. */
static __uint128_t shift_some(__uint128_t val, unsigned int shift)
{
	return (val >> shift) + (val >> (shift - 1) & 1);
}

/* Likewise by any. */
static __uint128_t shift_right(__uint128_t val, unsigned int shift)
{
	if (!shift)
		return val;
	if (shift > 127)
		return shift == 128 ? val >> 127 : 0;
	return shift_some(val, shift);
}

/* The number nearest to @val x 2^@exponent. */
static struct rcr_number nearest(bool negative, __uint128_t val, s64 exponent)
{
	int excess = bits_of(val) - MANTISSA_BITS;
	u64 mantissa;

	if (!val)
		return (struct rcr_number){ };
	if (excess > 0)
		mantissa = shift_some(val, excess);
	else
		mantissa = (u64)val << -excess;
	exponent += excess;
	if (mantissa >> MANTISSA_BITS) {
		mantissa >>= 1;
		exponent++;
	}
	if (exponent > MAX_EXPONENT)
		return rcr_number_undefined();
	if (exponent < -MAX_EXPONENT)
		return (struct rcr_number){ };
	return (struct rcr_number){ negative ? -(s64)mantissa : (s64)mantissa, exponent };
}

/**
 * rcr_number_from_u128() - an integer as a number
 * @val: the integer
 *
 * Context: any, as all of this file.
 * Return: the nearest number; the integer itself up to 2^63.
 */
struct rcr_number rcr_number_from_u128(__uint128_t val)
{
	if (!(u64)(val >> 64))
		return rcr_number_from_u64(val);
	return nearest(false, val, 0);
}

/* An integer as a number; above 2^63 the nearest even one. */
struct rcr_number rcr_number_from_u64(u64 val)
{
	int spare = MANTISSA_BITS - fls64(val);

	if (!val)
		return (struct rcr_number){ };
	if (spare < 0)
		return nearest(false, val, 0);
	return (struct rcr_number){ val << spare, -spare };
}

/* A signed integer as a number. */
struct rcr_number rcr_number_from_s64(s64 val)
{
	struct rcr_number n = rcr_number_from_u64(val < 0 ? -(u64)val : (u64)val);

	return val < 0 ? rcr_number_negate(n) : n;
}

/* -n */
struct rcr_number rcr_number_negate(struct rcr_number n)
{
	if (rcr_number_is_defined(n))
		n.mantissa = -n.mantissa;
	return n;
}

static bool both_defined(struct rcr_number a, struct rcr_number b)
{
	return rcr_number_is_defined(a) && rcr_number_is_defined(b);
}

/* Of two numbers that are not 0, @a with the larger exponent. */
static struct rcr_number add_smaller(struct rcr_number a, struct rcr_number b)
{
	s64 apart = (s64)a.exponent - b.exponent;
	__uint128_t large = (__uint128_t)magnitude_of(a) << 64;
	__uint128_t small = (__uint128_t)magnitude_of(b) << 64;
	bool negative = a.mantissa < 0, other = b.mantissa < 0;

	small = apart < 128 ? small >> apart : 0;
	if (negative == other)
		return nearest(negative, large + small, (s64)a.exponent - 64);
	if (large < small)
		return nearest(!negative, small - large, (s64)a.exponent - 64);
	return nearest(negative, large - small, (s64)a.exponent - 64);
}

/* a + b */
struct rcr_number rcr_number_add(struct rcr_number a, struct rcr_number b)
{
	if (!both_defined(a, b))
		return rcr_number_undefined();
	if (!a.mantissa)
		return b;
	if (!b.mantissa)
		return a;
	return a.exponent < b.exponent ? add_smaller(b, a) : add_smaller(a, b);
}

/* a - b */
struct rcr_number rcr_number_sub(struct rcr_number a, struct rcr_number b)
{
	return rcr_number_add(a, rcr_number_negate(b));
}

/* a x b */
struct rcr_number rcr_number_mul(struct rcr_number a, struct rcr_number b)
{
	if (!both_defined(a, b))
		return rcr_number_undefined();
	return nearest((a.mantissa < 0) != (b.mantissa < 0),
		       (__uint128_t)magnitude_of(a) * magnitude_of(b),
		       (s64)a.exponent + b.exponent);
}

/**
 * rcr_number_div() - a quotient
 * @a: the dividend
 * @b: the divisor
 *
 * Return: @a / @b, undefined when @b is 0.
 */
struct rcr_number rcr_number_div(struct rcr_number a, struct rcr_number b)
{
	u64 dividend = magnitude_of(a), divisor = magnitude_of(b), quotient, rest;

	if (!both_defined(a, b) || !divisor)
		return rcr_number_undefined();
	/* Both have 63 bits, or the dividend is 0: the quotient fits. */
	quotient = mul_u64_u64_div_u64(dividend, BIT_ULL(MANTISSA_BITS), divisor);
	rest = (dividend << MANTISSA_BITS) - quotient * divisor;
	/* Whether what is left is a half or more is all that rounding needs. */
	return nearest((a.mantissa < 0) != (b.mantissa < 0),
		       (__uint128_t)quotient << 1 | (rest >= divisor - rest),
		       (s64)a.exponent - b.exponent - MANTISSA_BITS - 1);
}

static int sign_of(s64 val)
{
	return (val > 0) - (val < 0);
}

/**
 * rcr_number_compare() - which of two is larger
 * @a: a number that is defined
 * @b: another
 *
 * Return: above 0 when @a is larger, below 0 when @b is, 0 when they are equal.
 */
int rcr_number_compare(struct rcr_number a, struct rcr_number b)
{
	int sign = sign_of(a.mantissa);

	if (sign != sign_of(b.mantissa))
		return sign - sign_of(b.mantissa);
	if (a.exponent != b.exponent)
		return a.exponent > b.exponent ? sign : -sign;
	return (a.mantissa > b.mantissa) - (a.mantissa < b.mantissa);
}

/* The smaller one. */
struct rcr_number rcr_number_min(struct rcr_number a, struct rcr_number b)
{
	if (!both_defined(a, b))
		return rcr_number_undefined();
	return rcr_number_compare(a, b) < 0 ? a : b;
}

/* The larger one. */
struct rcr_number rcr_number_max(struct rcr_number a, struct rcr_number b)
{
	if (!both_defined(a, b))
		return rcr_number_undefined();
	return rcr_number_compare(a, b) > 0 ? a : b;
}

static const u32 ten_to_the[RCR_NUMBER_DIGITS + 1] = {
	1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000,
};

/**
 * rcr_number_to_fixed() - a number as an integer of a fixed unit
 * @n: the number
 * @digits: decimal digits behind the point, at most RCR_NUMBER_DIGITS
 * @val: gets @n x 10^@digits, rounded once, halves away from 0
 *
 * Return: 0; -EDOM when @n is undefined (@val is 0); -ERANGE when it does not
 * fit (@val is the nearest that does); -EINVAL for more digits (@val is 0).
 */
int rcr_number_to_fixed(struct rcr_number n, unsigned int digits, s64 *val)
{
	u64 limit = n.mantissa < 0 ? (u64)S64_MAX + 1 : S64_MAX;
	__uint128_t fixed;
	int err = 0;

	*val = 0;
	if (digits > RCR_NUMBER_DIGITS)
		return -EINVAL;
	if (!rcr_number_is_defined(n))
		return -EDOM;
	/* At most 93 bits; times another 2 it is past the limit, or it is 0. */
	fixed = (__uint128_t)magnitude_of(n) * ten_to_the[digits];
	if (n.exponent < 0)
		fixed = shift_right(fixed, -n.exponent);
	else
		fixed <<= min(n.exponent, 2);
	if (fixed > limit) {
		fixed = limit;
		err = -ERANGE;
	}
	*val = n.mantissa < 0 ? -(u64)fixed : (u64)fixed;
	return err;
}
