/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * fold.h - arithmetic on meters in their fixed form, for the compiler of formulas.
 */
#ifndef RCR_FOLD_H
#define RCR_FOLD_H

#include "fraction.h"
#include "rcr_form.h"

/* Not reduced over CPUs by a function: the mean for gauges, the sum for counts. */
#define FOLD_PLAIN	(RCR_REDUCE_MAX + 1)

/* Why an operation has no fixed form. */
enum fold_error {
	FOLD_OK,
	FOLD_NUMBERS,		/* a number does not fit */
	FOLD_TERMS,		/* too many terms */
	FOLD_ZERO_DIVISOR,
	FOLD_RATE_AND_COUNT,	/* operands of a sum differ in their power of time */
	FOLD_GAUGE_AND_COUNT,
	FOLD_NUMBER_SUM,	/* a number plus a counter */
	FOLD_DIVISORS,		/* a sum of ratios with different divisors */
	FOLD_REDUCTIONS,	/* a sum of values that are reduced in different ways */
	FOLD_EXTREMES,		/* a sum of minima, maxima or means */
	FOLD_GAUGES,		/* a sum of gauges, each of them a mean */
	FOLD_PRODUCT,		/* of counters */
	FOLD_RATIOS,		/* a ratio of ratios */
	FOLD_INVERSE,		/* of a ratio that is reduced over CPUs */
	FOLD_REDUCED,		/* min, max or mean of a reduced value */
	FOLD_CPUS,		/* cpus elsewhere than as a divisor */
	FOLD_CPUS_OF,		/* a dividend that cannot be divided by cpus */
	FOLD_NO_COUNT,		/* rate or delta of a value that is not a count */
	FOLD_NO_NUMBER,		/* scale by a value that is not a number */
	FOLD_CONSTANT,		/* the whole formula is constant */
	FOLD_NOTHING_LEFT,	/* all weights became 0 */
	FOLD_NO_DIVIDEND,	/* a number divided by counters */
	FOLD_ERRORS,
};

struct fold_term {
	char name[RCR_NAME_LEN];
	uint32_t kind;			/* enum rcr_term_kind */
	struct fraction weight;		/* not 0 */
};

struct fold_side {
	uint32_t reduction;		/* enum rcr_reduction or FOLD_PLAIN */
	uint32_t terms;			/* 0: the side is 1 */
	struct fold_term term[RCR_FORM_TERMS];
};

/**
 * struct fold - value of an expression: @k x @above / @below
 * @k: factor; a number has no terms on either side
 * @time_power: power of time; that of a number counts only in products
 * @is_cpus: @k times the number of CPUs; a number otherwise
 * @per_cpu: as in struct rcr_form; @below is FOLD_PLAIN
 * @above: dividend
 * @below: divisor
 */
struct fold {
	struct fraction k;
	int time_power;
	bool is_cpus;
	bool per_cpu;
	struct fold_side above;
	struct fold_side below;
};

void rcr_fold_number(struct fold *f, struct fraction k);
void rcr_fold_tsc_hz(struct fold *f, uint64_t tsc_hz);
void rcr_fold_cpus(struct fold *f);
void rcr_fold_counter(struct fold *f, const char *name, bool gauge);
enum fold_error rcr_fold_form(struct fold *f, const struct rcr_form *form, unsigned int digits);

enum fold_error rcr_fold_add(struct fold *a, const struct fold *b);
enum fold_error rcr_fold_multiply(struct fold *a, const struct fold *b);
enum fold_error rcr_fold_divide(struct fold *a, const struct fold *b);
enum fold_error rcr_fold_scale(struct fold *a, const struct fold *b);
enum fold_error rcr_fold_delta(struct fold *f);
enum fold_error rcr_fold_rate(struct fold *f);
enum fold_error rcr_fold_reduce(struct fold *f, enum rcr_reduction reduction);
void rcr_fold_negate(struct fold *f);

enum fold_error rcr_fold_finish(struct fold *f, unsigned int digits, struct rcr_form *form);

#endif
