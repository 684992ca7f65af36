/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * number.h - numbers of any size without floating point, which the kernel does
 * not have.
 */
#ifndef RCR_NUMBER_H
#define RCR_NUMBER_H

#include <linux/limits.h>
#include <linux/types.h>

/**
 * struct rcr_number - mantissa x 2^exponent, or undefined
 * @mantissa: of a number that is not 0 it has 63 bits, so that two equal numbers
 *	are the same; RCR_NUMBER_UNDEFINED: there is no such number
 * @exponent: 0 of 0, else at most 2^30 either way
 *
 * All zeros are the number 0. Only the functions below make others. Each gives
 * the nearest number to the exact result, halves away from 0: integers up to
 * 2^63 come out exact, and nothing is off by more than 2^-63 of itself. What has
 * an undefined part, is divided by 0 or is past all exponents is undefined.
 */
struct rcr_number {
	s64 mantissa;
	s32 exponent;
};

#define RCR_NUMBER_UNDEFINED	S64_MIN
#define RCR_NUMBER_DIGITS	9	/* of a fixed-point value, at most */

static inline bool rcr_number_is_defined(struct rcr_number n)
{
	return n.mantissa != RCR_NUMBER_UNDEFINED;
}

static inline struct rcr_number rcr_number_undefined(void)
{
	return (struct rcr_number){ RCR_NUMBER_UNDEFINED, 0 };
}

struct rcr_number rcr_number_from_u64(u64 val);
struct rcr_number rcr_number_from_s64(s64 val);
struct rcr_number rcr_number_from_u128(__uint128_t val);

struct rcr_number rcr_number_negate(struct rcr_number n);
struct rcr_number rcr_number_add(struct rcr_number a, struct rcr_number b);
struct rcr_number rcr_number_sub(struct rcr_number a, struct rcr_number b);
struct rcr_number rcr_number_mul(struct rcr_number a, struct rcr_number b);
struct rcr_number rcr_number_div(struct rcr_number a, struct rcr_number b);
struct rcr_number rcr_number_min(struct rcr_number a, struct rcr_number b);
struct rcr_number rcr_number_max(struct rcr_number a, struct rcr_number b);
int rcr_number_compare(struct rcr_number a, struct rcr_number b);

int rcr_number_to_fixed(struct rcr_number n, unsigned int digits, s64 *val);
int rcr_number_parse(const char **text, struct rcr_number *n);

#endif
