// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_formula_names.c - finds and replaces the names in a formula.
 */
#include <stdlib.h>
#include <string.h>

#include "meter/formula.h"
#include "ksft.h"

static struct formula_names names;
static struct why why;

/* Return the names in a formula, separated by blanks. */
static const char *found(const char *formula)
{
	static char text[4096];
	unsigned int i;

	text[0] = 0;
	if (formula_find_names(formula, &names, &why))
		return "wrong";
	for (i = 0; i < names.count; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s",
			 i ? " " : "", names.name[i].text);
	return text;
}

static void test_found(void)
{
	static const struct {
		const char *formula, *names;
	} cases[] = {
		{ "TOT_CYC / TOT_INS", "TOT_CYC TOT_INS" },
		{ "TOT_CYC/TOT_INS", "TOT_CYC TOT_INS" },
		{ "rate(DCT_RD_TOT + DCT_WRT) * 64", "DCT_RD_TOT DCT_WRT" },
		{ "tsc_hz * APERF / MPERF", "APERF MPERF" },
		{ "min(A, B, max(C), mean (D)) - cpus", "A B C D" },
		{ "threshold(scale(delta(A), 2), 1e9)", "A" },
		{ "A x B", "A B" }, { "2 x B", "B" }, { "(A)x(B)", "A B" }, { "2xB", "B" },
		{ "x x x", "x x" }, { "xA x Ax", "xA Ax" }, { "-x", "x" },
		{ "1.5e9 * A", "A" }, { "1e+3*A", "A" }, { "2e-3 x e", "e" },
		{ "\"tsc_hz\" + \"rate\"", "tsc_hz rate" },
		{ "\"power/energy-pkg/\" / 1e9", "power/energy-pkg/" },
		{ "\"BR=event:0xc2,umask:1\" / TOT_INS", "BR=event:0xc2,umask:1 TOT_INS" },
		{ "DATA_CACHE_MISSES:u:c.2", "DATA_CACHE_MISSES:u:c.2" },
		{ "A + A", "A A" }, { "_a.b", "_a.b" }, { "", "" }, { " \t", "" }, { "2 + 3", "" },
		{ "nobody(A)", "nobody A" },
	};
	bool all = true;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *got = found(cases[i].formula);

		if (strcmp(got, cases[i].names))
			ksft_print_msg("%s: %s\n", cases[i].formula, got);
		all &= !strcmp(got, cases[i].names);
	}
	ksft_test_result(all, "only names are found in a formula\n");
}

static void test_wrong(void)
{
	static const struct {
		const char *formula, *says;
	} cases[] = {
		{ "\"A", "no closing quote" }, { "A + \"\"", "empty name" },
		{ "A & B", "where an operator is expected" }, { "A B", "'B' where" },
		{ "2 A", "'A' where" }, { "A = B", "where an operator" },
		{ "\xc3\xa4", "where an operator" }, { "A\"B\"", "where an operator" },
	};
	bool all = true;
	char text[1024];
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		bool good = !strcmp(found(cases[i].formula), "wrong") &&
			    strstr(why.text, cases[i].says);

		if (!good)
			ksft_print_msg("%s: %s\n", cases[i].formula, why.text);
		all &= good;
	}
	ksft_test_result(all, "a formula that cannot be parsed is an error\n");
	memset(text, 'A', sizeof(text) - 1);
	text[sizeof(text) - 1] = 0;
	ksft_test_result(!strcmp(found(text), "wrong"), "a name that is too long is an error\n");
	for (i = 0; i + 1 < sizeof(text); i++)
		text[i] = i % 2 ? '+' : 'A';
	ksft_test_result(!strcmp(found(text), "wrong") && names.count == FORMULA_NAMES,
			 "more names than fit are an error\n");
}

static const char *replaced(const char *formula, const char *const *instead)
{
	static char to[RCR_FORMULA_LEN];

	if (formula_find_names(formula, &names, &why) ||
	    formula_replace(formula, &names, instead, to, &why))
		return "wrong";
	return to;
}

static void test_replaced(void)
{
	static const char *const some[] = { NULL, "power-energy-pkg-", "B" };
	static const char *const word[] = { "rate", "x" };
	static const char *const none[FORMULA_NAMES] = { NULL };
	char text[RCR_FORMULA_LEN + 1];

	ksft_test_result(!strcmp(replaced("A+\"power/energy-pkg/\" * (\"B=event:1\")", some),
				 "A+\"power-energy-pkg-\" * (B)"),
				 "names are replaced\n");
	ksft_test_result(!strcmp(replaced("A + B", word), "\"rate\" + \"x\""),
			 "a replaced name is quoted where it needs quotes\n");
	ksft_test_result(!strcmp(replaced(" A / 2 ", none), " A / 2 "),
			 "other names are unchanged\n");
	memset(text, ' ', sizeof(text) - 1);
	text[sizeof(text) - 1] = 0;
	ksft_test_result(!strcmp(replaced(text, none), "wrong") && strstr(why.text, "255"),
			 "a formula that becomes too long is an error\n");
	text[sizeof(text) - 2] = 0;
	ksft_test_result(!strcmp(replaced(text, none), text),
			 "a formula that just fits is no error\n");
}

/* Random bytes must give names or an error. */
static void test_random(void)
{
	static const char letters[] = "AxB1.e+-*/(),\" \"rate(min cpus";
	static const char *const none[FORMULA_NAMES] = { NULL };
	unsigned int round, i, len, good = 0;
	char text[300], to[RCR_FORMULA_LEN];

	srandom(6);
	for (round = 0; round < 100000; round++) {
		len = random() % 40;
		for (i = 0; i < len; i++)
			text[i] = letters[random() % (sizeof(letters) - 1)];
		text[len] = 0;
		if (formula_find_names(text, &names, &why))
			continue;
		good += !formula_replace(text, &names, none, to, &why) && !strcmp(text, to);
		for (i = 0; i < names.count; i++)
			good -= names.name[i].begin + names.name[i].length > len;
	}
	ksft_test_result(good > 1000,
			 "%u of 100000 random texts were parsed, the others refused\n", good);
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(1 + 3 + 5 + 1);
	test_found();
	test_wrong();
	test_replaced();
	test_random();
	ksft_finished();
}
