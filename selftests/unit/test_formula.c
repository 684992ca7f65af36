// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_formula.c - formulas against the same quantities in plain C, and what is
 * said of texts that are none.
 */
#include "formula_lanes.h"
#include "ksft.h"

#define C RCR_FORMULA_IS_COUNT
#define R RCR_FORMULA_HAS_RATE
#define G RCR_FORMULA_HAS_GAUGE
#define L RCR_FORMULA_BY_LANE

/* A few roundings of 2^-63. */
#define CLOSE ldexpl(1, -58)

/* Over all four CPUs, and over one. */
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

struct row {
	const char *text;
	/* Over all four CPUs; NAN: it is undefined. */
	long double want;
	int power;
	unsigned int flags;
	unsigned int operands;
};

static void check_row(const struct row *r)
{
	struct rcr_failure failure = { };
	struct rcr_formula f;
	struct rcr_number n = { };
	int err = rcr_formula_parse(&f, r->text, &all_names, &failure);
	bool right;

	if (err) {
		ksft_print_msg("%s\n", failure.reason.text);
		ksft_test_result(false, "%s\n", r->text);
		return;
	}
	err = evaluate(&f, 0, LANES, &n);
	right = same_value(err, n, r->want, fabsl(r->want) * CLOSE);
	if (!right)
		ksft_print_msg("is %Lg, not %Lg (%d)\n", ldexpl(n.mantissa, n.exponent), r->want, err);
	if (f.time_power != r->power || f.flags != r->flags || f.operands != r->operands)
		ksft_print_msg("power %d, flags %x, %u operands\n", f.time_power, f.flags, f.operands);
	ksft_test_result(right && f.time_power == r->power && f.flags == r->flags &&
			 f.operands == r->operands, "%s\n", r->text);
}

/* How many there are; they are tested unless they are only counted. */
static unsigned int test_values(bool only_count)
{
	const struct row rows[] = {
		/* Counters and signs. */
		{ "INST", sum(INST), 0, C, 1 },
		{ "  ( ( INST ) )\t", sum(INST), 0, C, 1 },
		{ "delta(INST)", sum(INST), 0, C, 1 },
		{ "\"L3-MISS\"", sum(L3), 0, C, 1 },
		{ "L2:all.x_1", sum(L2), 0, C, 1 },
		{ "WIDE", sum(WIDE), 0, C, 1 },
		{ "\"min\" + 0 x INST", sum(MIN), 0, C, 2 },
		{ "INST+CYC-INST", sum(CYC), 0, C, 2 },
		{ "INST-CYC-L2:all.x_1", sum(INST) - sum(CYC) - sum(L2), 0, C, 3 },
		{ "INST-(CYC-L2:all.x_1)", sum(INST) - (sum(CYC) - sum(L2)), 0, C, 3 },
		{ "INST + CYC x 3 - 5", sum(INST) + sum(CYC) * 3 - 5, 0, 0, 2 },
		{ "2*INST/4/CYC", 2 * sum(INST) / 4 / sum(CYC), 0, 0, 2 },
		{ "8 / INST x CYC", 8 / sum(INST) * sum(CYC), 0, 0, 2 },
		{ "-INST", -sum(INST), 0, C, 1 },
		{ "- - -INST x -2", 2 * sum(INST), 0, C, 1 },
		{ "CYC--INST", sum(CYC) + sum(INST), 0, C, 2 },
		{ "-CYC + INST", sum(INST) - sum(CYC), 0, C, 2 },
		{ "-(CYC + INST) / -CYC", (sum(INST) + sum(CYC)) / sum(CYC), 0, 0, 2 },
		{ "1.5e-3 x CYC", 1.5L / 1000 * sum(CYC), 0, C, 1 },
		{ "1e9x2.25xx", 1e9L * 2.25L * sum(X), 0, C, 1 },
		{ "x x x", sum(X) * sum(X), 0, 0, 1 },
		{ "xray x x", sum(XRAY) * sum(X), 0, 0, 2 },
		{ "2xxray", 2 * sum(XRAY), 0, C, 1 },
		{ "INST x(3)x 2", 6 * sum(INST), 0, C, 1 },

		/* Rates, gauges, constants. */
		{ "rate(INST)", rate(INST), -1, R, 1 },
		{ "rate(\"L3-MISS\") x 64", rate(L3) * 64, -1, R, 1 },
		{ "rate(WIDE)", rate(WIDE), -1, R, 1 },
		{ "rate(2 x INST - CYC / 4 + delta(CYC))", 2 * rate(INST) - rate(CYC) / 4 + rate(CYC), -1, R, 2 },
		{ "rate(scale(INST, 8) + mean(CYC, INST))", 8 * rate(INST) + (rate(CYC) + rate(INST)) / 2, -1, R, 2 },
		{ "INST / rate(INST)", sum(INST) / rate(INST), 1, R, 1 },
		{ "rate(INST) / rate(CYC)", rate(INST) / rate(CYC), 0, R, 2 },
		{ "rate(INST) x rate(CYC)", rate(INST) * rate(CYC), -2, R, 2 },
		{ "rate(CYC) / tsc_hz / cpus", rate(CYC) / TSC_HZ / LANES, 0, R, 1 },
		{ "tsc_hz x CYC / INST", TSC_HZ * sum(CYC) / sum(INST), -1, 0, 2 },
		{ "rate(INST) + 5", rate(INST) + 5, -1, R, 1 },
		{ "5 - rate(INST)", 5 - rate(INST), -1, R, 1 },
		{ "tsc_hz - 5 + 0 x rate(INST)", TSC_HZ - 5, -1, R, 1 },
		{ "INST / (3 - 3)", NAN, 0, C, 1 },
		{ "INST / NOTHING", NAN, 0, 0, 2 },
		{ "0 x INST / NOTHING", NAN, 0, 0, 2 },
		{ "NOTHING / INST", 0, 0, 0, 2 },
		{ "rate(NOTHING)", 0, -1, R, 1 },
		{ "NEVER", NAN, 0, C, 1 },
		{ "rate(NEVER)", NAN, -1, R, 1 },
		{ "INST + NEVER x 0", NAN, 0, C, 2 },
		{ "TEMP", gauge(TEMP), 0, G, 1 },
		{ "WATT x 3 - TEMP", gauge(WATT) * 3 - gauge(TEMP), 0, G, 2 },
		{ "rate(INST) / WATT", rate(INST) / gauge(WATT), -1, R | G, 2 },

		/* Functions of several values. */
		{ "min(INST, CYC, \"L3-MISS\", WIDE)", sum(L3), 0, 0, 4 },
		{ "max(INST, CYC, \"L3-MISS\")", sum(CYC), 0, 0, 3 },
		{ "max(-INST, -CYC)", -sum(INST), 0, 0, 2 },
		{ "mean(INST, CYC, 3 x INST, x, 0)", (4 * sum(INST) + sum(CYC) + sum(X)) / 5, 0, 0, 3 },
		{ "min(INST, NEVER)", NAN, 0, 0, 2 },
		{ "mean(INST, NEVER)", NAN, 0, C, 2 },
		{ "threshold(CYC / INST, 1.2)", 1, 0, 0, 2 },
		{ "threshold(INST, CYC) + 2 x threshold(CYC, CYC)", 0, 0, 0, 2 },
		{ "threshold(rate(CYC), 1e6)", 1, 0, R, 1 },
		{ "threshold(NEVER, 1)", NAN, 0, 0, 1 },
		{ "scale(INST + CYC, 1 / 8)", (sum(INST) + sum(CYC)) / 8, 0, C, 2 },
		{ "scale(TEMP, tsc_hz)", gauge(TEMP) * TSC_HZ, -1, G, 1 },
		{ "min (INST , CYC)+1", sum(INST) + 1, 0, 0, 2 },

		/* Lane by lane. */
		{ "min(CYC)", 1234, 0, L, 1 },
		{ "max(CYC)", 9000000, 0, L, 1 },
		{ "mean(CYC)", sum(CYC) / 4, 0, L, 1 },
		{ "min(\"L3-MISS\")", 300, 0, L, 1 },
		{ "mean(\"L3-MISS\")", 2650, 0, L, 1 },
		{ "min(CYC / INST)", cpi(1), 0, L, 2 },
		{ "max(CPI)", cpi(2), 0, L, 2 },
		{ "mean(CPI) x 2 - CPI", (cpi(0) + cpi(1) + cpi(2) + cpi(3)) / 2 - sum(CYC) / sum(INST), 0, L, 2 },
		{ "max(rate(INST))", rate_of(INST, 3, 4), -1, R | L, 1 },
		{ "max(rate(INST) / \"L3-MISS\")", fmaxl(rate_of(INST, 0, 1) / 5000, rate_of(INST, 2, 3) / 300), -1, R | L, 2 },
		{ "min(TEMP)", 40, 0, G | L, 1 },
		{ "mean(cpus + 0 x INST)", 1, 0, L, 1 },
		{ "cpus + 0 x INST", 4, 0, 0, 1 },
		{ "max(min(CYC) + mean(INST))", 13000000, 0, L, 2 },
		{ "mean(min(CYC), max(CYC))", (1234 + 9000000) / 2.0L, 0, L, 1 },
		{ "mean(threshold(CPI, 2))", 0.75L, 0, L, 2 },
		{ "max(NEVER)", NAN, 0, L, 1 },
		{ "mean(INST / NOTHING)", NAN, 0, L, 2 },
		{ "min(3) x INST", 3 * sum(INST), 0, C | L, 1 },

		/* Meters. */
		{ "CPI", sum(CYC) / sum(INST), 0, 0, 2 },
		{ "BOTH x BOTH", (sum(INST) + sum(CYC)) * (sum(INST) + sum(CYC)), 0, 0, 2 },
		{ "-BOTH", -sum(INST) - sum(CYC), 0, C, 2 },
		{ "1 / CPI", sum(INST) / sum(CYC), 0, 0, 2 },
		{ "rate(BOTH)", rate(INST) + rate(CYC), -1, R, 2 },
		{ "BW_MB", rate(L3) * 64 / 1e6L, -1, R, 1 },
		{ "BW_MB/ 2+BW", rate(L3) * (32 / 1e6L + 64), -1, R, 1 },
		{ "\"own-name\"", sum(INST), 0, C, 2 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows) && !only_count; i++)
		check_row(&rows[i]);
	return ARRAY_SIZE(rows);
}

/* What is said of texts that are no formulas. */
static const struct {
	const char *text;
	int err;
	const char *reason;
} errors[] = {
	{ "", -EINVAL, "The formula ends where a name, a number or \"(\" is expected." },
	{ "  \t ", -EINVAL, "The formula ends where a name, a number or \"(\" is expected." },
	{ "INST +", -EINVAL, "The formula ends where a name, a number or \"(\" is expected." },
	{ "-", -EINVAL, "The formula ends where a name, a number or \"(\" is expected." },
	{ "EMPTY + INST", -EINVAL, "The formula ends where a name, a number or \"(\" is expected." },
	{ "INST + * CYC", -EINVAL, "\"* CYC\" stands where a name, a number or \"(\" is expected." },
	{ "+INST", -EINVAL, "\"+INST\" stands where a name, a number or \"(\" is expected." },
	{ ".5 x INST", -EINVAL, "\".5 x INST\" stands where a name, a number or \"(\" is expected." },
	{ "()", -EINVAL, "\")\" stands where a name, a number or \"(\" is expected." },
	{ "min()", -EINVAL, "\")\" stands where a name, a number or \"(\" is expected." },
	{ "min(INST,)", -EINVAL, "\")\" stands where a name, a number or \"(\" is expected." },
	{ "INST $ 3", -EINVAL, "\"$ 3\" stands where an operation is expected." },
	{ "INST CYC", -EINVAL, "\"CYC\" stands where an operation is expected." },
	{ "3INST", -EINVAL, "\"INST\" stands where an operation is expected." },
	{ "INST\xa0", -EINVAL, "\"\xa0\" stands where an operation is expected." },
	{ "\xc3\xa4", -EINVAL, "\"\xc3\xa4\" stands where a name, a number or \"(\" is expected." },
	{ "INST, CYC", -EINVAL, "\", CYC\" stands where an operation is expected." },
	{ "INST)", -EINVAL, "\")\" stands where an operation is expected." },
	{ "(CLOSE", -EINVAL, "\")\" stands where an operation is expected." },
	{ "(INST, CYC)", -EINVAL, "\", CYC)\" stands where an operation or \")\" is expected." },
	{ "min(INST CYC)", -EINVAL, "\"CYC)\" stands where an operation, \",\" or \")\" is expected." },
	{ "INST CYC and more than a line of it, to be sure", -EINVAL,
	  "\"CYC and more than a line of it, to be su...\" stands where an operation is expected." },
	{ "3 + (INST", -EINVAL, "\"(INST\" has no \")\"." },
	{ "3 + min(INST, 4", -EINVAL, "\"min(INST, 4\" has no \")\"." },
	{ "OPEN)", -EINVAL, "\"(INST\" has no \")\"." },
	{ "\"INST", -EINVAL, "\"INST\" has no quote at its end." },
	{ "2 x \"\" x 2", -EINVAL, "\"\"\" x 2\" begins with an empty name." },
	{ "rate INST", -EINVAL, "\"rate INST\" begins with a function without \"(\": a counter of that name goes in quotes." },
	{ "INST - min", -EINVAL, "\"min\" begins with a function without \"(\": a counter of that name goes in quotes." },
	{ "INST x 1e100", -EINVAL, "\"1e100\" begins with a number that is too large or too small." },
	{ "a23456789012345678901234567890123456789012345678901234567890123x4", -EINVAL,
	  "\"a234567890123456789012345678901234567890...\" begins with a name that is too long." },
	{ "rate(INST, CYC)", -EINVAL, "\"rate(INST, CYC)\" has more arguments than the function takes." },
	{ "scale(INST, 2, 3)", -EINVAL, "\"scale(INST, 2, 3)\" has more arguments than the function takes." },
	{ "scale(INST)", -EINVAL, "\"scale(INST)\" has fewer arguments than the function takes." },
	{ "threshold(INST)", -EINVAL, "\"threshold(INST)\" has fewer arguments than the function takes." },

	{ "5", -EINVAL, "\"5\" has no counter in it: name one of the set." },
	{ "tsc_hz x (cpus - 1)", -EINVAL, "\"tsc_hz x (cpus - 1)\" has no counter in it: name one of the set." },
	{ "L3_X", -ENOENT, "\"L3_X\" is neither a counter of the set nor a meter." },
	{ "INST / \"L3 X\"", -ENOENT, "\"L3 X\" is neither a counter of the set nor a meter." },
	{ "Rate(INST)", -ENOENT, "\"Rate\" is neither a counter of the set nor a meter." },
	{ "2 x (LOST)", -ENOENT, "\"GONE\", of which the meter LOST is made, is neither a counter of the set nor a meter." },
	{ "2 x (\"LOST\")", -ENOENT, "\"GONE\", of which the meter \"LOST\" is made, is neither a counter of the set nor a meter." },

	{ "INST + rate(CYC)", -EINVAL, "\"INST + rate(CYC)\" adds a rate to a count: make both the same." },
	{ "7 x rate(CYC) - INST x 2 - 3", -EINVAL, "\"7 x rate(CYC) - INST x 2\" takes a count from a rate: make both the same." },
	{ "3 / -(BW + BOTH)", -EINVAL, "\"BW + BOTH\" adds a count to a rate: make both the same." },
	{ "max(CPI, BW, 1)", -EINVAL, "\"CPI, BW\" compares a rate with a count: make both the same." },
	{ "mean(BW, CPI)", -EINVAL, "\"BW, CPI\" adds a count to a rate: make both the same." },
	{ "threshold(INST / BW, 1 x INST)", -EINVAL, "\"INST / BW, 1 x INST\" compares a count with a time: make both the same." },
	{ "min(BW x BW, BW)", -EINVAL, "\"BW x BW, BW\" compares a rate with another power of time: make both the same." },
	{ "rate(INST / CYC)", -EINVAL, "\"INST / CYC\" is no count: rate() takes counts, their sums and multiples." },
	{ "rate(INST x CYC)", -EINVAL, "\"INST x CYC\" is no count: rate() takes counts, their sums and multiples." },
	{ "rate(1 / INST)", -EINVAL, "\"1 / INST\" is no count: rate() takes counts, their sums and multiples." },
	{ "rate(INST + 1)", -EINVAL, "\"INST + 1\" is no count: rate() takes counts, their sums and multiples." },
	{ "rate(rate(INST))", -EINVAL, "\"rate(INST)\" is no count: rate() takes counts, their sums and multiples." },
	{ "rate(min(INST, CYC))", -EINVAL, "\"min(INST, CYC)\" is no count: rate() takes counts, their sums and multiples." },
	{ "rate( max( INST ) )", -EINVAL, "\"max( INST )\" is no count: rate() takes counts, their sums and multiples." },
	{ "rate(threshold(INST, 1))", -EINVAL, "\"threshold(INST, 1)\" is no count: rate() takes counts, their sums and multiples." },
	{ "rate(7) + INST", -EINVAL, "\"7\" is no count: rate() takes counts, their sums and multiples." },
	{ "1 + rate(CPI)", -EINVAL, "\"CPI\" is no count: rate() takes counts, their sums and multiples." },
	{ "delta(INST / CYC)", -EINVAL, "\"INST / CYC\" is no count: delta() takes counts, their sums and multiples." },
	{ "delta(rate(INST))", -EINVAL, "\"rate(INST)\" is no count: delta() takes counts, their sums and multiples." },
	{ "rate(TEMP)", -EINVAL, "\"TEMP\" has a gauge in it, and rate() takes counts: a gauge has its value at any moment." },
	{ "delta(INST - TEMP)", -EINVAL, "\"INST - TEMP\" has a gauge in it, and delta() takes counts: a gauge has its value at any moment." },
	{ "rate(INST + INST + INST + INST + INST + INST + INST + INST + INST + CPI)", -EINVAL,
	  "\"INST + INST + INST + INST + INST + INST + INST + INST + INST...\" is no count: rate() takes counts, their sums and multiples." },
	{ "scale(INST, CYC)", -EINVAL, "\"CYC\" has a counter in it: scale() takes a value and a number." },

	{ "SELF", -E2BIG, "\"SELF\" is nested in more than 16 parentheses and meters." },
	{ "INST / PING", -E2BIG, "\"PING + CYC\" is nested in more than 16 parentheses and meters." },
	{ "BOMB", -E2BIG, "The formula has more than 64 values and operations, with those of the meters it names." },
	{ "1+1+1+1+1x(1+1+1+1+1x(1+1+1+1+1x(1+1+1+1+1x(1+1+1+1+1x(1+1+1+1+1x(1+1+x))))))", -E2BIG,
	  "The formula has more than 31 numbers, with those of the meters it names." },
	{ "1+1x(1+1x(1+1x(1+1x(1+1x(1+1x(1+1x(1+1x(x))))))))", -E2BIG,
	  "More than 16 values of the formula wait for others: begin with what is in parentheses." },
	{ "LONG + INST", -E2BIG, "\"                                        ...\" is longer than the 255 characters of a formula." },
};

static void check_error(const char *text, int err, const char *reason)
{
	struct rcr_failure failure = { };
	struct rcr_formula f;
	int got = rcr_formula_parse(&f, text, &all_names, &failure);

	if (got != err || strcmp(failure.reason.text, reason))
		ksft_print_msg("%d: %s\n", got, failure.reason.text);
	ksft_test_result(got == err && failure.error == err && !strcmp(failure.reason.text, reason),
			 "%s: %s\n", text, reason);
}

/* @head, then @unit @times over, then @tail. */
static const char *repeat(const char *head, const char *unit, unsigned int times, const char *tail)
{
	static char text[20000];
	char *at = text + sprintf(text, "%s", head);

	while (times--)
		at += sprintf(at, "%s", unit);
	sprintf(at, "%s", tail);
	return text;
}

static int parse(const char *text, struct rcr_formula *f)
{
	struct rcr_failure failure = { };

	return rcr_formula_parse(f, text, &all_names, &failure);
}

static bool is_worth(const char *text, long double want)
{
	struct rcr_formula f;
	struct rcr_number n;
	int err;

	if (parse(text, &f))
		return false;
	err = evaluate(&f, 0, LANES, &n);
	return same_value(err, n, want, fabsl(want) * CLOSE);
}

static void test_limits(void)
{
	struct rcr_formula f;

	ksft_test_result(is_worth(repeat("((((((((((((((((INST", ")", 16, ""), sum(INST)) &&
			 parse(repeat("(((((((((((((((((INST", ")", 17, ""), &f) == -E2BIG,
			 "16 parentheses, and no more\n");
	ksft_test_result(is_worth(repeat("x", "-x", 31, ""), -30 * sum(X)) && parse(repeat("x", "-x", 31, ""), &f) == 0 &&
			 f.nodes == 63 && f.operands == 1 &&
			 is_worth(repeat("-x", "-x", 31, ""), -32 * sum(X)) &&
			 parse(repeat("x", "-x", 32, ""), &f) == -E2BIG,
			 "64 nodes\n");
	ksft_test_result(is_worth(repeat("x", "+1", 31, ""), sum(X) + 31) &&
			 parse(repeat("", "1+1+1+1+1x(", 6, "1+x))))))"), &f) == 0 && f.constants == 31 &&
			 parse(repeat("", "1+1+1+1+1x(", 6, "1+1+x))))))"), &f) == -E2BIG,
			 "31 numbers\n");
	ksft_test_result(parse(repeat("mean(x", ",x", 30, ")"), &f) == 0 && f.nodes == 63 &&
			 parse(repeat("mean(x", ",x", 31, ")"), &f) == -E2BIG,
			 "a mean's division counts\n");
	ksft_test_result(is_worth(repeat("x+1x(", "1+1x(", 6, "x)))))))"), 2 * sum(X) + 6) &&
			 parse(repeat("", "1+1x(", 8, "x))))))))"), &f) == -E2BIG &&
			 parse(repeat("", "1+1x(", 7, "1x1+x)))))))"), &f) == 0,
			 "16 values wait\n");
	ksft_test_result(parse(repeat("INST", " ", 251, ""), &f) == 0 &&
			 parse(repeat("INST", " ", 252, ""), &f) == -E2BIG,
			 "255 characters\n");
}

/* Of any formula it is known beforehand how much work it can be. */
static void test_hostile(void)
{
	static const char * const hostile[] = {
		"(", "min(", "-", "x", "x ", "x(", "\"", "\"\"", "1", "1e", "1,", ")", "SELF+", "PING x ",
		"BOMB-", "rate(", "((x)+", "-(", "mean(x,", "9.", "\xff", "x+", "L2:all.x_1*", "CPI/",
	};
	unsigned int i, times, accepted = 0, most = 0;
	struct rcr_formula f;

	for (i = 0; i < ARRAY_SIZE(hostile); i++) {
		for (times = 1; times <= 255; times++) {
			lookups = 0;
			accepted += !parse(repeat("", hostile[i], times, ""), &f);
			most = max(most, lookups);
		}
	}
	/* "x", the counter's name, and "x x x" and so on, with an odd number of them. */
	ksft_print_msg("%u accepted, at most %u names asked for\n", accepted, most);
	ksft_test_result(accepted == 1 + 32 && most <= 2 * RCR_FORMULA_NODES * RCR_FORMULA_DEPTH,
			 "hostile texts are refused after little work\n");
	ksft_test_result(parse(repeat("", "(", 19999, ""), &f) == -E2BIG, "a long one, too\n");
}

static int number_of(void *context, const char *name, bool *gauge)
{
	(void)context;
	*gauge = false;
	return atoi(name + 1);
}

/* The operands are what the caller fills in. */
static void test_operands(void)
{
	static const struct rcr_formula_names numbered = { number_of, find_meter, NULL };
	struct rcr_formula f = { };
	struct rcr_failure failure = { };
	char text[RCR_FORMULA_LEN] = "";
	unsigned int i;

	parse("CYC / INST + TEMP x rate(CYC) / rate(CYC)", &f);
	ksft_test_result(f.operands == 3 && f.operand[0].counter == FIRST_ID + CYC &&
			 !f.operand[0].gauge && f.operand[1].counter == FIRST_ID + INST &&
			 f.operand[2].counter == FIRST_ID + TEMP && f.operand[2].gauge,
			 "a counter that is named twice is one operand\n");
	for (i = 0; i < 17; i++)
		sprintf(text + strlen(text), "%sN%u", i ? "+" : "", i);
	ksft_test_result(rcr_formula_parse(&f, text, &numbered, &failure) == -E2BIG &&
			 !strcmp(failure.reason.text, "The formula has more than 16 counters, with those of the meters it names."),
			 "16 counters and no more\n");
}

/* One CPU, some, and none. */
static void test_groups(void)
{
	struct rcr_formula f;
	struct rcr_number n;
	int err;

	parse("max(CYC) / mean(INST) + cpus", &f);
	err = evaluate(&f, 1, 1, &n);
	ksft_test_result(same_value(err, n, 2000001 / 2500000.0L + 1, CLOSE), "one CPU alone\n");
	err = evaluate(&f, 0, 3, &n);
	ksft_test_result(same_value(err, n, 3000000 / (sum_of(INST, 0, 3) / 3) + 3, 4 * CLOSE),
			 "three of them\n");
	err = evaluate(&f, 0, 0, &n);
	ksft_test_result(same_value(err, n, NAN, 0), "none has no value\n");
	parse("rate(\"L3-MISS\")", &f);
	err = evaluate(&f, 1, 1, &n);
	ksft_test_result(same_value(err, n, NAN, 0), "nor has what another CPU reads\n");
}

int main(void)
{
	unsigned int i;

	ksft_print_header();
	ksft_set_plan(test_values(true) + ARRAY_SIZE(errors) + 6 + 2 + 2 + 4);
	test_values(false);
	for (i = 0; i < ARRAY_SIZE(errors); i++)
		check_error(errors[i].text, errors[i].err, errors[i].reason);
	test_limits();
	test_hostile();
	test_operands();
	test_groups();
	ksft_finished();
}
