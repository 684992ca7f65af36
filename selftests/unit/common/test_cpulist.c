// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_cpulist.c - parses and prints lists of CPUs.
 */
#include <string.h>

#include "parse/cpulist.h"
#include "ksft.h"

/* Parse a list and print it again; "-" if it is invalid. */
static const char *again(const char *text)
{
	static char line[256];
	bool cpu[CPU_LIMIT] = { };
	FILE *f;

	if (!cpulist_parse(text, cpu))
		return "-";
	f = fmemopen(line, sizeof(line), "w");
	cpulist_print(f, cpu);
	fclose(f);
	return line;
}

static void same(const char *text, const char *expected)
{
	const char *got = again(text);

	ksft_test_result(!strcmp(got, expected), "\"%s\" is %s\n", text, got);
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(4 + 9);
	same("0", "0");
	same("3,1,2,9", "1-3,9");
	same("0-8191", "0-8191");
	same("8190,8191,0", "0,8190-8191");
	same("", "-");
	same("1,", "-");
	same(",1", "-");
	same("1-", "-");
	same("3-1", "-");
	same("8192", "-");
	same("99999999999999999999", "-");
	same(" 1", "-");
	same("1 2", "-");
	ksft_finished();
}
