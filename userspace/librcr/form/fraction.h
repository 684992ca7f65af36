/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * fraction.h - rational numbers of two 64-bit integers and a sign, always in lowest terms.
 * Operations either are exact or fail.
 */
#ifndef RCR_FRACTION_H
#define RCR_FRACTION_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct fraction - a number
 * @num: numerator
 * @den: denominator, not 0; 1 when @num is 0
 * @negative: sign; false when @num is 0
 */
struct fraction {
	uint64_t num;
	uint64_t den;
	bool negative;
};

static inline unsigned __int128 fraction_gcd(unsigned __int128 a, unsigned __int128 b)
{
	unsigned __int128 rest;

	for (; b; b = rest) {
		rest = a % b;
		a = b;
	}
	return a;
}

static inline struct fraction fraction_integer(uint64_t num)
{
	return (struct fraction){ num, 1, false };
}

static inline bool fraction_equal(struct fraction a, struct fraction b)
{
	return a.num == b.num && a.den == b.den && a.negative == b.negative;
}

static inline struct fraction fraction_negate(struct fraction a)
{
	a.negative = !a.negative && a.num;
	return a;
}

/* Set @f to num / den in lowest terms. Returns false if it does not fit; @den must not be 0. */
static inline bool fraction_reduce(unsigned __int128 num, unsigned __int128 den, bool negative,
				   struct fraction *f)
{
	unsigned __int128 gcd = fraction_gcd(num, den);

	num /= gcd;
	den /= gcd;
	*f = (struct fraction){ num, den, negative && num };
	return num <= UINT64_MAX && den <= UINT64_MAX;
}

/* *a *= b. Returns false when the product does not fit. */
static inline bool fraction_mul(struct fraction *a, struct fraction b)
{
	return fraction_reduce((unsigned __int128)a->num * b.num, (unsigned __int128)a->den * b.den,
			       a->negative != b.negative, a);
}

/* *a /= b, which must not be 0. Returns false when the quotient does not fit. */
static inline bool fraction_div(struct fraction *a, struct fraction b)
{
	return fraction_mul(a, (struct fraction){ b.den, b.num, b.negative });
}

/* *a += b. Returns false when the sum does not fit. */
static inline bool fraction_add(struct fraction *a, struct fraction b)
{
	unsigned __int128 left = (unsigned __int128)a->num * b.den;
	unsigned __int128 right = (unsigned __int128)b.num * a->den;
	unsigned __int128 den = (unsigned __int128)a->den * b.den, sum;

	if (a->negative != b.negative) {
		if (left >= right)
			return fraction_reduce(left - right, den, a->negative, a);
		return fraction_reduce(right - left, den, b.negative, a);
	}
	return !__builtin_add_overflow(left, right, &sum) &&
	       fraction_reduce(sum, den, a->negative, a);
}

#endif
