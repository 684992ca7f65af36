// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_source_text.c - parses the statistics of Lustre and networks: valid, truncated and damaged.
 *
 * Each text is copied to memory of exactly its length, so that the sanitizer catches overreads.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ksft.h"
#include "source/text.h"

/* Statistics of a client of Lustre 2.5 and 2.12 (without and with sum of squares) and of 2.15. */
static const char lustre_2_5[] =
	"snapshot_time             1385566402.474839 secs.usecs\n"
	"read_bytes                2 samples [bytes] 4096 1048576 1052672\n"
	"open                      17 samples [regs]\n"
	"statfs                    3 samples [regs]\n";
static const char lustre_2_12[] =
	"snapshot_time             1583412345.123456789 secs.nsecs\n"
	"req_waittime              23 samples [usec] 41 2394 7013 7437249\n"
	"req_active                23 samples [reqs] 1 3 25 29\n"
	"ost_read                  5 samples [usec] 100 300 1000 220000\n";
static const char lustre_2_15[] =
	"snapshot_time             1671111222.123456789 secs.nsecs\n"
	"start_time                1671111111.111111111 secs.nsecs\n"
	"elapsed_time              111.012345678 secs.nsecs\n"
	"read_bytes                10 samples [bytes] 4096 4194304 8388608 18446744073709551615\n"
	"open                      5 samples [usecs] 12 340 700 123456\n";

static struct lustre_stat stat[LUSTRE_STATS_MAX], whole[LUSTRE_STATS_MAX];

static unsigned int parse_exactly(const char *text, size_t size, struct lustre_stat *to)
{
	char *copy = malloc(size);
	unsigned int count;

	memcpy(copy, text, size);
	count = lustre_parse(copy, size, to);
	free(copy);
	return count;
}

static unsigned int parse_text(const char *text)
{
	return parse_exactly(text, strlen(text), stat);
}

/* Return the number of complete lines in the first @size bytes, except those about time. */
static unsigned int whole_lines(const char *text, size_t size)
{
	unsigned int count = 0;
	size_t i, begin = 0;

	for (i = 0; i < size; i++) {
		if (text[i] != '\n')
			continue;
		count += !strstr(text + begin, "_time") || strstr(text + begin, "_time") > text + i;
		begin = i + 1;
	}
	return count;
}

/* A text truncated at any byte must give the values of its complete lines. */
static bool survives_cuts(const char *text)
{
	size_t size = strlen(text), cut;
	unsigned int count;

	parse_exactly(text, size, whole);
	for (cut = 0; cut <= size; cut++) {
		count = parse_exactly(text, cut, stat);
		if (count == whole_lines(text, cut) && !memcmp(stat, whole, count * sizeof(*stat)))
			continue;
		ksft_print_msg("cut at %zu: %u\n", cut, count);
		return false;
	}
	return true;
}

/* Replacing any byte by some others must not add lines. */
static bool survives_changes(const char *text)
{
	static const char others[] = { 0, '\n', ' ', '-', 'x', ':', '\xff' };
	size_t size = strlen(text), i, n;
	char *copy = strdup(text);
	unsigned int count, most = parse_exactly(text, size, whole), s;
	bool ok = true;

	for (i = 0; ok && i < size; i++) {
		for (n = 0; ok && n < sizeof(others); n++) {
			copy[i] = others[n];
			count = parse_exactly(copy, size, stat);
			ok = count <= most;
			for (s = 0; s < count; s++)
				ok &= *stat[s].name && *stat[s].unit;
		}
		copy[i] = text[i];
	}
	free(copy);
	return ok;
}

static void test_lustre(void)
{
	ksft_test_result(parse_text(lustre_2_5) == 3 && !strcmp(stat[0].name, "read_bytes") &&
			 !strcmp(stat[0].unit, "bytes") && stat[0].samples == 2 &&
			 stat[0].fields == 3 && stat[0].value[0] == 4096 &&
			 stat[0].value[1] == 1048576 && stat[0].value[2] == 1052672 &&
			 stat[1].samples == 17 && stat[1].fields == 0,
			 "source: statistics of Lustre 2.5, without sums of squares, are parsed\n");
	ksft_test_result(parse_text(lustre_2_12) == 3 && stat[0].fields == 4 &&
			 stat[0].value[2] == 7013 && stat[0].value[3] == 7437249,
			 "source: statistics of Lustre 2.12, with sums of squares, are parsed\n");
	ksft_test_result(parse_text(lustre_2_15) == 2 && stat[0].value[3] == UINT64_MAX &&
			 stat[1].value[2] == 700,
			 "source: statistics of Lustre 2.15, with three lines about time, are parsed\n");
	ksft_test_result(survives_cuts(lustre_2_5) && survives_cuts(lustre_2_12) &&
			 survives_cuts(lustre_2_15),
			 "source: truncated statistics of Lustre lack lines, but have no wrong values\n");
	ksft_test_result(survives_changes(lustre_2_5) && survives_changes(lustre_2_12) &&
			 survives_changes(lustre_2_15),
			 "source: damaged statistics of Lustre have no additional lines, and all have a name and a unit\n");
}

/* Return the number of entries of a text whose second line is @line. */
static unsigned int parse_with_line(const char *line)
{
	char text[512];

	snprintf(text, sizeof(text), "snapshot_time 1.2 secs.usecs\n%s\n", line);
	return parse_text(text);
}

static void test_lines(void)
{
	ksft_test_result(parse_with_line("a 1 samples [b] 1 2 3") == 1 &&
			 parse_with_line("a 1 samples [b] 1 2") == 0 &&
			 parse_with_line("a 1 samples [b] 1 2 3 4 5") == 0 &&
			 parse_with_line("a 1 samples [b] 1 2 -3") == 0 &&
			 parse_with_line("a 1 samples [b] 1 2 3x") == 0 &&
			 parse_with_line("a 1 samples b 1 2 3") == 0 &&
			 parse_with_line("a 1 samples []") == 0 &&
			 parse_with_line("a 1 sample [b]") == 0 &&
			 parse_with_line("a samples [b]") == 0 && parse_with_line("") == 0,
			 "source: malformed lines are left out\n");
	ksft_test_result(parse_with_line("a 18446744073709551615 samples [b]") == 1 &&
			 parse_with_line("a 18446744073709551616 samples [b]") == 0 &&
			 parse_with_line("a 99999999999999999999999 samples [b]") == 0,
			 "source: numbers that do not fit in 64 bits are left out\n");
	ksft_test_result(parse_with_line("a 1 samples [b]\na 2 samples [b]\na 3 samples [b]") == 0 &&
			 parse_text("a 1 samples [b]\n") == 0,
			 "source: duplicate names, and a text without its time, are left out\n");
	ksft_test_result(parse_with_line("a2345678901234567890123456789012 1 samples [b]") == 0 &&
			 parse_with_line("a234567890123456789012345678901 1 samples [b]") == 1 &&
			 parse_with_line("a\x01 1 samples [b]") == 0,
			 "source: names that are too long or have control characters are left out\n");
}

static bool cuts_are_absent(bool (*parse)(const char *, size_t, uint64_t *), const char *text)
{
	size_t size = strlen(text), cut;
	uint64_t value[LNET_STATS];
	char *copy;
	bool ok = true;

	for (cut = 0; cut < size; cut++) {
		copy = malloc(cut);
		memcpy(copy, text, cut);
		ok &= !parse(copy, cut, value);
		free(copy);
	}
	return ok && parse(text, size, value);
}

static bool parses(bool (*parse)(const char *, size_t, uint64_t *), const char *text)
{
	uint64_t value[LNET_STATS];

	return parse(text, strlen(text), value);
}

static void test_others(void)
{
	static const char lnet[] = "2 135 1 57 58 5 6 19544 23784 9 10\n";
	uint64_t value[LNET_STATS];

	ksft_test_result(lnet_parse(lnet, strlen(lnet), value) && value[0] == 2 && value[3] == 57 &&
			 value[10] == 10 && cuts_are_absent(lnet_parse, lnet) &&
			 !parses(lnet_parse, "1 2 3\n") && !parses(lnet_parse, "1 2 3 4 5 6 7 8 9 10 11 12\n") &&
			 !parses(lnet_parse, "1 2 3 4 5 6 7 8 9 x 11\n"),
			 "source: a line of LNet without exactly eleven numbers is refused\n");
	ksft_test_result(count_parse("4711\n", 5, value) && value[0] == 4711 &&
			 cuts_are_absent(count_parse, "4711\n") &&
			 !parses(count_parse, "N/A (no PMA)\n") && !parses(count_parse, "\n") &&
			 !parses(count_parse, "1\n2\n") && !parses(count_parse, "-1\n"),
			 "source: a malformed number of sysfs is refused\n");
	ksft_test_result(telemetry_parse("815@1671111111.000000042\n", 25, value) && value[0] == 815 &&
			 cuts_are_absent(telemetry_parse, "815@1671111111.000000042\n") &&
			 !parses(telemetry_parse, "815\n") && !parses(telemetry_parse, "815@\n") &&
			 !parses(telemetry_parse, "@1.2\n") && !parses(telemetry_parse, "815.1@2\n") &&
			 !parses(telemetry_parse, "8@1.2 x\n"),
			 "source: a counter of Slingshot without its time is refused\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(12);
	test_lustre();
	test_lines();
	test_others();
	ksft_finished();
}
