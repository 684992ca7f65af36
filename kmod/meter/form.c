// SPDX-License-Identifier: GPL-2.0-only
/*
 * form.c - evaluates the form of a meter over an interval and the CPUs of a place.
 *
 * All arithmetic is in integers. Counts are exact; rates and gauges are in units of 2^-32,
 * rounded down; sums have 128 bits and do not overflow. The quotient keeps at least 60 bits and
 * is rounded once, to the nearest integer, halves away from 0. Where quotients of CPUs are
 * reduced, each of them is rounded, and so is their mean.
 *
 * Has no kernel state: also compiled into the unit tests.
 */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/string.h>

#include "error.h"
#include "form.h"

#define FRACTION_BITS	32

/*
 * Rates and means of one CPU saturate here, so that a sum of 32 terms with weights of 31 bits
 * over 8192 CPUs stays below 2^127.
 */
#define LARGEST		BIT_ULL(44)

/**
 * struct scaled - mantissa x 2^exponent
 * @mantissa: rounded down to 64 bits
 * @exponent: exponent of 2
 */
struct scaled {
	u64 mantissa;
	int exponent;
};

/**
 * struct reduced - one side of a form, reduced over CPUs
 * @sum: result of the reduction; the sum if it is a mean
 * @divisor: number of CPUs in a mean; otherwise 1
 * @exponent: @sum is in units of 2^@exponent
 */
struct reduced {
	__int128_t sum;
	u32 divisor;
	int exponent;
};

/* Return: @val / @divisor in units of 2^-32; saturates at LARGEST. */
static __always_inline __int128_t divide_fraction(__uint128_t val, u64 divisor)
{
	u64 high = val >> 64, whole, rest, unused;

	if (high >= divisor)
		return (__int128_t)LARGEST << FRACTION_BITS;
	whole = rcr_divide_wide(high, (u64)val, divisor, &rest);
	if (whole >= LARGEST)
		return (__int128_t)LARGEST << FRACTION_BITS;
	return ((__int128_t)whole << FRACTION_BITS) +
	       rcr_divide_wide(rest >> FRACTION_BITS, rest << FRACTION_BITS, divisor, &unused);
}

/* Return: factor by which a delta is multiplied before the division by its time; 0: no division. */
static u64 factor_of(const struct rcr_term *t, u64 tsc_hz)
{
	switch (t->kind) {
	case RCR_TERM_COUNT:
		return 0;
	case RCR_TERM_GAUGE:
		return 1;
	default:
		return tsc_hz;
	}
}

/* Value of a term, without its weight, on one CPU that has counted it. */
static __always_inline __int128_t term_on_cpu(u64 delta, u64 time, u64 factor)
{
	return factor ? divide_fraction((__uint128_t)delta * factor, time) : delta;
}

/* Sum the terms of a side on one CPU. Return: false if the CPU has not counted each of them. */
static __always_inline bool sum_on_cpu(const struct rcr_form *f, enum rcr_side side,
				       const struct rcr_lane *l, u64 factor,
				       __int128_t *sum)
{
	const struct rcr_term *t = rcr_form_side(f, side), *end = t + f->terms[side];
	__int128_t all = 0;
	u64 time;

	for (; t < end; t++) {
		time = l->time[t->operand];
		if (!time)
			return false;
		all += term_on_cpu(l->delta[t->operand], time, factor) * t->weight;
	}
	*sum = all;
	return true;
}

/* Sum one term over CPUs, without its weight. Return: number of CPUs that have counted it. */
static unsigned int sum_term(unsigned int operand, const struct rcr_lane *lane, unsigned int lanes,
			     u64 factor, __int128_t *sum)
{
	const struct rcr_lane *l, *end = lane + lanes;
	unsigned int counted = 0;
	__int128_t all = 0;
	u64 time;

	for (l = lane; l < end; l++) {
		time = l->time[operand];
		if (!time)
			continue;
		all += term_on_cpu(l->delta[operand], time, factor);
		counted++;
	}
	*sum = all;
	return counted;
}

/*
 * A sum over CPUs is computed term by term: shared counters are counted by one of their CPUs,
 * which differs from term to term. Return: false if no CPU has counted some term.
 */
static bool sum_over_cpus(const struct rcr_form *f, enum rcr_side side,
			  const struct rcr_lane *lane, unsigned int lanes, u64 factor,
			  __int128_t *sum)
{
	const struct rcr_term *t = rcr_form_side(f, side), *end = t + f->terms[side];
	__int128_t term;

	for (*sum = 0; t < end; t++) {
		if (!sum_term(t->operand, lane, lanes, factor, &term))
			return false;
		*sum += term * t->weight;
	}
	return true;
}

static __int128_t reduce_pair(enum rcr_reduction reduction, __int128_t a, __int128_t b)
{
	switch (reduction) {
	case RCR_REDUCE_MIN:
		return a < b ? a : b;
	case RCR_REDUCE_MAX:
		return a > b ? a : b;
	default:
		return a + b;
	}
}

/* Average a term over the CPUs that have counted it. Return: false if none has. */
static bool mean_of_term(const struct rcr_term *t, const struct rcr_lane *lane,
			 unsigned int lanes, u64 factor, struct reduced *r)
{
	r->divisor = sum_term(t->operand, lane, lanes, factor, &r->sum);
	r->sum *= t->weight;
	return r->divisor;
}

static bool reduce_cpus(const struct rcr_form *f, enum rcr_side side,
			const struct rcr_lane *lane, unsigned int lanes, u64 factor,
			struct reduced *r)
{
	unsigned int i, counted = 0;
	__int128_t one;

	for (i = 0; i < lanes; i++) {
		if (!sum_on_cpu(f, side, &lane[i], factor, &one))
			continue;
		r->sum = counted++ ? reduce_pair(f->reduction[side], r->sum, one) : one;
	}
	if (f->reduction[side] == RCR_REDUCE_MEAN)
		r->divisor = counted;
	return counted;
}

/* Reduce a side over CPUs; it is 1 if it has no terms. Return: false if it was not counted. */
static bool reduce_side(const struct rcr_form *f, enum rcr_side side,
			const struct rcr_lane *lane, unsigned int lanes, u64 tsc_hz,
			struct reduced *r)
{
	u64 factor;

	r->sum = 1;
	r->divisor = 1;
	r->exponent = 0;
	if (!f->terms[side])
		return true;
	factor = factor_of(rcr_form_side(f, side), tsc_hz);
	if (factor)
		r->exponent = -FRACTION_BITS;
	/* For one CPU all reductions are the same. */
	if (lanes == 1)
		return sum_on_cpu(f, side, lane, factor, &r->sum);
	if (f->reduction[side] == RCR_REDUCE_SUM)
		return sum_over_cpus(f, side, lane, lanes, factor, &r->sum);
	if (f->reduction[side] == RCR_REDUCE_MEAN && f->terms[side] == 1)
		return mean_of_term(rcr_form_side(f, side), lane, lanes, factor, r);
	return reduce_cpus(f, side, lane, lanes, factor, r);
}

static __uint128_t magnitude_of(__int128_t val)
{
	__uint128_t bits = val;

	return val < 0 ? -bits : bits;
}

static __always_inline struct scaled scale_down(__uint128_t val, int exponent)
{
	u64 high = val >> 64;
	int shift;

	if (likely(!high))
		return (struct scaled){ (u64)val, exponent };
	shift = fls64(high);
	return (struct scaled){ (u64)(val >> shift), exponent + shift };
}

static __always_inline struct scaled multiply_scaled(struct scaled a, u64 b)
{
	return scale_down((__uint128_t)a.mantissa * b, a.exponent);
}

/* Return: @a / @b rounded to the nearest integer, halves up; S64_MAX if it is larger. */
static u64 divide_any(struct scaled a, struct scaled b)
{
	int up = 64 - fls64(a.mantissa), exponent = a.exponent - b.exponent - up - 64;
	__uint128_t quotient, half;
	u64 low, rest;

	if (!a.mantissa)
		return 0;
	a.mantissa <<= up;
	quotient = (__uint128_t)(a.mantissa / b.mantissa) << 64;
	low = rcr_divide_wide(a.mantissa % b.mantissa, 0, b.mantissa, &rest);
	quotient |= low;
	/* The quotient has at least 64 bits: it is too large unless the exponent is negative. */
	if (exponent >= 0)
		return S64_MAX;
	if (exponent < -128)
		return 0;
	half = (__uint128_t)1 << (-exponent - 1);
	/* (quotient + half) >> -exponent, without the carry, which would not fit. */
	quotient = (quotient >> 1) + (half >> 1) + (quotient & half & 1);
	quotient >>= -exponent - 1;
	return quotient > S64_MAX ? S64_MAX : (u64)quotient;
}

/* divide_any() for integers. */
static __always_inline u64 divide_whole(u64 a, u64 b)
{
	u64 quotient = a / b, rest = a % b;

	quotient += rest >= b - rest;
	return quotient > S64_MAX ? S64_MAX : quotient;
}

/* True if @b fits into 64 bits with the exponent of @a, which is by far the most common case. */
static __always_inline bool is_short(struct scaled a, struct scaled b)
{
	int shift = b.exponent - a.exponent;

	return shift >= 0 && fls64(b.mantissa) + shift <= 64;
}

/* divide_any() if is_short(). */
static __always_inline u64 divide_short(struct scaled a, struct scaled b)
{
	return divide_whole(a.mantissa, b.mantissa << (b.exponent - a.exponent));
}

/* Compute k * @above / @below / @parts in the meter's decimal places. Return: 0 or -EDOM. */
static int finish_value(const struct rcr_form *f, const struct reduced *above,
			const struct reduced *below, u64 parts, s64 *val)
{
	bool negative = (above->sum < 0) != (below->sum < 0);
	struct scaled up, down;

	if (!below->sum)
		return -EDOM;
	up = scale_down(magnitude_of(above->sum), above->exponent);
	down = scale_down(magnitude_of(below->sum), below->exponent);
	up = multiply_scaled(multiply_scaled(up, f->numerator), below->divisor);
	down = multiply_scaled(multiply_scaled(down, f->denominator), above->divisor);
	down = multiply_scaled(down, parts);
	*val = is_short(up, down) ? divide_short(up, down) : divide_any(up, down);
	if (negative)
		*val = -*val;
	return 0;
}

static int value_of_lanes(const struct rcr_form *f, const struct rcr_lane *lane,
			  unsigned int lanes, u64 tsc_hz, u64 parts, s64 *val)
{
	struct reduced above, below;

	if (!reduce_side(f, RCR_ABOVE, lane, lanes, tsc_hz, &above) ||
	    !reduce_side(f, RCR_BELOW, lane, lanes, tsc_hz, &below))
		return -EDOM;
	return finish_value(f, &above, &below, parts, val);
}

/* term_on_cpu() as mantissa and exponent. */
static __always_inline struct scaled scaled_term(const struct rcr_term *t,
						 const struct rcr_lane *l, u64 tsc_hz)
{
	u64 factor = factor_of(t, tsc_hz), delta = l->delta[t->operand];

	if (!factor)
		return (struct scaled){ delta, 0 };
	return scale_down(term_on_cpu(delta, l->time[t->operand], factor), -FRACTION_BITS);
}

/* Fast path of value_of_lanes() for a plain form on one CPU, the most frequent case. */
static noinline int plain_form_value(const struct rcr_form *f, const struct rcr_lane *l, u64 tsc_hz,
				     u64 parts, s64 *val)
{
	struct scaled up, down = { f->denominator, 0 };
	const struct rcr_term *t = f->term;

	if (!l->time[t->operand])
		return -EDOM;
	up = multiply_scaled(scaled_term(t, l, tsc_hz), f->numerator);
	if (f->terms[RCR_BELOW]) {
		if (!l->time[(++t)->operand])
			return -EDOM;
		down = scaled_term(t, l, tsc_hz);
		if (!down.mantissa)
			return -EDOM;
		down = multiply_scaled(down, f->denominator);
	}
	down = multiply_scaled(down, parts);
	if (unlikely(!is_short(up, down)))
		return value_of_lanes(f, l, 1, tsc_hz, parts, val);
	*val = divide_short(up, down);
	return 0;
}

/* Fast path of plain_form_value() for two counts; short, so that no register is saved. */
static int value_of_ratio(const struct rcr_form *f, const struct rcr_lane *l, u64 tsc_hz,
			  u64 parts, s64 *val)
{
	unsigned int a = f->term[0].operand, b = f->term[1].operand;
	u64 up, down;

	if (!l->time[a] || !l->time[b] || !l->delta[b])
		return -EDOM;
	if (unlikely(__builtin_mul_overflow(l->delta[a], f->numerator, &up) ||
		     __builtin_mul_overflow(l->delta[b], f->denominator, &down) ||
		     __builtin_mul_overflow(down, parts, &down)))
		return plain_form_value(f, l, tsc_hz, parts, val);
	*val = divide_whole(up, down);
	return 0;
}

/* Evaluate the form on each CPU, round, and reduce the results. */
static noinline int value_per_cpu(const struct rcr_form *f, const struct rcr_lane *lane,
				  unsigned int lanes, u64 tsc_hz, u64 parts, s64 *val)
{
	const struct rcr_form one = { .numerator = 1, .denominator = 1 };
	struct reduced all = { .divisor = 1 }, unit = { .sum = 1, .divisor = 1 };
	unsigned int i, valued = 0;
	s64 here;

	for (i = 0; i < lanes; i++) {
		if (value_of_lanes(f, &lane[i], 1, tsc_hz, parts, &here))
			continue;
		all.sum = valued++ ? reduce_pair(f->reduction[RCR_ABOVE], all.sum, here) : here;
	}
	if (!valued)
		return -EDOM;
	if (f->reduction[RCR_ABOVE] == RCR_REDUCE_MEAN)
		all.divisor = valued;
	return finish_value(&one, &all, &unit, 1, val);
}

/**
 * rcr_form_value() - evaluate a form
 * @f: the form
 * @lane: counts and times of each CPU
 * @lanes: number of CPUs
 * @tsc_hz: TSC cycles in a second; 0: rates are their integrals over time, which are the counts
 * @parts: additional divisor, at least 1
 * @val: set to the value in unit x 10^-digits; saturates at S64_MAX and -S64_MAX
 *
 * Context: any.
 * Return: 0, or -EDOM if there is no value: nothing was counted, or the divisor is 0.
 */
int rcr_form_value(const struct rcr_form *f, const struct rcr_lane *lane, unsigned int lanes,
		   u64 tsc_hz, u64 parts, s64 *val)
{
	if (lanes == 1 && f->is_ratio)
		return value_of_ratio(f, lane, tsc_hz, parts, val);
	if (lanes == 1 && f->is_plain)
		return plain_form_value(f, lane, tsc_hz, parts, val);
	if (f->per_cpu && lanes > 1)
		return value_per_cpu(f, lane, lanes, tsc_hz, parts, val);
	return value_of_lanes(f, lane, lanes, tsc_hz, parts, val);
}

static bool is_known_side(const struct rcr_form *f, enum rcr_side side)
{
	const struct rcr_term *t = rcr_form_side(f, side);
	unsigned int i;

	if (f->terms[side] > RCR_FORM_TERMS || f->reduction[side] > RCR_REDUCE_MAX)
		return false;
	for (i = 0; i < f->terms[side]; i++)
		if (!t[i].weight || t[i].kind > RCR_TERM_GAUGE || t[i].kind != t->kind ||
		    (!t[i].name[0] && t[i].kind == RCR_TERM_GAUGE))
			return false;
	return true;
}

/* True if a form may reduce the quotients of CPUs instead of their dividends and divisors. */
static bool is_quotient_per_cpu(const struct rcr_form *f)
{
	return f->terms[RCR_BELOW] && f->reduction[RCR_ABOVE] != RCR_REDUCE_SUM &&
	       f->reduction[RCR_BELOW] == RCR_REDUCE_SUM;
}

static bool is_plain_form(const struct rcr_form *f)
{
	return f->terms[RCR_ABOVE] == 1 && f->term[0].weight == 1 &&
	       (!f->terms[RCR_BELOW] || (f->terms[RCR_BELOW] == 1 && f->term[1].weight == 1));
}

/**
 * rcr_form_prepare() - check a form and number its operands
 * @f: the form, without @operands, @is_plain and @is_ratio
 * @failure: filled in on failure
 *
 * Context: any.
 * Return: 0; -EINVAL: a sum of terms that do not add up, a weight or divisor of 0, or an empty
 * numerator; -E2BIG: it names too many counters.
 */
int rcr_form_prepare(struct rcr_form *f, struct rcr_failure *failure)
{
	unsigned int i, k;

	if (!f->denominator || !f->terms[RCR_ABOVE] || !is_known_side(f, RCR_ABOVE) ||
	    !is_known_side(f, RCR_BELOW) ||
	    (f->per_cpu && !is_quotient_per_cpu(f)))
		return rcr_fail(failure, -EINVAL, RCR_REASON_BAD_FORM);
	f->is_plain = is_plain_form(f);
	f->is_ratio = f->is_plain && f->terms[RCR_BELOW] &&
		      f->term[0].kind == RCR_TERM_COUNT && f->term[1].kind == RCR_TERM_COUNT;
	f->operands = 0;
	for (i = 0; i < rcr_form_terms(f); i++) {
		for (k = 0; k < i && strcmp(f->term[k].name, f->term[i].name); k++)
			;
		if (k < i) {
			f->term[i].operand = f->term[k].operand;
			continue;
		}
		if (f->operands == RCR_FORM_OPERANDS)
			return rcr_fail_with(failure, -E2BIG, RCR_REASON_FORM_TOO_LONG, "%u",
					     RCR_FORM_OPERANDS);
		f->term[i].operand = f->operands++;
	}
	return 0;
}
