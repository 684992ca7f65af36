// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_saved.c - a saved set is read back unchanged.
 */
#include <stdlib.h>
#include <string.h>

#include "ksft.h"
#include "parse/period.h"
#include "set/saved.h"

static struct names n;
static struct saved set;
static char said[4096];

static void note(void *to, unsigned int line, const char *sentence)
{
	char *at = to;

	at += strlen(at);
	snprintf(at, sizeof(said) - (at - said), "%u: %s\n", line, sentence);
}

static int read_bytes(const char *text, size_t size)
{
	said[0] = 0;
	return saved_read(&set, text, size, &n, note, said);
}

static int read_text(const char *text)
{
	return read_bytes(text, strlen(text));
}

static void test_good(void)
{
	ksft_test_result(!read_text("# mine\n\nTOT_CYC\r\n  BR=event:0xc2,umask:1,counter:2\t\n"
				    "period 2.5ms\ncontext-switches") && set.count == 3 &&
			 !strcmp(set.event[0], "TOT_CYC=event:0x76") && set.line[0] == 3 &&
			 !strcmp(set.event[1], "BR=event:0xc2,umask:1,counter:2") &&
			 !strcmp(set.event[2], "context-switches=software:context-switches") &&
			 set.line[2] == 6 && set.period_ns == 2500000,
			 "a saved set with comments is parsed\n%s", said);
	ksft_test_result(!read_text("") && !set.count && !set.period_ns,
			 "an empty set is parsed\n");
	saved_remove((read_text("TOT_CYC\nTOT_INS\nL1_DCM\n"), &set), 0);
	ksft_test_result(set.count == 2 && !strncmp(set.event[0], "TOT_INS=", 8) &&
			 set.line[1] == 3, "an event is removed from a saved set\n");
}

static void test_wrong(void)
{
	static const struct {
		const char *text, *says;
	} cases[] = {
		{ "TOT_CYC\nNOBODY\n", "2: unknown event 'NOBODY'" },
		{ "period soon\n", "1: invalid period 'soon'" },
		{ "period 1ms\nperiod 1ms\n", "2: the period is already in line 1" },
		{ "A=event:1\nB=event:2\nA=event:3\n", "3: 'A' is already in line 1" },
		{ "L3_CACHE_MISSES:FOO\n", "1: unknown event 'L3_CACHE_MISSES:FOO'" },
		{ "a b=TOT_CYC\n", "1: invalid name 'a b'" },
	};
	static const char junk[] = "TOT_CYC\n\177ELF\0\1\2\n";
	char text[1400] = "";
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ksft_test_result(read_text(cases[i].text) == 1 && strstr(said, cases[i].says),
				 "%s", said);
	ksft_test_result(read_bytes(junk, sizeof(junk) - 1) == 1 && set.count == 1 &&
			 strstr(said, "2: this is not a text"), "%s", said);
	for (i = 0; i < RCR_MAX_COUNTERS + 1; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "E%zu=event:%zu\n", i, i);
	ksft_test_result(read_text(text) == 1 && set.count == RCR_MAX_COUNTERS &&
			 strstr(said, "33: a set has at most 32 counters"), "%s", said);
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = 0;
	ksft_test_result(read_text(text) == 1 && strstr(said, "1: the line is too long"), "%s", said);
}

static void test_round_trip(void)
{
	static struct rcr_state state = {
		.family = "AMD Fam15h", .period_ns = 12500000, .ncounters = 4,
		.counter = {
			{ .name = "TOT_CYC", .event = "event:0x76", .running = true, .staged = true },
			{ .name = "GOING", .event = "event:0xc2", .running = true },
			{ .name = "A:c-2", .event = "event:0x41,umask:0x03,cmask:2,inv,edge,user,host,counter:1",
			  .staged = true },
			{ .name = "S", .event = "tracepoint:314", .staged = true },
		},
	};
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	saved_write(out, &state);
	fclose(out);
	ksft_test_result(!read_bytes(text, size) && set.count == 3 && set.period_ns == 12500000 &&
			 !strcmp(set.event[0], "TOT_CYC=event:0x76") &&
			 !strcmp(set.event[1], "A:c-2=event:0x41,umask:0x03,cmask:2,inv,edge,user,host,counter:1") &&
			 !strcmp(set.event[2], "S=tracepoint:314"),
			 "the staged set is saved, and read back as it was\n%s", said);
	free(text);
}

static void test_periods(void)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} good[] = {
		{ "20us", 20000 }, { "1ms", 1000000 }, { "0.5s", 500000000 }, { "60min", 3600000000000 },
		{ "1.234us", 1234 },
	};
	static const char *const bad[] = { "", "1", "ms", "1 ms", "-1ms", "0ms", "nans", "1h", "1e30s", "infs" };
	uint64_t ns, each[] = { 20000, 1000000, 1500000, 3600000000000, 12345, 1, 999999999 };
	char text[PERIOD_LEN];
	bool all = true;
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		all &= period_parse(good[i].text, &ns) && ns == good[i].ns;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		all &= !period_parse(bad[i], &ns);
	ksft_test_result(all, "a time needs a number and a unit\n");
	all = true;
	for (i = 0; i < sizeof(each) / sizeof(each[0]); i++) {
		period_text(text, each[i]);
		all &= period_parse(text, &ns) && ns == each[i];
	}
	ksft_test_result(all, "each time is read back exactly\n");
}

int main(void)
{
	setenv("RCR_DICTIONARY", "/nonexistent", 1);
	names_init(&n, "AMD Fam15h", note, said);
	ksft_print_header();
	ksft_set_plan(3 + 9 + 1 + 2);
	test_good();
	test_wrong();
	test_round_trip();
	test_periods();
	names_free(&n);
	ksft_finished();
}
