// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_split.c - formulas that no form can express: rcrctl splits them into parts, and rcrd
 * computes them from the values of the parts. The results are compared with the formula in C.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "expression.h"
#include "ksft.h"
#include "meter/split.h"

/* Values of counters A to D, of the posted meter net_rx, and TSC cycles in a second. */
#define A 12.0
#define B 5.0
#define C 30.0
#define D 7.0
#define NET 1000.0
#define HZ 2000000000.0

static int find_counter(void *context, const char *name, char canonical[RCR_NAME_LEN], bool *gauge)
{
	(void)context;
	*gauge = false;
	strcpy(canonical, name);
	return strlen(name) == 1 && *name >= 'A' && *name <= 'D' ? 0 : -1;
}

static const struct rcr_form *find_form(void *context, const char *name, unsigned int *digits)
{
	(void)context;
	(void)name;
	(void)digits;
	return NULL;
}

static const struct rcr_formula_names counters = {
	.counter = find_counter, .meter = find_form, .tsc_hz = HZ,
};

static int folds(void *context, const char *part, struct why *why)
{
	char reason[512];
	struct rcr_form form;

	(void)context;
	if (rcr_formula_compile(part, 6, &counters, &form, reason, sizeof(reason)))
		return because(why, "%s", reason);
	return 0;
}

static bool is_posted(void *context, const char *name)
{
	(void)context;
	return !strcmp(name, "net_rx");
}

static const struct split_names names = { folds, is_posted, NULL, HZ };

static double side_value(const struct rcr_form_side *side)
{
	static const double values[] = { A, B, C, D };
	double sum = side->terms ? 0 : 1;
	unsigned int i;

	for (i = 0; i < side->terms; i++)
		sum += side->term[i].weight * values[*side->term[i].name - 'A'];
	return sum;
}

/* Compute the value that the module would have for a part. */
static double part_value(const char *part)
{
	char reason[512];
	struct rcr_form f;

	if (rcr_formula_compile(part, 0, &counters, &f, reason, sizeof(reason)))
		return NAN;
	return side_value(&f.above) / side_value(&f.below) * f.numerator / f.denominator;
}

static bool compute(const char *formula, struct split *split, double *value, struct why *why)
{
	double operand[EXPRESSION_METERS];
	char name[RCR_METER_NAME_LEN];
	struct expression e;
	unsigned int i, k;

	if (formula_split(formula, "m", &names, split, why) ||
	    expression_parse(split->program, &e, why))
		return false;
	for (i = 0; i < e.meters; i++) {
		operand[i] = NET;
		for (k = 0; k < split->parts; k++) {
			split_part_name(name, "m", k + 1);
			if (!strcmp(name, e.meter[i]))
				operand[i] = part_value(split->part[k]);
		}
	}
	*value = NAN;
	expression_compute(&e, operand, value);
	return true;
}

static const struct {
	const char *text;
	unsigned int parts;
	double value;
} computed[] = {
	{ "max(A, B)", 2, A },
	{ "min(A, B, C)", 3, B },
	{ "mean(A, B, C, D)", 4, (A + B + C + D) / 4 },
	{ "max(A, A)", 1, A },
	{ "A / B + C / D", 2, A / B + C / D },
	{ "A / B - 1", 1, A / B - 1 },
	{ "1 - A / C", 1, 1 - A / C },
	{ "A * B", 2, A * B },
	{ "A x B x C", 3, A * B * C },
	{ "A / B / C", 2, A / B / C },
	{ "(A / B) / (C / D)", 2, (A / B) / (C / D) },
	{ "-(A * B)", 2, -(A * B) },
	{ "-max(A + B, C) x 2.5e1", 2, -25 * C },
	{ "100 * (1 - (A + B) / C)", 1, 100 * (1 - (A + B) / C) },
	{ "threshold(A / B, 2)", 1, 1 },
	{ "threshold(B / A, 2)", 1, 0 },
	{ "threshold(net_rx, 1e9) + max(A, 13)", 1, 13 },
	{ "net_rx / A", 1, NET / A },
	{ "\"net_rx\" - 1", 0, NET - 1 },
	{ "scale(max(A, B), 3) + ( 2 )", 2, 3 * A + 2 },
	{ "min(max(A, B), max(C, D)) - mean(A, 0)", 4, A - A / 2 },
	{ "A * B / tsc_hz", 2, A * B / HZ },
	{ "2 x min(A, B, 3) + C", 3, 2 * 3 + C },
	{ "((A) * ((B)))", 2, A * B },
	{ "A / B + 1 / B", 2, A / B + 1 / B },
};

static void test_computed(void)
{
	static struct split split;
	struct why why = { "" };
	double value;
	size_t i;
	bool good;

	for (i = 0; i < sizeof(computed) / sizeof(computed[0]); i++) {
		good = compute(computed[i].text, &split, &value, &why);
		if (!good)
			ksft_print_msg("%s\n", why.text);
		else
			ksft_print_msg("%s: %u parts, %.17g\n", split.program, split.parts, value);
		ksft_test_result(good && split.parts == computed[i].parts &&
				 fabs(value - computed[i].value) <= fabs(computed[i].value) / 1000000000,
				 "split: %s\n", computed[i].text);
	}
}

static const struct {
	const char *text;
	const char *sentence;
} refused[] = {
	{ "A + E", "'E' is neither a counter nor a meter" },
	{ "max(A, E)", "'E' is neither a counter nor a meter" },
	{ "max(max(A))", "'max(max(A))' cannot be computed in the kernel: its operand is already reduced over CPUs" },
	{ "max(A, ", "the formula ends where a name, a number or '(' is expected" },
	{ "max(A, B", "the formula ends where an operator or ')' is expected" },
	{ "A * B )", "')' is found where an operator is expected" },
	{ "A * (B, C)", "', C)' is found where an operator or ')' is expected" },
	{ "A * \"B", "'\"B' is found where a name with two quotes is expected" },
	{ "rate(max(A, B))", "'max(A, B)' cannot be computed in the kernel: only sums, ratios, and min, max or mean over CPUs can" },
	{ "cpus * max(A, B)", "'cpus' names no counter" },
};

static void test_refused(void)
{
	static struct split split;
	size_t i;

	for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		struct why why = { "" };
		bool good = formula_split(refused[i].text, "m", &names, &split, &why) == -1 &&
			    !strcmp(why.text, refused[i].sentence);

		if (!good)
			ksft_print_msg("%s\n", why.text);
		ksft_test_result(good, "split: refused: %s\n", refused[i].text);
	}
}

static void test_room(void)
{
	static struct split split;
	char text[RCR_FORMULA_LEN] = "0";
	struct why why;
	int i;

	for (i = 0; i < 18; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "+A*%d*B/C", i + 1);
	ksft_test_result(formula_split(text, "m", &names, &split, &why) == -1 &&
			 strstr(why.text, "more than 16 parts"),
			 "split: more than 16 parts are refused\n");
	memset(text, '(', sizeof(text) - 1);
	text[sizeof(text) - 1] = 0;
	ksft_test_result(formula_split(text, "m", &names, &split, &why) == -1,
			 "split: too many parentheses are refused\n");
}

/* rcrd receives expressions from clients and must refuse malformed ones. */
static void test_expression(void)
{
	static const char *const wrong[] = {
		"", ",", "1,", "1,2", "+", "1,+", "1,2,+,+", "@", "1,2,min3", "1,min0", "1,min", "min-1",
		"1,2,min2x", "1e999", "0x10", "nan", "inf", "-1", "1,negx", "1,2,threshold2", "1 2 +",
		"1,2,3,4,mean5", "@a,@b,pow", "1,2,max99999999999",
	};
	struct expression e;
	struct why why;
	double value, none[1] = { NAN }, one[1] = { 4 };
	char text[EXPRESSION_LEN + 10];
	bool good = true;
	size_t i;

	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		if (!expression_parse(wrong[i], &e, &why)) {
			ksft_print_msg("'%s' is accepted\n", wrong[i]);
			good = false;
		}
	ksft_test_result(good, "expression: a malformed expression is refused\n");
	ksft_test_result(!expression_parse("1,0,/", &e, &why) && !expression_compute(&e, NULL, &value),
			 "expression: a division by zero has no value\n");
	ksft_test_result(!expression_parse("1,0,/,2,threshold", &e, &why) &&
			 !expression_compute(&e, NULL, &value) &&
			 !expression_parse("1e308,1e308,*,1e308,min2", &e, &why) &&
			 !expression_compute(&e, NULL, &value),
			 "expression: a bad part or an overflow gives no value\n");
	ksft_test_result(!expression_parse("@x,1,threshold", &e, &why) &&
			 !expression_compute(&e, none, &value) && expression_compute(&e, one, &value) &&
			 value == 1,
			 "expression: a comparison with a bad part has no value\n");
	for (i = 0; i < sizeof(text) - 1; i++)
		text[i] = i % 2 ? ',' : '1';
	text[i] = 0;
	ksft_test_result(expression_parse(text, &e, &why) == -1,
			 "expression: an expression that is too long is refused\n");
	text[2 * EXPRESSION_STACK + 1] = 0;
	ksft_test_result(expression_parse(text, &e, &why) == -1,
			 "expression: an expression that is nested too deeply is refused\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(sizeof(computed) / sizeof(computed[0]) + sizeof(refused) / sizeof(refused[0]) + 8);
	test_computed();
	test_refused();
	test_room();
	test_expression();
	ksft_finished();
}
