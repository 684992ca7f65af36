/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * form.h - the form of a meter, k * R(sum w_i x_i) / S(sum v_j x_j | 1), and its evaluation.
 */
#ifndef RCR_FORM_H
#define RCR_FORM_H

#include <linux/types.h>
#include <linux/rcrboard.h>
#include <linux/rcrtool.h>

struct rcr_failure;

/* Maximum number of different counters in a form. */
#define RCR_FORM_OPERANDS	RCR_MAX_COUNTERS

/* Maximum number of decimal places of a value. */
#define RCR_FORM_DIGITS		9

enum rcr_side { RCR_ABOVE, RCR_BELOW, RCR_SIDES };

/**
 * struct rcr_term - a weighted counter
 * @name: name of the counter; empty: TSC cycles spent in ticks
 * @operand: number of that name among the names of the form
 * @kind: enum rcr_term_kind, the same for all terms of a side
 * @weight: not 0
 */
struct rcr_term {
	char name[RCR_NAME_LEN];
	u8 operand;
	u8 kind;
	s32 weight;
};

/**
 * struct rcr_form - the formula of a meter
 * @numerator: numerator of the factor k, which includes 10^digits of the meter
 * @denominator: denominator of k; not 0
 * @per_cpu: reduce the quotients of the CPUs, instead of each side
 * @is_plain: no side has more than one term, of weight 1; set by rcr_form_prepare(), as are
 *	@is_ratio and @operands
 * @is_ratio: a plain form of two counts
 * @reduction: by enum rcr_side: enum rcr_reduction
 * @terms: by enum rcr_side: number of terms; RCR_BELOW may have none
 * @operands: number of different names
 * @term: the terms, those of RCR_ABOVE first
 */
struct rcr_form {
	u64 numerator;
	u64 denominator;
	bool per_cpu;
	bool is_plain;
	bool is_ratio;
	u8 reduction[RCR_SIDES];
	u8 terms[RCR_SIDES];
	u8 operands;
	struct rcr_term term[];
};

/**
 * struct rcr_lane - counts of one CPU, by operand
 * @delta: count; for a gauge, sum of its values
 * @time: counted time, TSC cycles; for a gauge, number of its values; 0: not counted here
 */
struct rcr_lane {
	const u64 *delta;
	const u64 *time;
};

static inline const struct rcr_term *rcr_form_side(const struct rcr_form *f, enum rcr_side side)
{
	return side == RCR_ABOVE ? f->term : f->term + f->terms[RCR_ABOVE];
}

static inline unsigned int rcr_form_terms(const struct rcr_form *f)
{
	return f->terms[RCR_ABOVE] + f->terms[RCR_BELOW];
}

/*
 * Counts add up: the sum of a count over time is of the same kind as its value. The mean over
 * CPUs adds up as well, the minimum and the maximum do not.
 */
static inline bool rcr_form_is_count(const struct rcr_form *f)
{
	return f->term->kind == RCR_TERM_COUNT && !f->terms[RCR_BELOW] &&
	       f->reduction[RCR_ABOVE] <= RCR_REDUCE_MEAN;
}

/* The integral of a rate over time is a count. */
static inline bool rcr_form_is_rate(const struct rcr_form *f)
{
	return f->term->kind == RCR_TERM_RATE &&
	       (!f->terms[RCR_BELOW] ||
		rcr_form_side(f, RCR_BELOW)->kind == RCR_TERM_COUNT);
}

/* Divide @high:@low; @high < @divisor, so that the quotient fits. @rest is set to the remainder. */
static inline u64 rcr_divide_wide(u64 high, u64 low, u64 divisor, u64 *rest)
{
	u64 quotient;

	asm("divq %4" : "=a" (quotient), "=d" (*rest)
	    : "0" (low), "1" (high), "r" (divisor) : "cc");
	return quotient;
}

int rcr_form_prepare(struct rcr_form *f, struct rcr_failure *failure);
int rcr_form_value(const struct rcr_form *f, const struct rcr_lane *lane, unsigned int lanes,
		   u64 tsc_hz, u64 parts, s64 *val);

#endif
