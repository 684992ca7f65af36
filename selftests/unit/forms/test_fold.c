// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_fold.c - the forms that formulas compile to, the errors of those that do not compile, and
 * the formulas of the catalogue.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "catalogue.h"
#include "form_names.h"
#include "form/fraction.h"
#include "ksft.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static char reason[256];

static int compile(const char *text, unsigned int digits, struct rcr_form *form)
{
	memset(form, 0xa5, sizeof(*form));
	reason[0] = 0;
	errno = 0;
	return rcr_formula_compile(text, digits, &known_names, form, reason, sizeof(reason));
}

static int describe_side(char *to, const struct rcr_form_side *s)
{
	static const char *const reductions[] = { "sum", "mean", "min", "max" };
	static const char *const kinds[] = { "", "/s", "'" };
	int len = sprintf(to, "%s(", reductions[s->reduction]);
	unsigned int i;

	for (i = 0; i < s->terms; i++)
		len += sprintf(to + len, "%s%d %s%s", i ? "," : "", s->term[i].weight,
			       *s->term[i].name ? s->term[i].name : "-", kinds[s->term[i].kind]);
	return len + sprintf(to + len, ")");
}

/* Describe a form as in "each 3/4 max(2 A,-1 B/s)/sum(1 T')": a rate has a /s, a gauge a '. */
static const char *describe(const struct rcr_form *f)
{
	static char text[8192];
	int len = sprintf(text, "%s%" PRIu64 "/%" PRIu64 " ", f->per_cpu ? "each " : "",
			  f->numerator, f->denominator);

	len += describe_side(text + len, &f->above);
	if (f->below.terms) {
		text[len++] = '/';
		describe_side(text + len, &f->below);
	}
	return text;
}

/* Print a form as a formula, and check that the formula compiles to the same form. */
static bool comes_back(const struct rcr_form *form, unsigned int digits, const char *want)
{
	char text[RCR_FORMULA_LEN];
	struct rcr_form again;

	if (rcr_form_text(form, digits, text, sizeof(text)) || compile(text, digits, &again) ||
	    memcmp(form, &again, sizeof(again))) {
		ksft_print_msg("written as: %s %s\n", text, reason);
		return false;
	}
	if (want && strcmp(text, want)) {
		ksft_print_msg("written as: %s\n", text);
		return false;
	}
	return true;
}

static const struct {
	const char *text;
	unsigned int digits;
	const char *form;
	const char *again;		/* formula of the form; NULL: not checked */
} forms[] = {
	/* Counters and operators. */
	{ "A", 0, "1/1 sum(1 A)", "A" },
	{ "  ( ( A ) )\t", 3, "1000/1 sum(1 A)", "A" },
	{ "alias", 0, "1/1 sum(1 A)", "A" },
	{ "delta(A)", 0, "1/1 sum(1 A)", "A" },
	{ "\"L3-MISS\"", 0, "1/1 sum(1 L3-MISS)", "\"L3-MISS\"" },
	{ "L2:all.x_1", 0, "1/1 sum(1 L2:all.x_1)", "L2:all.x_1" },
	{ "\"9\" + \"min\" + \"cpus\"", 0, "1/1 sum(1 9,1 min,1 cpus)", "(\"9\" + \"min\" + \"cpus\")" },
	{ "A+B-A", 0, "1/1 sum(1 B)", "B" },
	{ "A-B-C", 0, "1/1 sum(1 A,-1 B,-1 C)", "(A - B - C)" },
	{ "A-(B-C)", 0, "1/1 sum(1 A,-1 B,1 C)", NULL },
	{ "A + B x 3", 0, "1/1 sum(1 A,3 B)", "(A + 3 x B)" },
	{ "A + 0 x B", 0, "1/1 sum(1 A)", NULL },
	{ "A - A + B", 0, "1/1 sum(1 B)", NULL },
	{ "0 x A + 3 x B", 0, "3/1 sum(1 B)", "B x 3" },
	{ "2*A/4/B", 0, "1/2 sum(1 A)/sum(1 B)", "A / B / 2" },
	{ "-A", 0, "1/1 sum(-1 A)", "-A" },
	{ "- - -A x -2", 0, "2/1 sum(1 A)", NULL },
	{ "B--A", 0, "1/1 sum(1 B,1 A)", NULL },
	{ "-(A + B) / -B", 0, "1/1 sum(1 A,1 B)/sum(1 B)", "(A + B) / B" },
	{ "A / (C - B - C)", 0, "1/1 sum(-1 A)/sum(1 B)", "-A / B" },
	{ "A / (-B + 2 x C)", 0, "1/1 sum(-1 A)/sum(1 B,-2 C)", "-A / (B - 2 x C)" },
	{ "1.5e-3 x A", 6, "1500/1 sum(1 A)", "A x 3 / 2000" },
	{ "1e9x2.25xx", 0, "2250000000/1 sum(1 x)", "x x 225e7" },
	{ "xray x 3 + x x 2", 0, "1/1 sum(3 xray,2 x)", "(3 x xray + 2 x x)" },
	{ "2xxray", 0, "2/1 sum(1 xray)", NULL },
	{ "A x(3)x 2", 0, "6/1 sum(1 A)", NULL },
	{ "A / 3 + B / 4 - C / 6", 0, "1/12 sum(4 A,3 B,-2 C)", NULL },
	{ "(A x 6 + B x 9) / (C x 4 + D x 6)", 0, "3/2 sum(2 A,3 B)/sum(2 C,3 D)",
	  "(2 x A + 3 x B) / (2 x C + 3 x D) x 3 / 2" },
	{ "(1 + 2 x 3 - 5) x A", 0, "2/1 sum(1 A)", NULL },
	{ "scale(A + B, 1 / 8)", 0, "1/8 sum(1 A,1 B)", "(A + B) / 8" },
	{ "1.500000000000000000000000 x A", 1, "15/1 sum(1 A)", NULL },
	{ "0.00000000000000000000000000 x A + B", 0, "1/1 sum(1 B)", NULL },
	{ "18446744073709551615 x A", 0, "18446744073709551615/1 sum(1 A)", NULL },
	{ "A x 2147483647 + B", 0, "1/1 sum(2147483647 A,1 B)", NULL },
	{ "A x 2147483647 - B x 2147483646", 0, "1/1 sum(2147483647 A,-2147483646 B)", NULL },

	/* Rates, gauges, constants. */
	{ "rate(A)", 0, "1/1 sum(1 A/s)", "rate(A)" },
	{ "rate(\"L3-MISS\") x 64", 0, "64/1 sum(1 L3-MISS/s)", "rate(\"L3-MISS\") x 64" },
	{ "rate(2 x A - B / 4 + delta(B))", 0, "1/4 sum(8 A/s,3 B/s)", NULL },
	{ "rate(-A)", 0, "1/1 sum(-1 A/s)", "rate(-A)" },
	{ "rate(A) - rate(B)", 0, "1/1 sum(1 A/s,-1 B/s)", "rate(A - B)" },
	{ "A / rate(A)", 0, "1/1 sum(1 A)/sum(1 A/s)", "A / rate(A)" },
	{ "rate(A) / tsc_hz", 0, "1/2100000000 sum(1 A/s)", "rate(A) / 21e8" },
	{ "tsc_hz x B / A", 0, "2100000000/1 sum(1 B)/sum(1 A)", NULL },
	{ "T", 3, "1000/1 mean(1 T')", "T" },
	{ "mean(T x 3 - U)", 0, "1/1 mean(3 T',-1 U')", "mean(3 x T - U)" },
	{ "max(T - U)", 0, "1/1 max(1 T',-1 U')", "max(T - U)" },
	{ "scale(T, tsc_hz)", 0, "2100000000/1 mean(1 T')", NULL },
	{ "rate(A) / T", 0, "1/1 sum(1 A/s)/mean(1 T')", "rate(A) / T" },
	{ "rate(sampler_cycles) / tsc_hz * 1e6 / cpus", 3, "10/21 mean(1 -/s)",
	  "mean(rate(sampler_cycles)) / 2100" },
	{ "\"sampler_cycles\" + A", 0, "1/1 sum(1 -,1 A)", "(sampler_cycles + A)" },

	/* Ratios. */
	{ "1 / (A / B)", 0, "1/1 sum(1 B)/sum(1 A)", "B / A" },
	{ "1 / (8 / A)", 0, "1/8 sum(1 A)", NULL },
	{ "A / C + B / C", 0, "1/1 sum(1 A,1 B)/sum(1 C)", NULL },
	{ "A / (2 x C) - B / (3 x C)", 0, "1/6 sum(3 A,-2 B)/sum(1 C)", NULL },
	{ "A / (C + D) + B / (2 x D + 2 x C)", 0, "1/2 sum(2 A,1 B)/sum(1 C,1 D)", NULL },
	{ "A / B + 2 x A / B", 0, "3/1 sum(1 A)/sum(1 B)", NULL },

	/* Reductions over CPUs. */
	{ "min(A)", 0, "1/1 min(1 A)", "min(A)" },
	{ "max(A + 2 x B) x 3", 0, "3/1 max(1 A,2 B)", "max(A + 2 x B) x 3" },
	{ "mean(T)", 0, "1/1 mean(1 T')", "T" },
	{ "T + mean(2 x T)", 0, "3/1 mean(1 T')", "T x 3" },
	{ "max(T) / 1000", 3, "1/1 max(1 T')", "max(T) / 1000" },
	{ "max(rate(A))", 0, "1/1 max(1 A/s)", "max(rate(A))" },
	{ "A / cpus", 0, "1/1 mean(1 A)", "mean(A)" },
	{ "A / (2 x cpus) / 3", 0, "1/6 mean(1 A)", NULL },
	{ "mean(A) + 2 x A / cpus", 0, "3/1 mean(1 A)", NULL },
	{ "(A + B) / cpus", 0, "1/1 mean(1 A,1 B)", NULL },
	{ "max(-A)", 0, "1/1 max(-1 A)", "max(-A)" },
	{ "-max(A)", 0, "1/1 min(-1 A)", "min(-A)" },
	{ "A / max(-B)", 0, "1/1 sum(-1 A)/min(1 B)", "-A / min(B)" },
	{ "A / min(C - B - C)", 0, "1/1 sum(-1 A)/max(1 B)", "-A / max(B)" },
	{ "max(A) / min(B)", 0, "1/1 max(1 A)/min(1 B)", "max(A) / min(B)" },
	{ "max(A) + 2 x max(3 x A)", 0, "7/1 max(1 A)", NULL },
	{ "max(A) - 2 x max(A)", 0, "1/1 min(-1 A)", NULL },
	{ "min(3) x A", 0, "3/1 sum(1 A)", NULL },
	{ "max(A / B)", 0, "each 1/1 max(1 A)/sum(1 B)", "max(A / B)" },
	{ "max(rate(A) / T) x 2", 1, "each 20/1 max(1 A/s)/sum(1 T')", "max(rate(A) / T) x 2" },
	{ "-max(A / B)", 0, "each 1/1 min(-1 A)/sum(1 B)", "min(-A / B)" },
	{ "max(A / (C - B - C))", 0, "each 1/1 max(-1 A)/sum(1 B)", "max(-A / B)" },
	{ "min(-A / B) x -1", 0, "each 1/1 max(1 A)/sum(1 B)", NULL },
	{ "mean((A + B) / C)", 0, "each 1/1 mean(1 A,1 B)/sum(1 C)", "mean((A + B) / C)" },

	/* Meters. */
	{ "CPI", 0, "1/1 sum(1 A)/sum(1 B)", NULL },
	{ "1 / CPI", 6, "1000000/1 sum(1 B)/sum(1 A)", NULL },
	{ "max(CPI)", 0, "each 1/1 max(1 A)/sum(1 B)", NULL },
	{ "-CPI + CPI x 3", 0, "2/1 sum(1 A)/sum(1 B)", NULL },
	{ "rate(BOTH)", 0, "1/2 sum(2 A/s,-3 B/s)", NULL },
	{ "BW / 2 + BW", 0, "96/1 sum(1 C/s)", NULL },
	{ "HOT x 2", 0, "2/1 max(1 T')", NULL },
	{ "WORST / 1e3", 6, "each 1000/1 min(-1 A)/sum(1 B)", NULL },
	{ "EACH + mean(2 x A)", 0, "3/1 mean(1 A)", NULL },
	{ "max(WARM)", 0, "1/1 max(1 T')", NULL },
};

static void test_form(const char *text, unsigned int digits, const char *want, const char *again)
{
	struct rcr_form form;
	bool right = !compile(text, digits, &form) && !strcmp(describe(&form), want) &&
		     comes_back(&form, digits, again);

	if (!right)
		ksft_print_msg("%s: %s\n", text, *reason ? reason : describe(&form));
	ksft_test_result(right, "fold: %s is %s\n", text, want);
}

#define CANNOT "cannot be computed in the kernel: "
#define ONLY CANNOT "only sums, ratios, and min, max or mean over CPUs can"
#define NOT_COUNT "is not a count: "
#define COUNTS "() takes counters, their sums and multiples"

static const struct {
	const char *text;
	int error;
	const char *reason;
} refusals[] = {
	/* Syntax errors. */
	{ "", EINVAL, "the formula ends where a name, a number or '(' is expected" },
	{ "  \t ", EINVAL, "the formula ends where a name, a number or '(' is expected" },
	{ "A +", EINVAL, "the formula ends where a name, a number or '(' is expected" },
	{ "-", EINVAL, "the formula ends where a name, a number or '(' is expected" },
	{ "A + * B", EINVAL, "'* B' is found where a name, a number or '(' is expected" },
	{ "+A", EINVAL, "'+A' is found where a name, a number or '(' is expected" },
	{ ".5 x A", EINVAL, "'.5 x A' is found where a name, a number or '(' is expected" },
	{ "min()", EINVAL, "')' is found where a name, a number or '(' is expected" },
	{ "min(A,)", EINVAL, "')' is found where a name, a number or '(' is expected" },
	{ "A $ 3", EINVAL, "'$ 3' is found where an operator is expected" },
	{ "A B", EINVAL, "'B' is found where an operator is expected" },
	{ "3A", EINVAL, "'A' is found where an operator is expected" },
	{ "A\xa0", EINVAL, "'\xa0' is found where an operator is expected" },
	{ "A, B", EINVAL, "', B' is found where an operator is expected" },
	{ "A)", EINVAL, "')' is found where an operator is expected" },
	{ "(A, B)", EINVAL, "', B)' is found where an operator or ')' is expected" },
	{ "min(A B)", EINVAL, "'B)' is found where an operator, ',' or ')' is expected" },
	{ "A B and more than a line of it, for a long time", EINVAL,
	  "'B and more than a line of it, for a long...' is found where an operator is expected" },
	{ "3 + (A", EINVAL, "'(A' has no ')'" },
	{ "3 + min(A, 4", EINVAL, "'min(A, 4' has no ')'" },
	{ "2 x \"A", EINVAL, "'\"A' has no closing quote" },
	{ "2 x \"\" x 2", EINVAL, "'\"\" x 2' begins with an empty name" },
	{ "rate A", EINVAL, "'rate A' begins with a function without '(': put the name of a counter in quotes" },
	{ "a23456789012345678901234567890123456789012345678901234567890123x4", EINVAL,
	  "'a234567890123456789012345678901234567890...' is too long for a name" },
	{ "rate(A, B)", EINVAL, "'rate(A, B)' has too many arguments" },
	{ "scale(A, 2, 3)", EINVAL, "'scale(A, 2, 3)' has too many arguments" },
	{ "scale(A)", EINVAL, "'scale(A)' has too few arguments" },
	{ "threshold(A)", EINVAL, "'threshold(A)' has too few arguments" },

	/* Unknown names. */
	{ "L3_X", ENOENT, "'L3_X' is neither a counter nor a meter" },
	{ "A / \"L3 X\"", ENOENT, "'L3 X' is neither a counter nor a meter" },
	{ "Rate(A)", ENOENT, "'Rate' is neither a counter nor a meter" },
	{ "meter_cycles", ENOENT, "'meter_cycles' is neither a counter nor a meter" },

	/* No counter, a divisor of zero, or an operand of the wrong kind. */
	{ "5", EINVAL, "'5' names no counter" },
	{ "cpus", EINVAL, "'cpus' names no counter" },
	{ " 2 x tsc_hz ", EINVAL, "'2 x tsc_hz' names no counter" },
	{ "A - A", EINVAL, "'A - A' is always zero: no counter is left in it" },
	{ "0 x A", EINVAL, "'0 x A' is always zero: no counter is left in it" },
	{ "0 x A + 0 x B", EINVAL, "'0 x A + 0 x B' is always zero: no counter is left in it" },
	{ "A / (3 - 3)", EINVAL, "'A / (3 - 3)' divides by zero" },
	{ "A / (B - B)", EINVAL, "'A / (B - B)' divides by zero" },
	{ "A + rate(B)", EINVAL, "'A + rate(B)' adds a rate and a count: use rate() for both or for neither" },
	{ "7 x rate(B) - A x 2 - C", EINVAL, "'7 x rate(B) - A x 2' adds a rate and a count: use rate() for both or for neither" },
	{ "A x tsc_hz + B", EINVAL, "'A x tsc_hz + B' adds a rate and a count: use rate() for both or for neither" },
	{ "rate(A) / tsc_hz / C + B / C", EINVAL,
	  "'rate(A) / tsc_hz / C + B / C' adds a rate and a count: use rate() for both or for neither" },
	{ "BW + BOTH", EINVAL, "'BW + BOTH' adds a rate and a count: use rate() for both or for neither" },
	{ "A + T", EINVAL, "'A + T' adds a gauge and a count: a gauge is a level, a count grows with time" },
	{ "rate(A / B)", EINVAL, "'A / B' " NOT_COUNT "rate" COUNTS },
	{ "rate(A + max(A))", EDOM, "'A + max(A)' " CANNOT "values that are reduced over CPUs in different ways cannot be added" },
	{ "rate(rate(A))", EINVAL, "'rate(A)' " NOT_COUNT "rate" COUNTS },
	{ "rate( max( A ) )", EINVAL, "'max( A )' " NOT_COUNT "rate" COUNTS },
	{ "rate(A / cpus)", EINVAL, "'A / cpus' " NOT_COUNT "rate" COUNTS },
	{ "rate(7) + A", EINVAL, "'7' " NOT_COUNT "rate" COUNTS },
	{ "1 + rate(CPI)", EINVAL, "'CPI' " NOT_COUNT "rate" COUNTS },
	{ "delta(T)", EINVAL, "'T' " NOT_COUNT "delta" COUNTS },
	{ "scale(A, B)", EINVAL, "'scale(A, B)' is not a number: scale() takes a value and a number" },

	/* Formulas that a form cannot express. */
	{ "max(A, B)", EDOM, "'max(A, B)' " ONLY },
	{ "2 x min(A, B, 3) + C", EDOM, "'min(A, B, 3)' " ONLY },
	{ "mean(A, B)", EDOM, "'mean(A, B)' " ONLY },
	{ "threshold(A, 1)", EDOM, "'threshold(A, 1)' " ONLY },
	{ "A + 5", EDOM, "'A + 5' " CANNOT "a number cannot be added to a counter" },
	{ "5 - rate(A)", EDOM, "'5 - rate(A)' " CANNOT "a number cannot be added to a counter" },
	{ "A / B + 1", EDOM, "'A / B + 1' " CANNOT "a number cannot be added to a counter" },
	{ "A / B + 1 / B", EDOM, "'A / B + 1 / B' " CANNOT "a number cannot be added to a counter" },
	{ "A / B + C / D", EDOM, "'A / B + C / D' " CANNOT "ratios with different divisors cannot be added" },
	{ "A / B + A", EDOM, "'A / B + A' " CANNOT "ratios with different divisors cannot be added" },
	{ "A / B + A / max(B)", EDOM, "'A / B + A / max(B)' " CANNOT "ratios with different divisors cannot be added" },
	{ "A / (B + 2 x C) + A / (2 x B + C)", EDOM,
	  "'A / (B + 2 x C) + A / (2 x B + C)' " CANNOT "ratios with different divisors cannot be added" },
	{ "max(A - B) + max(B - A)", EDOM,
	  "'max(A - B) + max(B - A)' " CANNOT "minima, maxima or means of different values cannot be added" },
	{ "A + mean(A)", EDOM, "'A + mean(A)' " CANNOT "values that are reduced over CPUs in different ways cannot be added" },
	{ "mean(A / B) + mean(A) / B", EDOM,
	  "'mean(A / B) + mean(A) / B' " CANNOT "values that are reduced over CPUs in different ways cannot be added" },
	{ "mean(A) + B / cpus", EDOM, "'mean(A) + B / cpus' " CANNOT "minima, maxima or means of different values cannot be added" },
	{ "T + mean(U)", EDOM, "'T + mean(U)' " CANNOT "minima, maxima or means of different values cannot be added" },
	{ "mean(A / C) + mean(B / C)", EDOM, "'mean(A / C) + mean(B / C)' " CANNOT "minima, maxima or means of different values cannot be added" },
	{ "2 x max(A / (B - C)) + max(A / (C - B))", EDOM,
	  "'2 x max(A / (B - C)) + max(A / (C - B))' " CANNOT "minima, maxima or means of different values cannot be added" },
	{ "T x 3 - U", EDOM, "'T x 3 - U' " CANNOT
	  "means of different gauges cannot be added: write mean() around their sum" },
	{ "A / (T + U)", EDOM, "'A / (T + U)' " CANNOT
	  "means of different gauges cannot be added: write mean() around their sum" },
	{ "A + 0x10 x B", EINVAL,
	  "'0x10 x B' is not a decimal number" },
	{ "max(A) + max(B)", EDOM, "'max(A) + max(B)' " CANNOT "minima, maxima or means of different values cannot be added" },
	{ "max(A) - max(-A)", EDOM, "'max(A) - max(-A)' " CANNOT "values that are reduced over CPUs in different ways cannot be added" },
	{ "x x x", EDOM, "'x x x' " CANNOT "counters cannot be multiplied" },
	{ "8 / A x B", EDOM, "'8 / A x B' " CANNOT "counters cannot be multiplied" },
	{ "A / B / C", EDOM, "'A / B / C' " CANNOT "a ratio of ratios can only be written as one ratio of sums" },
	{ "A / CPI", EDOM, "'A / CPI' " CANNOT "a ratio of ratios can only be written as one ratio of sums" },
	{ "1 / max(A / B)", EDOM, "'1 / max(A / B)' " CANNOT "a number cannot be divided by a ratio that min, max or mean reduced" },
	{ "8 / A", EDOM, "'8 / A' " CANNOT "the dividend has no counter" },
	{ "max(max(A))", EDOM, "'max(max(A))' " CANNOT "its operand is already reduced over CPUs" },
	{ "max(A / min(B))", EDOM, "'max(A / min(B))' " CANNOT "its operand is already reduced over CPUs" },
	{ "min(A / cpus)", EDOM, "'min(A / cpus)' " CANNOT "its operand is already reduced over CPUs" },
	{ "max(HOT)", EDOM, "'max(HOT)' " CANNOT "its operand is already reduced over CPUs" },
	{ "A x cpus", EDOM, "'A x cpus' " CANNOT "cpus can only be a divisor" },
	{ "cpus x cpus", EDOM, "'cpus x cpus' " CANNOT "cpus can only be a divisor" },
	{ "A / (cpus - 1)", EDOM, "'cpus - 1' " CANNOT "cpus can only be a divisor" },
	{ "cpus / A", EDOM, "'cpus / A' " CANNOT "cpus can only be a divisor" },
	{ "mean(cpus) x A", EDOM, "'mean(cpus)' " CANNOT "cpus can only be a divisor" },
	{ "A / B / cpus", EDOM, "'A / B / cpus' " CANNOT "cpus can only divide a plain sum of counts or rates" },
	{ "T / cpus", EDOM, "'T / cpus' " CANNOT "cpus can only divide a plain sum of counts or rates" },
	{ "max(A) / cpus", EDOM, "'max(A) / cpus' " CANNOT "cpus can only divide a plain sum of counts or rates" },
	{ "1 / cpus x A", EDOM, "'1 / cpus' " CANNOT "cpus can only divide a plain sum of counts or rates" },

	/* Too large. */
	{ "A x 1e100", E2BIG, "'1e100' has numbers too large or too precise" },
	{ "A x 3e-99999999999999999999", E2BIG, "'3e-99999999999999999999' has numbers too large or too precise" },
	{ "18446744073709551616 x A", E2BIG, "'18446744073709551616' has numbers too large or too precise" },
	{ "3.14159265358979323846264 x A", E2BIG, "'3.14159265358979323846264' has numbers too large or too precise" },
	{ "A x 1e10 x 1e10", E2BIG, "'A x 1e10 x 1e10' has numbers too large or too precise" },
	{ "A / 1e10 / 1e10", E2BIG, "'A / 1e10 / 1e10' has numbers too large or too precise" },
	{ "A x 2147483648 + B", E2BIG, "'A x 2147483648 + B' has numbers too large or too precise" },
	{ "A / 4294967291 + B / 4294967279 + C / 4294967231", E2BIG,
	  "'A / 4294967291 + B / 4294967279 + C / 42...' has numbers too large or too precise" },
};

static void test_refusal(const char *text, int error, const char *want)
{
	struct rcr_form form;
	bool right = compile(text, 0, &form) == -1 && errno == error && !strcmp(reason, want);

	if (!right)
		ksft_print_msg("%s\n", *reason ? reason : describe(&form));
	ksft_test_result(right, "refused: %s: %s\n", text, want);
}

static bool is_too_large(const char *text, unsigned int digits, const char *why)
{
	struct rcr_form form;
	bool right = compile(text, digits, &form) && errno == E2BIG && strstr(reason, why);

	if (!right)
		ksft_print_msg("%s\n", *reason ? reason : describe(&form));
	return right;
}

/* Concatenate @head, @unit repeated @times, and @tail. */
static const char *repeat(const char *head, const char *unit, unsigned int times, const char *tail)
{
	static char text[20000];
	char *at = text + sprintf(text, "%s", head);

	while (times--)
		at += sprintf(at, "%s", unit);
	sprintf(at, "%s", tail);
	return text;
}

/* Accept each name as a counter, with a long canonical name. */
static int many_counters(void *context, const char *name, char canonical[RCR_NAME_LEN], bool *gauge)
{
	(void)context;
	*gauge = false;
	snprintf(canonical, RCR_NAME_LEN, "a_long_name_of_a_counter_that_is_called_%s", name);
	return 0;
}

static void test_terms(void)
{
	static const struct rcr_formula_names names = { .counter = many_counters };
	const char *text32 = "a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p+q+r+s+t+u+v+w+y+z+A+B+C+D+E+F+G";
	char text33[80], small[8], long_text[4096];
	struct rcr_form form;
	int ret = rcr_formula_compile(text32, 0, &names, &form, reason, sizeof(reason));

	ksft_test_result(!ret && form.above.terms == 32, "limits: a side has 32 terms\n");
	ksft_test_result(!rcr_form_text(&form, 0, long_text, sizeof(long_text)) &&
			 rcr_form_text(&form, 0, long_text, RCR_FORMULA_LEN) == -1 && errno == E2BIG &&
			 rcr_form_text(&form, 0, small, sizeof(small)) == -1 && errno == E2BIG &&
			 rcr_form_text(&form, 0, small, 0) == -1 && errno == E2BIG,
			 "limits: a form that does not fit in its text is an error\n");
	snprintf(text33, sizeof(text33), "%s+H", text32);
	ret = rcr_formula_compile(text33, 0, &names, &form, reason, sizeof(reason));
	ksft_test_result(ret == -1 && errno == E2BIG &&
			 !strcmp(reason, "'a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p+q+r+s+t+...' has more than 32 counters in a sum"),
			 "limits: a side has no 33rd term\n");
}

static void test_limits(void)
{
	struct rcr_form form;

	ksft_test_result(!compile(repeat("((((((((((((((((A", ")", 16, ""), 0, &form) &&
			 is_too_large(repeat("(((((((((((((((((A", ")", 17, ""), 0, "is nested in more than 16 parentheses"),
			 "limits: 16 nested parentheses are the most\n");
	ksft_test_result(!compile(repeat("A", " ", 254, ""), 0, &form) &&
			 is_too_large(repeat("A", " ", 255, ""), 0, "the formula has more than 255 characters"),
			 "limits: a formula has at most 255 characters\n");
	ksft_test_result(!compile(repeat("", "-", 200, "A"), 0, &form),
			 "limits: a number may have any number of signs\n");
	ksft_test_result(!compile("A", 19, &form) && form.numerator == 10000000000000000000ull &&
			 is_too_large("A", 20, "'A' has numbers too large or too precise"),
			 "limits: more digits than a form can have are refused\n");
	test_terms();
}

static bool adds_to(struct fraction a, struct fraction b, struct fraction want)
{
	return fraction_add(&a, b) && fraction_equal(a, want);
}

static void test_fractions(void)
{
	struct fraction third = { 1, 3, false }, sixth = { 1, 6, true }, big = { UINT64_MAX, 1, false };
	struct fraction f = big;

	ksft_test_result(adds_to(third, sixth, (struct fraction){ 1, 6, false }) &&
			 adds_to(sixth, third, (struct fraction){ 1, 6, false }) &&
			 adds_to(sixth, sixth, (struct fraction){ 1, 3, true }) &&
			 adds_to(big, fraction_negate(big), fraction_integer(0)),
			 "fraction: sums are exact\n");
	ksft_test_result(!fraction_add(&f, fraction_integer(1)) && (f = big, !fraction_add(&f, third)) &&
			 (f = big, !fraction_mul(&f, fraction_integer(2))) &&
			 (f = big, fraction_div(&f, big) && fraction_equal(f, fraction_integer(1))) &&
			 (f = fraction_integer(0), fraction_mul(&f, sixth) && !f.negative),
			 "fraction: overflow is detected, zero has no sign\n");
}

/* Find the counter of a catalogued meter by the name of its event. */
static int catalogued_counter(void *context, const char *name, char canonical[RCR_NAME_LEN],
			      bool *gauge)
{
	const char *at = context;
	size_t len = strlen(name);

	for (; at; at = strchr(at, ';') ? strchr(at, ';') + 1 : NULL) {
		if (strncmp(at, name, len) || at[len] != '=')
			continue;
		*gauge = !strncmp(at + len, "=register:temp-", 15);
		snprintf(canonical, RCR_NAME_LEN, "%s", name);
		return 0;
	}
	return -1;
}

static const struct rcr_form *no_meter(void *context, const char *name, unsigned int *digits)
{
	(void)context;
	(void)name;
	(void)digits;
	return NULL;
}

/* The memory channels of two home agents, as on the machines with the longest formulas. */
#define BOXES 0x33

static void check_catalogued(const struct catalogue_row *c, unsigned int *folded, char *others)
{
	struct catalogue_way way;
	struct rcr_formula_names names = {
		catalogued_counter, no_meter, way.events, TSC_HZ,
	};
	char text[RCR_FORMULA_LEN];
	struct rcr_form form, again;

	catalogue_expand(c, BOXES, &way);
	if (rcr_formula_compile(way.formula, c->digits, &names, &form, reason, sizeof(reason))) {
		sprintf(others + strlen(others), "%s ", c->name);
		return;
	}
	if (!rcr_form_text(&form, c->digits, text, sizeof(text)) &&
	    !rcr_formula_compile(text, c->digits, &names, &again, reason, sizeof(reason)) &&
	    !memcmp(&form, &again, sizeof(form)))
		++*folded;
	else
		ksft_print_msg("%s: %s: %s\n", c->name, c->formula, text);
}

static void test_catalogue(void)
{
	static const char *const families[] = {
		"AMD Fam10h", "AMD Fam15h", "AMD Fam17h amd64_fam17h_zen1",
		"AMD Fam17h amd64_fam17h_zen2", "AMD Fam19h", "AMD PerfMonV2", "Intel Nehalem",
		"Intel Sandy Bridge", "Intel Ivy Bridge", "Intel Haswell", "Intel Broadwell",
		"Intel Skylake-SP", "Intel Ice Lake-SP", "Intel Sapphire Rapids",
	};
	const struct catalogue_row *seen[200], *c;
	unsigned int count = 0, folded = 0, i, j;
	char others[4096] = "";

	for (i = 0; i < COUNT(families); i++) {
		for (c = NULL; (c = catalogue_next(c, families[i])); ) {
			for (j = 0; j < count && seen[j] != c; j++)
				;
			if (j < count)
				continue;
			seen[count++] = c;
			check_catalogued(c, &folded, others);
		}
	}
	ksft_print_msg("%u of %u formulas have a form, without: %s\n", folded, count, others);
	ksft_test_result(count >= 70 && folded == count, "catalogue: every formula has a form\n");
}

static bool make_meters(void)
{
	return make_known("CPI", "A / B", 6) && make_known("BOTH", "A - 1.5 x B", 9) &&
	       make_known("BW", "rate(C) x 64", 0) && make_known("HOT", "max(T)", 3) &&
	       make_known("WORST", "min(-A / B)", 6) && make_known("EACH", "A / cpus", 1) &&
	       make_known("WARM", "mean(T)", 2) && make_known("A", "B", 0);
}

int main(void)
{
	unsigned int i;

	ksft_print_header();
	ksft_set_plan(COUNT(forms) + COUNT(refusals) + 11);
	ksft_test_result(make_meters(), "meters of the other tests compile\n");
	for (i = 0; i < COUNT(forms); i++)
		test_form(forms[i].text, forms[i].digits, forms[i].form, forms[i].again);
	for (i = 0; i < COUNT(refusals); i++)
		test_refusal(refusals[i].text, refusals[i].error, refusals[i].reason);
	test_limits();
	test_fractions();
	test_catalogue();
	ksft_finished();
}
