// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_form.c - compares values of formulas with the same quantities computed in C, and values of
 * random forms with exact fractions (form_vectors.py); and checks which forms are valid.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <linux/kernel.h>

#include "form_of.h"
#include "ksft.h"

#define LANES	4
#define TSC_HZ	2100000000ull

/* The largest value of a rate and of a gauge. */
#define LARGEST	17592186044416.0L

enum { INST, CYC, L3, L2, X, XRAY, WIDE, NEVER, NOTHING, TEMP, WATT, MIN, SPENT, COUNTERS };

static const struct counter {
	const char *name;
	bool gauge;
	u64 delta[LANES];
	u64 time[LANES];
} counters[COUNTERS] = {
	[INST] = { "INST", false, { 1000003, 2500000, 77, 4000000 }, { 2100000, 2099000, 2101000, 2100001 } },
	[CYC] = { "CYC", false, { 3000000, 2000001, 1234, 9000000 }, { 2100000, 2099000, 2101000, 2100001 } },
	/* A shared counter, read on CPUs 0 and 2; the values of the others must not be used. */
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
	[SPENT] = { "", false, { 3000, 4000, 5000, 6000 }, { 2100000, 2099000, 2101000, 2100001 } },
};

static bool find_counter(const char *name, bool *gauge)
{
	unsigned int i;

	*gauge = false;
	for (i = 0; i < COUNTERS; i++) {
		if (!*name || strcmp(counters[i].name, name))
			continue;
		*gauge = counters[i].gauge;
		return true;
	}
	return false;
}

static const struct counter *counter_of(const char *name)
{
	unsigned int i = 0;

	while (strcmp(counters[i].name, name))
		i++;
	return &counters[i];
}

/* Evaluate a form on the CPUs @first to @first + @lanes - 1. */
static int value_of(const struct rcr_form *f, unsigned int first, unsigned int lanes, s64 *val)
{
	u64 delta[LANES][RCR_FORM_OPERANDS], time[LANES][RCR_FORM_OPERANDS];
	struct rcr_lane lane[LANES];
	unsigned int i, k;

	for (i = 0; i < lanes; i++) {
		for (k = 0; k < rcr_form_terms(f); k++) {
			const struct counter *c = counter_of(f->term[k].name);

			delta[i][f->term[k].operand] = c->delta[first + i];
			time[i][f->term[k].operand] = c->time[first + i];
		}
		lane[i] = (struct rcr_lane){ delta[i], time[i] };
	}
	return rcr_form_value(f, lane, lanes, TSC_HZ, 1, val);
}

/* Sum a counter over the CPUs from @first to @end. */
static long double sum_of(unsigned int counter, unsigned int first, unsigned int end)
{
	long double sum = NAN;

	for (; first < end; first++)
		if (counters[counter].time[first])
			sum = (isnan(sum) ? 0 : sum) + counters[counter].delta[first];
	return sum;
}

static long double rate_of(unsigned int counter, unsigned int first, unsigned int end)
{
	long double sum = NAN, one;
	const struct counter *c = &counters[counter];

	for (; first < end; first++) {
		if (!c->time[first])
			continue;
		one = (long double)c->delta[first] * TSC_HZ / c->time[first];
		sum = (isnan(sum) ? 0 : sum) + fminl(one, LARGEST);
	}
	return sum;
}

/* Average a gauge over those of the CPUs that have values. */
static long double gauge_of(unsigned int counter, unsigned int first, unsigned int end)
{
	long double sum = 0;
	const struct counter *c = &counters[counter];
	unsigned int n = 0;

	for (; first < end; first++) {
		if (!c->time[first])
			continue;
		sum += (long double)c->delta[first] / c->time[first];
		n++;
	}
	return n ? sum / n : NAN;
}

static long double sum(unsigned int counter)
{
	return sum_of(counter, 0, LANES);
}

static long double rate(unsigned int counter)
{
	return rate_of(counter, 0, LANES);
}

static long double gauge(unsigned int counter)
{
	return gauge_of(counter, 0, LANES);
}

static long double one(unsigned int counter, unsigned int lane)
{
	return sum_of(counter, lane, lane + 1);
}

static long double cpi(unsigned int lane)
{
	return one(CYC, lane) / one(INST, lane);
}

/* Return the largest number of digits with which the value fits in an s64. */
static unsigned int digits_for(long double want)
{
	unsigned int digits = RCR_FORM_DIGITS;

	while (digits && fabsl(want) * powl(10, digits) > 1e17L)
		digits--;
	return digits;
}

/* Check that @val is @want * 10^@digits, saturated, within the error of rounding. */
static bool is_value(int err, s64 val, long double want, unsigned int digits)
{
	long double all = fminl(want * powl(10, digits), S64_MAX);

	if (isnan(want))
		return err == -EDOM;
	return !err && fabsl(val - all) <= 0.51L + powl(10, digits - 6.0L) + ldexpl(fabsl(all), -58);
}

struct row {
	const char *text;
	/* The value over all four CPUs; NAN if it is undefined. */
	long double want;
	unsigned int operands;
	/* 'c' for a count, 'r' for a rate; any other value is averaged over time. */
	char kind;
};

static void check_row(const struct row *r)
{
	unsigned int digits = isnan(r->want) ? 3 : digits_for(r->want);
	struct rcr_form *f = form_of(r->text, digits, TSC_HZ, find_counter);
	char kind = rcr_form_is_count(f) ? 'c' : rcr_form_is_rate(f) ? 'r' : '-';
	s64 val = 0;
	int err = value_of(f, 0, LANES, &val);
	bool right = is_value(err, val, r->want, digits);

	if (!right || f->operands != r->operands || kind != r->kind)
		ksft_print_msg("%s: %lld instead of %.3Lf (error %d), %u operands, kind %c\n",
			       r->text, val, r->want * powl(10, digits), err, f->operands, kind);
	ksft_test_result(right && f->operands == r->operands && kind == r->kind, "%s\n", r->text);
	free(f);
}

/* Return the number of formulas; test them unless @only_count. */
static unsigned int test_formulas(bool only_count)
{
	const struct row rows[] = {
		/* Counters and signs. */
		{ "INST", sum(INST), 1, 'c' },
		{ "delta(INST)", sum(INST), 1, 'c' },
		{ "\"L3-MISS\"", sum(L3), 1, 'c' },
		{ "L2:all.x_1", sum(L2), 1, 'c' },
		{ "WIDE", sum(WIDE), 1, 'c' },
		{ "WIDE / 1e9", sum(WIDE) / 1e9L, 1, 'c' },
		{ "\"min\"", sum(MIN), 1, 'c' },
		{ "INST+CYC-INST", sum(CYC), 1, 'c' },
		{ "INST-CYC-L2:all.x_1", sum(INST) - sum(CYC) - sum(L2), 3, 'c' },
		{ "INST-(CYC-L2:all.x_1)", sum(INST) - (sum(CYC) - sum(L2)), 3, 'c' },
		{ "INST + CYC x 3", sum(INST) + sum(CYC) * 3, 2, 'c' },
		{ "2*INST/4/CYC", 2 * sum(INST) / 4 / sum(CYC), 2, '-' },
		{ "-INST", -sum(INST), 1, 'c' },
		{ "- - -INST x -2", 2 * sum(INST), 1, 'c' },
		{ "CYC--INST", sum(CYC) + sum(INST), 2, 'c' },
		{ "-CYC + INST", sum(INST) - sum(CYC), 2, 'c' },
		{ "-(CYC + INST) / -CYC", (sum(INST) + sum(CYC)) / sum(CYC), 2, '-' },
		{ "(CYC + INST) / -CYC", -(sum(INST) + sum(CYC)) / sum(CYC), 2, '-' },
		{ "1.5e-3 x CYC", 1.5L / 1000 * sum(CYC), 1, 'c' },
		{ "1e9x2.25xx", 1e9L * 2.25L * sum(X), 1, 'c' },
		{ "sampler_cycles", sum(SPENT), 1, 'c' },
		{ "sampler_cycles / tsc_hz", sum(SPENT) / TSC_HZ, 1, 'c' },
		{ "rate(sampler_cycles) / tsc_hz / cpus", rate(SPENT) / TSC_HZ / LANES, 1, 'r' },

		/* Rates, gauges. */
		{ "rate(INST)", rate(INST), 1, 'r' },
		{ "rate(\"L3-MISS\") x 64", rate(L3) * 64, 1, 'r' },
		{ "rate(WIDE)", rate(WIDE), 1, 'r' },
		{ "rate(2 x INST - CYC / 4 + delta(CYC))", 2 * rate(INST) - rate(CYC) / 4 + rate(CYC), 2, 'r' },
		{ "rate(scale(INST, 8) + (CYC + INST) / 2)", 8 * rate(INST) + (rate(CYC) + rate(INST)) / 2, 2, 'r' },
		{ "INST / rate(INST)", sum(INST) / rate(INST), 1, '-' },
		{ "rate(INST) / rate(CYC)", rate(INST) / rate(CYC), 2, '-' },
		{ "rate(INST) / CYC", rate(INST) / sum(CYC), 2, 'r' },
		{ "rate(CYC) / tsc_hz / cpus", rate(CYC) / TSC_HZ / LANES, 1, 'r' },
		{ "tsc_hz x CYC / INST", TSC_HZ * sum(CYC) / sum(INST), 2, '-' },
		{ "INST / NOTHING", NAN, 2, '-' },
		{ "NOTHING / INST", 0, 2, '-' },
		{ "rate(NOTHING)", 0, 1, 'r' },
		{ "NEVER", NAN, 1, 'c' },
		{ "rate(NEVER)", NAN, 1, 'r' },
		{ "INST + NEVER", NAN, 2, 'c' },
		{ "INST / NEVER", NAN, 2, '-' },
		{ "NEVER / INST", NAN, 2, '-' },
		{ "TEMP", gauge(TEMP), 1, '-' },
		{ "TEMP / WATT", gauge(TEMP) / gauge(WATT), 2, '-' },
		{ "rate(INST) / WATT", rate(INST) / gauge(WATT), 2, '-' },
		{ "WATT x 3 - 2 x WATT", gauge(WATT), 1, '-' },
		{ "scale(INST + CYC, 1 / 8)", (sum(INST) + sum(CYC)) / 8, 2, 'c' },
		{ "scale(TEMP, tsc_hz)", gauge(TEMP) * TSC_HZ, 1, '-' },

		/* Reductions over the values of each lane. */
		{ "min(CYC)", 1234, 1, '-' },
		{ "max(CYC)", 9000000, 1, '-' },
		{ "mean(CYC)", sum(CYC) / 4, 1, 'c' },
		{ "CYC / cpus", sum(CYC) / 4, 1, 'c' },
		{ "min(\"L3-MISS\")", 300, 1, '-' },
		{ "mean(\"L3-MISS\")", 2650, 1, 'c' },
		{ "min(CYC / INST)", cpi(1), 2, '-' },
		{ "max(CYC / INST)", cpi(2), 2, '-' },
		{ "max(-CYC / INST)", -cpi(1), 2, '-' },
		{ "mean(CYC / INST) x 2", (cpi(0) + cpi(1) + cpi(2) + cpi(3)) / 2, 2, '-' },
		{ "max(rate(INST))", rate_of(INST, 3, 4), 1, 'r' },
		{ "max(rate(INST) / \"L3-MISS\")", fmaxl(rate_of(INST, 0, 1) / 5000, rate_of(INST, 2, 3) / 300), 2, 'r' },
		{ "min(TEMP)", 40, 1, '-' },
		{ "max(CYC) / mean(INST)", 9000000 / (sum(INST) / 4), 2, '-' },
		{ "min(INST) / max(CYC)", 77 / 9000000.0L, 2, '-' },
		{ "max(CYC - 2 x INST)", 1234 - 154 + 998920.0L, 2, '-' },
		{ "max(NEVER)", NAN, 1, '-' },
		{ "mean(INST / NOTHING)", NAN, 2, '-' },
		{ "mean(INST + \"L3-MISS\")", (one(INST, 0) + 5000 + one(INST, 2) + 300) / 2, 2, 'c' },
		/* Each counter has all of its own lanes, though no CPU has both counters. */
		{ "INST + \"L3-MISS\"", sum(INST) + sum(L3), 2, 'c' },
		{ "mean(WATT) / mean(\"L3-MISS\")", gauge(WATT) / 2650, 2, '-' },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows) && !only_count; i++)
		check_row(&rows[i]);
	return ARRAY_SIZE(rows);
}

/* Evaluate on one CPU, on some, and on none. */
static void test_groups(void)
{
	struct rcr_form *f = form_of("max(CYC) / mean(INST)", 9, TSC_HZ, find_counter);
	s64 val;
	int err;

	err = value_of(f, 1, 1, &val);
	ksft_test_result(is_value(err, val, 2000001 / 2500000.0L, 9),
			 "group: one CPU has its own value\n");
	err = value_of(f, 0, 3, &val);
	ksft_test_result(is_value(err, val, 3000000 / (sum_of(INST, 0, 3) / 3), 9),
			 "group: three CPUs have the value of their counts\n");
	err = value_of(f, 0, 0, &val);
	ksft_test_result(err == -EDOM, "group: no CPU has no value\n");
	free(f);
	f = form_of("rate(\"L3-MISS\")", 3, TSC_HZ, find_counter);
	err = value_of(f, 1, 1, &val);
	ksft_test_result(err == -EDOM, "group: a counter that another CPU reads has no value\n");
	free(f);
}

/* Reads a line of form_vectors.py, number by number. */
struct reader {
	const char *at;
	bool failed;
};

static u64 next_u64(struct reader *r)
{
	char *end;
	u64 val = strtoull(r->at, &end, 10);

	r->failed |= end == r->at;
	r->at = end;
	return val;
}

static s64 next_s64(struct reader *r)
{
	char *end;
	s64 val = strtoll(r->at, &end, 10);

	r->failed |= end == r->at;
	r->at = end;
	return val;
}

struct vector {
	struct rcr_form *form;
	u64 tsc_hz, parts;
	unsigned int operands, lanes, times;
	u64 *counts;		/* the deltas, then the times of each lane */
	struct rcr_lane *lane;
	bool defined;
	s64 low, high;
};

static struct rcr_form *read_form(struct reader *r)
{
	struct rcr_form head = { .numerator = next_u64(r) }, *f;
	unsigned int i;

	head.denominator = next_u64(r);
	head.per_cpu = next_u64(r);
	head.reduction[RCR_ABOVE] = next_u64(r);
	head.reduction[RCR_BELOW] = next_u64(r);
	head.terms[RCR_ABOVE] = next_u64(r);
	head.terms[RCR_BELOW] = next_u64(r);
	f = form_alloc(rcr_form_terms(&head));
	*f = head;
	for (i = 0; i < rcr_form_terms(f); i++) {
		f->term[i].operand = next_u64(r);
		f->term[i].kind = next_u64(r);
		f->term[i].weight = next_s64(r);
	}
	return f;
}

static bool read_vector(const char *line, struct vector *v)
{
	struct reader r = { line };
	unsigned int i;

	v->form = read_form(&r);
	v->tsc_hz = next_u64(&r);
	v->parts = next_u64(&r);
	v->operands = next_u64(&r);
	v->lanes = next_u64(&r);
	v->times = next_u64(&r);
	v->counts = calloc(2 * v->operands * v->lanes + 1, sizeof(u64));
	for (i = 0; i < 2 * v->operands * v->lanes; i++)
		v->counts[i] = next_u64(&r);
	v->lane = calloc(v->lanes * v->times + 1, sizeof(*v->lane));
	for (i = 0; i < v->lanes * v->times; i++) {
		u64 *at = v->counts + 2 * v->operands * (i % v->lanes);

		v->lane[i] = (struct rcr_lane){ at, at + v->operands };
	}
	v->defined = next_u64(&r);
	v->low = next_s64(&r);
	v->high = next_s64(&r);
	return !r.failed && *r.at == '\n';
}

static void free_vector(struct vector *v)
{
	free(v->form);
	free(v->counts);
	free(v->lane);
}

static int value_of_vector(const struct vector *v, s64 *val)
{
	return rcr_form_value(v->form, v->lane, v->lanes * v->times, v->tsc_hz, v->parts, val);
}

/* Negate a side and swap minimum and maximum; return false if it cannot be negated. */
static bool negate(struct rcr_form *f, enum rcr_side side)
{
	struct rcr_term *t = (struct rcr_term *)rcr_form_side(f, side);
	u8 *reduction = &f->reduction[f->per_cpu ? RCR_ABOVE : side];
	unsigned int i;

	for (i = 0; i < f->terms[side]; i++)
		if (t[i].weight == S32_MIN)
			return false;
	for (i = 0; i < f->terms[side]; i++)
		t[i].weight = -t[i].weight;
	if (*reduction == RCR_REDUCE_MIN || *reduction == RCR_REDUCE_MAX)
		*reduction = RCR_REDUCE_MIN + RCR_REDUCE_MAX - *reduction;
	return f->terms[side];
}

/* Check that the negated side gives the same value with the other sign, to the last digit. */
static bool is_symmetric(const struct vector *v, int err, s64 val)
{
	unsigned int side;
	s64 other;

	for (side = 0; side < RCR_SIDES; side++) {
		if (!negate(v->form, side))
			continue;
		if (value_of_vector(v, &other) != err || (!err && other != -val))
			return false;
		negate(v->form, side);
	}
	return true;
}

static struct {
	unsigned int all, undefined, saturated, wrong, lopsided;
} tried;

static void check_vector(const char *line)
{
	struct vector v;
	s64 val = 0;
	int err;

	if (!read_vector(line, &v))
		ksft_exit_fail_msg("malformed: %s", line);
	err = value_of_vector(&v, &val);
	tried.all++;
	tried.undefined += !v.defined;
	tried.saturated += v.defined && (v.low == S64_MAX || v.high == -S64_MAX);
	if (err != (v.defined ? 0 : -EDOM) || (!err && (val < v.low || val > v.high))) {
		if (!tried.wrong++)
			ksft_print_msg("wrong value %lld (error %d): %.200s\n", val, err, line);
	}
	if (!is_symmetric(&v, err, val)) {
		if (!tried.lopsided++)
			ksft_print_msg("wrong value after negation: %.200s\n", line);
	}
	free_vector(&v);
}

static void test_vectors(void)
{
	FILE *f = fopen(VECTORS, "r");
	size_t size = 0;
	char *line = NULL;

	if (!f)
		ksft_exit_fail_msg(VECTORS ": %s\n", strerror(errno));
	while (getline(&line, &size, f) > 0)
		check_vector(line);
	free(line);
	fclose(f);
	ksft_test_result(!tried.wrong, "vectors: %u forms have the values of exact fractions (%u do not)\n",
			 tried.all, tried.wrong);
	ksft_test_result(tried.all > 20000 && tried.undefined > 1000 && tried.saturated > 500,
			 "vectors: %u undefined, %u saturated\n", tried.undefined, tried.saturated);
	ksft_test_result(!tried.lopsided, "vectors: negated weights negate the value (%u do not)\n",
			 tried.lopsided);
}

/* Make a form with one term for each name; the first @above are above the line. */
static struct rcr_form *form_of_names(unsigned int above, unsigned int below, unsigned int names)
{
	struct rcr_form *f = form_alloc(above + below);
	unsigned int i;

	f->numerator = 1;
	f->denominator = 1;
	f->terms[RCR_ABOVE] = above;
	f->terms[RCR_BELOW] = below;
	for (i = 0; i < above + below; i++) {
		sprintf(f->term[i].name, "N%u", i % names);
		f->term[i].weight = 1;
	}
	return f;
}

static bool is_refused(struct rcr_form *f, int err, enum rcr_reason_code reason)
{
	struct rcr_failure failure = { };
	int got = rcr_form_prepare(f, &failure);

	free(f);
	return got == err && failure.error == err && failure.reason.code == reason;
}

static bool is_taken(struct rcr_form *f)
{
	return is_refused(f, 0, 0);
}

/* Functions that change a valid form of two terms over two others. */
static void no_change(struct rcr_form *f)
{
	(void)f;
}

static void zero_numerator(struct rcr_form *f)
{
	f->numerator = 0;
}

static void zero_denominator(struct rcr_form *f)
{
	f->denominator = 0;
}

static void nothing_above(struct rcr_form *f)
{
	f->terms[RCR_ABOVE] = 0;
}

static void nothing_below(struct rcr_form *f)
{
	f->terms[RCR_BELOW] = 0;
}

static void weight_above(struct rcr_form *f)
{
	f->term[1].weight = 0;
}

static void weight_below(struct rcr_form *f)
{
	f->term[3].weight = 0;
}

static void first_weight(struct rcr_form *f)
{
	f->term[0].weight = 0;
}

static void mixed_above(struct rcr_form *f)
{
	f->term[1].kind = RCR_TERM_RATE;
}

static void mixed_below(struct rcr_form *f)
{
	f->term[3].kind = RCR_TERM_GAUGE;
}

static void kind_above(struct rcr_form *f)
{
	f->term[0].kind = 3;
	f->term[1].kind = 3;
}

static void kind_below(struct rcr_form *f)
{
	f->term[2].kind = 3;
	f->term[3].kind = 3;
}

static void reduction_above(struct rcr_form *f)
{
	f->reduction[RCR_ABOVE] = 4;
}

static void reduction_below(struct rcr_form *f)
{
	f->reduction[RCR_BELOW] = 4;
}

static void reductions(struct rcr_form *f)
{
	f->reduction[0] = RCR_REDUCE_MAX;
	f->reduction[1] = RCR_REDUCE_MAX;
}

static void spent(struct rcr_form *f)
{
	f->term[1].name[0] = 0;
}

static void per_cpu(struct rcr_form *f)
{
	f->per_cpu = true;
	f->reduction[RCR_ABOVE] = RCR_REDUCE_MAX;
}

static void weights(struct rcr_form *f)
{
	f->term[0].weight = S32_MIN;
	f->term[1].weight = S32_MAX;
}

static void sides_differ(struct rcr_form *f)
{
	f->term[0].kind = RCR_TERM_RATE;
	f->term[1].kind = RCR_TERM_RATE;
}

static void spent_gauge(struct rcr_form *f)
{
	f->term[0].kind = RCR_TERM_GAUGE;
	f->term[1].kind = RCR_TERM_GAUGE;
	f->term[1].name[0] = 0;
}

static void gauges(struct rcr_form *f)
{
	f->term[0].kind = RCR_TERM_GAUGE;
	f->term[1].kind = RCR_TERM_GAUGE;
}

static void per_cpu_below(struct rcr_form *f)
{
	f->per_cpu = true;
	f->reduction[RCR_BELOW] = RCR_REDUCE_MEAN;
}

static const struct {
	const char *what;
	void (*change)(struct rcr_form *f);
	bool taken;
} changes[] = {
	{ "an unchanged form", no_change, true },
	{ "a numerator of 0", zero_numerator, true },
	{ "a denominator of 0", zero_denominator, false },
	{ "nothing above the line", nothing_above, false },
	{ "nothing below the line", nothing_below, true },
	{ "a first weight of 0", first_weight, false },
	{ "a weight of 0 above the line", weight_above, false },
	{ "a weight of 0 below the line", weight_below, false },
	{ "the largest weights", weights, true },
	{ "a count plus a rate", mixed_above, false },
	{ "a count plus a gauge", mixed_below, false },
	{ "rates over counts", sides_differ, true },
	{ "gauges over counts", gauges, true },
	{ "an unknown kind above the line", kind_above, false },
	{ "an unknown kind below the line", kind_below, false },
	{ "an unknown reduction above the line", reduction_above, false },
	{ "an unknown reduction below the line", reduction_below, false },
	{ "both sides reduced", reductions, true },
	{ "the time spent by the sampler", spent, true },
	{ "the time spent by the sampler as a gauge", spent_gauge, false },
	{ "each CPU alone", per_cpu, true },
	{ "each CPU alone with a reduction below the line", per_cpu_below, false },
};

static void test_prepare(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(changes); i++) {
		struct rcr_form *f = form_of_names(2, 2, 4);

		changes[i].change(f);
		ksft_test_result(changes[i].taken ? is_taken(f) :
				 is_refused(f, -EINVAL, RCR_REASON_BAD_FORM),
				 "prepare: %s is %s\n", changes[i].what,
				 changes[i].taken ? "taken" : "refused");
	}
	ksft_test_result(is_taken(form_of_names(32, 0, 32)) && is_taken(form_of_names(32, 32, 32)) &&
			 is_taken(form_of_names(1, 31, 32)), "prepare: 32 names are taken\n");
	ksft_test_result(is_refused(form_of_names(32, 1, 33), -E2BIG, RCR_REASON_FORM_TOO_LONG) &&
			 is_refused(form_of_names(32, 32, 64), -E2BIG, RCR_REASON_FORM_TOO_LONG) &&
			 is_refused(form_of_names(1, 32, 33), -E2BIG, RCR_REASON_FORM_TOO_LONG),
			 "prepare: 33 names are refused\n");
	ksft_test_result(is_refused(form_of_names(33, 0, 1), -EINVAL, RCR_REASON_BAD_FORM) &&
			 is_refused(form_of_names(1, 33, 1), -EINVAL, RCR_REASON_BAD_FORM) &&
			 is_taken(form_of_names(32, 32, 1)), "prepare: 33 terms of a side are refused\n");
}

static void test_operands(void)
{
	/* The names are N0 N1 "" N3, and N0 N1 N2 N3 N0. */
	static const u8 operands[] = { 0, 1, 2, 3, 0, 1, 4, 3, 0 };
	struct rcr_form *f = form_of_names(5, 4, 4);
	struct rcr_failure failure = { };
	bool right = true;
	unsigned int i;

	f->operands = 17;
	f->term[2].name[0] = 0;
	right &= !rcr_form_prepare(f, &failure) && f->operands == 5;
	for (i = 0; i < 9; i++)
		right &= f->term[i].operand == operands[i];
	ksft_test_result(right, "prepare: a name is one operand on both sides\n");
	right = !rcr_form_prepare(f, &failure) && f->operands == 5 && f->term[6].operand == 4;
	ksft_test_result(right, "prepare: preparing a form again does not change it\n");
	free(f);
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(test_formulas(true) + 4 + 3 + ARRAY_SIZE(changes) + 3 + 2);
	test_formulas(false);
	test_groups();
	test_vectors();
	test_prepare();
	test_operands();
	ksft_finished();
}
