/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * formula_lanes.h - counters, meters and four CPUs for the tests of formulas,
 * and what they counted in the processor's own numbers.
 */
#ifndef FORMULA_LANES_H
#define FORMULA_LANES_H

#include <errno.h>
#include <math.h>
#include <string.h>

#include <linux/kernel.h>

#include "error.h"
#include "meter/formula.h"

#define LANES 4
#define TSC_HZ 2100000000ull
#define FIRST_ID 1000	/* the resolver's numbers are not a formula's */

enum { INST, CYC, L3, L2, X, XRAY, WIDE, NEVER, NOTHING, TEMP, WATT, MIN, COUNTERS };

static const struct counter {
	const char *name;
	bool gauge;
	u64 delta[LANES];
	u64 time[LANES];
} counters[COUNTERS] = {
	[INST] = { "INST", false, { 1000003, 2500000, 77, 4000000 }, { 2100000, 2099000, 2101000, 2100001 } },
	[CYC] = { "CYC", false, { 3000000, 2000001, 1234, 9000000 }, { 2100000, 2099000, 2101000, 2100001 } },
	/* Shared: read on CPUs 0 and 2; the others have what nobody is to look at. */
	[L3] = { "L3-MISS", false, { 5000, 9, 300, 999 }, { 2100000, 0, 2101000, 0 } },
	[L2] = { "L2:all.x_1", false, { 70000, 80000, 90000, 1 }, { 1050000, 1050001, 1050002, 1 } },
	[X] = { "x", false, { 1, 2, 3, 4 }, { 10, 20, 30, 41 } },
	[XRAY] = { "xray", false, { 11, 12, 13, 14 }, { 21, 22, 23, 24 } },
	[WIDE] = { "WIDE", false, { U64_MAX, U64_MAX - 7, 1ull << 63, U64_MAX }, { 1, U64_MAX, 3, 1ull << 62 } },
	[NEVER] = { "NEVER", false, { 0 }, { 0 } },
	[NOTHING] = { "NOTHING", false, { 0 }, { 5, 5, 5, 5 } },
	[TEMP] = { "TEMP", true, { 120, 0, 171, 50 }, { 3, 0, 4, 1 } },
	[WATT] = { "WATT", true, { 90, 10, 0, 0 }, { 2, 1, 0, 0 } },
	[MIN] = { "min", false, { 6, 5, 7, 8 }, { 9, 9, 9, 9 } },
};

#define A64 "                                                                "

static const struct {
	const char *name;
	const char *formula;
} meters[] = {
	{ "CPI", "CYC / INST" },
	{ "BOTH", "INST + CYC" },
	{ "BW", "rate(\"L3-MISS\") x 64" },
	{ "BW_MB", "scale(BW, 1e-6)" },
	{ "own-name", "BOTH - CYC" },
	{ "SELF", "1 + SELF" },
	{ "PING", "PONG + INST" },
	{ "PONG", "PING + CYC" },
	{ "LOST", "INST / GONE" },
	{ "EMPTY", "" },
	{ "OPEN", "(INST" },
	{ "CLOSE", "INST)" },
	{ "INST", "0 x CYC" },
	{ "LONG", A64 A64 A64 A64 "INST" },
	{ "BOMB", "BOMB1 + BOMB1" },
	{ "BOMB1", "BOMB2 + BOMB2" },
	{ "BOMB2", "BOMB3 + BOMB3" },
	{ "BOMB3", "BOMB4 + BOMB4" },
	{ "BOMB4", "BOMB5 + BOMB5" },
	{ "BOMB5", "BOMB6 + BOMB6" },
	{ "BOMB6", "BOMB7 + BOMB7" },
	{ "BOMB7", "INST" A64 A64 " + INST" },
};

/* Names that were asked for, over all. */
static unsigned int lookups;

static int find_counter(void *context, const char *name, bool *gauge)
{
	unsigned int i;

	(void)context;
	lookups++;
	for (i = 0; i < COUNTERS; i++) {
		if (strcmp(counters[i].name, name))
			continue;
		*gauge = counters[i].gauge;
		return FIRST_ID + i;
	}
	return -ENOENT;
}

static const char *find_meter(void *context, const char *name)
{
	unsigned int i;

	(void)context;
	for (i = 0; i < ARRAY_SIZE(meters); i++)
		if (!strcmp(meters[i].name, name))
			return meters[i].formula;
	return NULL;
}

static const struct rcr_formula_names all_names = {
	.counter = find_counter, .meter = find_meter,
};

/* What the CPUs @first to @first + @lanes - 1 have for a formula. */
static int evaluate(const struct rcr_formula *f, unsigned int first, unsigned int lanes,
		    struct rcr_number *value)
{
	u64 delta[LANES][RCR_FORMULA_OPERANDS], time[LANES][RCR_FORMULA_OPERANDS];
	struct rcr_number waiting[RCR_FORMULA_DEPTH];
	struct rcr_lane lane[LANES];
	unsigned int i, k;

	for (i = 0; i < lanes; i++) {
		for (k = 0; k < f->operands; k++) {
			unsigned int counter = f->operand[k].counter - FIRST_ID;

			delta[i][k] = counters[counter].delta[first + i];
			time[i][k] = counters[counter].time[first + i];
		}
		lane[i] = (struct rcr_lane){ delta[i], time[i] };
	}
	return rcr_formula_eval(f, lane, lanes, TSC_HZ, waiting, value);
}

/* The same three, not by the module: over CPUs @first up to @end. */
static long double sum_of(unsigned int counter, unsigned int first, unsigned int end)
{
	long double sum = 0;
	bool any = false;

	for (; first < end; first++) {
		if (!counters[counter].time[first])
			continue;
		any = true;
		sum += counters[counter].delta[first];
	}
	return any ? sum : NAN;
}

static long double rate_of(unsigned int counter, unsigned int first, unsigned int end)
{
	long double sum = NAN;
	const struct counter *c = &counters[counter];

	for (; first < end; first++)
		if (c->time[first])
			sum = (isnan(sum) ? 0 : sum) +
			      (long double)c->delta[first] * TSC_HZ / c->time[first];
	return sum;
}

static long double gauge_of(unsigned int counter, unsigned int first, unsigned int end)
{
	long double values = 0, sum = sum_of(counter, first, end);

	for (; first < end; first++)
		values += counters[counter].time[first];
	return values ? sum / values : NAN;
}

static bool same_value(int err, struct rcr_number n, long double want, long double tolerance)
{
	if (isnan(want))
		return err == -EDOM && !rcr_number_is_defined(n);
	return !err && rcr_number_is_defined(n) &&
	       fabsl(ldexpl(n.mantissa, n.exponent) - want) <= tolerance;
}

#endif
