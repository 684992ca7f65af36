// SPDX-License-Identifier: GPL-2.0-only
/* test_number.c - parsers of numbers, times and quantities. */
#include <string.h>

#include "ksft.h"
#include "parse/number.h"
#include "parse/period.h"
#include "parse/quantity.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* Texts that strtoul() would accept at least in part. */
static const char *const foreign[] = {
	"", " 1", "0x10", "0X10", "-0x1", "+.", ".", "-", "e3", "inf", "nan", "INF", "infinity", "--1", "s",
};

static void test_integers(void)
{
	static const char *const bad[] = {
		"", " 1", "+1", "-1", "1 ", "1.0", "1e3", "0x10", "18446744073709551616", "one",
	};
	uint64_t number;
	bool all = true;
	size_t i;

	for (i = 0; i < COUNT(bad); i++)
		all &= !number_parse(bad[i], &number);
	ksft_test_result(all, "only unsigned decimal integers are accepted\n");
	all = number_parse("0", &number) && !number;
	all &= number_parse("007", &number) && number == 7;
	all &= number_parse("18446744073709551615", &number) && number == UINT64_MAX;
	ksft_test_result(all, "integers up to 2^64 - 1 are parsed\n");
	all = number_parse_range("3", 3, 5, &number) && number_parse_range("5", 3, 5, &number) &&
	      !number_parse_range("2", 3, 5, &number) && !number_parse_range("6", 3, 5, &number);
	ksft_test_result(all, "a range includes both of its ends\n");
}

static void test_beginnings(void)
{
	static const struct {
		const char *text;
		const char *rest;
		double number;
	} good[] = {
		{ "1", "", 1 }, { "2.5GB/s", "GB/s", 2.5 }, { ".5s", "s", .5 }, { "-1e9", "", -1e9 },
		{ "+3%", "%", 3 }, { "1e3x", "x", 1000 }, { "1ex", "ex", 1 }, { "00x1", "x1", 0 },
		{ "5 ms", " ms", 5 },
	};
	long double number;
	const char *rest;
	bool all = true;
	size_t i;

	for (i = 0; i < COUNT(good); i++) {
		rest = number_begin(good[i].text, &number);
		all &= rest && (double)number == good[i].number && !strcmp(rest, good[i].rest);
	}
	/* Too many digits for a double. */
	rest = number_begin("9007199254740993B", &number);
	all &= rest && number == 9007199254740993 && !strcmp(rest, "B");
	ksft_test_result(all, "a number ends at its unit, and keeps all digits\n");
	all = true;
	for (i = 0; i < COUNT(foreign); i++)
		all &= !number_begin(foreign[i], &number);
	ksft_test_result(all, "a number does not begin with 0x, inf, nan or a blank\n");
}

/* All parsers of numbers with units refuse the same texts. */
static void test_units(void)
{
	static const struct quantity_scale scale = { .unit = "s", .digits = 3 };
	char text[32];
	struct quantity q;
	struct why why;
	int64_t value;
	uint64_t ns;
	bool all = true;
	size_t i;

	for (i = 0; i < COUNT(foreign); i++) {
		snprintf(text, sizeof(text), "%ss", foreign[i]);
		all &= !period_parse(text, &ns) && quantity_parse(text, &q, &why) == -1;
	}
	ksft_test_result(all, "times and quantities refuse invalid numbers\n");
	all = period_parse("1.5s", &ns) && ns == 1500000000;
	all &= !quantity_parse("1.5s", &q, &why) && !quantity_value(&q, &scale, &value, &why) &&
	       value == 1500;
	ksft_test_result(all, "times and quantities parse numbers alike\n");
	all = !period_parse("2", &ns) && period_parse_bare("2", 1000000000, &ns) &&
	      ns == 2000000000 && period_parse_bare("2ms", 1000000000, &ns) && ns == 2000000 &&
	      !period_parse_bare("2h", 1000000000, &ns);
	ksft_test_result(all, "a time without a unit is accepted only where a unit is implied\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(8);
	test_integers();
	test_beginnings();
	test_units();
	ksft_finished();
}
