// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_table.c - tables on a terminal: numbers, columns, and truncation.
 */
#include <stdlib.h>

#define MAKER_CPUS 64
#define MAKER_COUNTERS 4
#include "interval/interval.h"
#include "ksft.h"
#include "print/si.h"
#include "stream_maker.h"
#include "format/table.h"
#include "interval/view.h"

static struct made_set set;
static struct intervals v;
static const struct view each;
static char text[65536];

static void number_is(uint64_t tenths, const char *expected)
{
	char got[SI_SIZE];

	ksft_test_result(!strcmp(si_format(got, tenths), expected), "%llu tenths: %s\n",
			 (unsigned long long)tenths, got);
}

static void test_numbers(void)
{
	number_is(0, "0.0");
	number_is(9999, "999.9");
	number_is(10000, "1.000k");
	number_is(12345, "1.235k");
	number_is(99994, "9.999k");
	number_is(99995, "10.00k");
	number_is(999949, "99.99k");
	number_is(9999499, "999.9k");
	number_is(9999500, "1.000M");
	number_is(35110000000, "3.511G");
	number_is(8200000000000000000, "820.0P");
}

/* Let all CPUs count @rate of each event per second. */
static void start(unsigned int cpus, uint64_t rate)
{
	static const char *const names[] = { "TOT_CYC", "RETIRED_FLOPS", "C", "D" };
	unsigned int i, counter;
	struct made_record r;

	intervals_free(&v);
	set = make_set();
	for (counter = 0; counter < MAKER_COUNTERS; counter++)
		strcpy(set.counter[counter].name, names[counter]);
	set.cpus[0] = cpus < 64 ? (1ull << cpus) - 1 : ~0ull;
	intervals_init(&v, &set.set, 1000000000, NULL);
	for (i = 0; i < 2 * cpus; i++) {
		r = make_sample(i % cpus, i < cpus ? 5000 : 6000, 0, 0);
		for (counter = 0; counter < MAKER_COUNTERS; counter++)
			set_total(&r, counter, i < cpus ? 0 : rate);
		intervals_add(&v, &r.record.item);
	}
}

static void print_marked(const struct rcr_mark *mark, const struct view *view,
			 unsigned int lines, unsigned int columns)
{
	struct table_size size = { .lines = lines, .columns = columns };
	FILE *f = fmemopen(text, sizeof(text), "w");

	table_print(f, &v, view, mark, &size);
	fclose(f);
}

static void print(const struct view *view, unsigned int lines, unsigned int columns)
{
	print_marked(NULL, view, lines, columns);
}

static bool text_is(const char *expected)
{
	if (strcmp(text, expected))
		ksft_print_msg("got:\n%s", text);
	return !strcmp(text, expected);
}

static unsigned int lines_of(const char *at)
{
	unsigned int n = 0;

	while ((at = strchr(at, '\n'))) {
		at++;
		n++;
	}
	return n;
}

static void test_plain(void)
{
	start(2, 2500000);
	v.cpu[1].to.worst[2] = RCR_STATUS_FOREIGN;
	v.cpu[1].lost = 3;
	print(&each, 0, 0);
	ksft_test_result(text_is("2023-11-14 22:13:26, 1 s, 3 lost, 0 overruns\n"
				 "\n"
				 "         TOT_CYC  RETIRED_FLOPS       C       D\n"
				 "              /s             /s      /s      /s\n"
				 "cpu0      2.500M         2.500M  2.500M  2.500M\n"
				 "cpu1      2.500M         2.500M       -  2.500M\n"
				 "all sum   5.000M         5.000M       -  5.000M\n"
				 "\n"
				 "C on CPU 1 was foreign: another program changed its register\n"),
			 "a table has its rows, and sentences about missing rates\n");
}

static void test_narrow(void)
{
	start(1, 1000);
	print(&each, 0, 42);
	ksft_test_result(text_is("2023-11-14 22:13:26, 1 s, 0 lost, 0 overruns\n"
				 "\n"
				 "                  RETIRED_\n"
				 "         TOT_CYC     FLOPS       C       D\n"
				 "              /s        /s      /s      /s\n"
				 "cpu0      1.000k    1.000k  1.000k  1.000k\n"
				 "all sum   1.000k    1.000k  1.000k  1.000k\n"),
			 "long names are broken, at an underscore\n");
	print(&each, 0, 30);
	ksft_test_result(strstr(text, "2 more columns are not shown: the window is too narrow\n"),
			 "a line has the number of events that do not fit\n");
}

static void test_low(void)
{
	struct view per;
	unsigned int i;

	start(64, 1000);
	print(&each, 23, 80);
	ksft_test_result(lines_of(text) == 23 && strstr(text, "all sum") &&
			 strstr(text, "47 more CPUs are not shown: the window is too low\n"),
			 "rows that do not fit are counted, but the sum is always shown\n");
	for (i = 0; i < 10; i++)
		v.cpu[i].to.worst[i % 4] = RCR_STATUS_FOREIGN + i / 4;
	print(&each, 23, 80);
	ksft_test_result(lines_of(text) == 23 && strstr(text, "more like that\n"),
			 "sentences that do not fit are counted, too\n");
	print(&each, 69 + 12, 80);
	ksft_test_result(!strstr(text, "more"), "a table that fits is not cut\n");
	start(64, 1000);
	view_init(&per, &v, PER_CPU, "/");
	per.grouped = true;
	units_init(&per.per, &v, PER_CPU, "/");
	print(&per, 23, 80);
	ksft_test_result(lines_of(text) <= 23 && strstr(text, "cpu2 dev") &&
			 !strstr(text, "cpu3 sum") &&
			 strstr(text, "61 more units are not shown: the window is too low\n"),
			 "a unit is shown completely or not at all\n");
	view_free(&per);
}

/* Tables of any size must stay within their width, height and memory. */
static void test_sizes(void)
{
	unsigned int lines, columns, wrong = 0;
	struct view per;

	start(20, 123456789);
	view_init(&per, &v, PER_CPU, "/");
	per.grouped = true;
	units_init(&per.per, &v, PER_CPU, "/");
	for (lines = 1; lines < 120; lines++)
		for (columns = 1; columns < 140; columns += 3) {
			print(columns % 2 ? &per : &each, lines, columns);
			/*
			 * The smallest table has a heading, names in two lines, units, a sum, and
			 * the line about cuts.
			 */
			wrong += lines_of(text) > (lines > 9 ? lines : 9);
		}
	view_free(&per);
	ksft_test_result(!wrong, "a table fits in a window of any size\n");
}

static void test_gap(void)
{
	struct view per;

	start(6, 1000);
	v.cpu[1].to.valid = false;
	v.cpu[2].to.valid = false;
	v.cpu[4].to.valid = false;
	view_init(&per, &v, PER_ALL, "/");
	print(&per, 0, 0);
	ksft_test_result(strstr(text, "CPU 1-2,4 gave no records: it was offline, or starved\n") &&
			 strstr(text, "all sum         -"),
			 "a unit with a gap has no numbers\n");
	view_free(&per);
	start(6, 1000);
	v.cpu[0].to.valid = false;
	v.cpu[2].to.worst[0] = RCR_STATUS_GAP;
	print(&each, 0, 0);
	ksft_test_result(strstr(text, "CPU 0 gave no records: it was offline, or starved\n"
				"TOT_CYC on CPU 2 was interrupted\n"),
			 "gaps of a CPU and of a counter have different sentences\n");
}

static void test_statuses(void)
{
	start(6, 1000);
	v.cpu[2].to.worst[0] = RCR_STATUS_MISPLACED;
	print(&each, 0, 0);
	ksft_test_result(!!strstr(text,
				  "TOT_CYC on CPU 2 was on a hardware counter that cannot count it\n"),
			 "table: an event on a counter that cannot count it has a sentence\n");
	start(6, 1000);
	v.cpu[2].to.worst[0] = RCR_STATUS_MISPLACED + 1;
	v.cpu[3].to.worst[0] = 255;
	print(&each, 0, 0);
	ksft_test_result(strstr(text, "TOT_CYC on CPU 2 did not count, for an unknown reason") &&
			 strstr(text, "TOT_CYC on CPU 3 did not count, for an unknown reason"),
			 "table: an unknown status is not ok\n");
}

static void test_mark(void)
{
	struct rcr_mark mark = make_mark(5250000000ull, RCR_MARK_BEGIN, "4711");

	start(64, 1000);
	print_marked(&mark, &each, 0, 0);
	ksft_test_result(strstr(text, "\n\nmarked 2023-11-14 22:13:25.250000: begin 4711\n"),
			 "a mark is printed below the table\n");
	mark.lost = 2;
	print_marked(&mark, &each, 23, 80);
	ksft_test_result(lines_of(text) == 23 && strstr(text, "\n\n2 marks were lost\nmarked "),
			 "a mark is printed in a small window, too\n");
}

/* Instructions and cycles of a CPU, and the total of another counter over all CPUs. */
static void test_ratio(void)
{
	struct view per;

	start(3, 1000);
	strcpy(set.counter[1].name, "TOT_INS");
	v.cpu[0].to.total[1] = 2500;
	v.cpu[1].to.worst[0] = RCR_STATUS_FOREIGN;
	v.cpu[2].to.total[0] = 0;
	print(&each, 0, 0);
	ksft_test_result(strstr(text, "\n            IPC  TOT_CYC  TOT_INS") &&
			 strstr(text, "\ncpu0      2.500   1.000k   2.500k") &&
			 strstr(text, "\ncpu1          -        -   1.000k") &&
			 strstr(text, "\ncpu2          -      0.0   1.000k") &&
			 strstr(text, "\nall sum       -        -   4.500k"),
			 "table: instructions per cycle are the first column, if both counters have a rate\n");
	start(2, 1000);
	strcpy(set.counter[1].name, "TOT_INS");
	v.cpu[0].to.total[1] = 2000;
	view_init(&per, &v, PER_ALL, "/");
	print(&per, 0, 0);
	ksft_test_result(strstr(text, "\nall sum    1.500   2.000k") &&
			 strstr(text, "\nall mean           1.000k"),
			 "table: a unit's instructions per cycle are those of its sums\n");
	view_free(&per);
	start(1, 1000);
	strcpy(set.counter[1].name, "TOT_INS");
	set.counter[0].select = 0x410076;
	set.counter[1].select = 0x4300c0;
	print(&each, 0, 0);
	ksft_test_result(!strstr(text, "IPC"),
			 "table: counters of different modes have no ratio\n");
}

static void test_units(void)
{
	start(1, 1000);
	set.counter[1].unit = RCR_UNIT_NANOJOULE;
	set.counter[2].unit = RCR_UNIT_MILLIDEGREE;
	v.cpu[0].to.total[1] = 12345000000;
	v.cpu[0].to.total[2] = 41500;
	v.gauges = 1 << 2;
	print(&each, 0, 0);
	ksft_test_result(strstr(text, "       /s              W       C      /s\n") &&
			 strstr(text, "\ncpu0      1.000k          12.35    41.5  1.000k\n"),
			 "table: energy is printed in watts, a temperature in degrees\n");
}

static void test_band(void)
{
	struct view band = { .band = true };
	unsigned int i;

	start(64, 1000);
	for (i = 0; i < 64; i++)
		v.cpu[i].to.total[0] = 1000 + (i * 37 % 64);
	v.cpu[3].to.worst[2] = RCR_STATUS_FOREIGN;
	print(&band, 0, 0);
	ksft_test_result(strstr(text, ", band of 64 CPUs\n") &&
			 strstr(text, "\nmin       1.000k         1.000k  1.000k") &&
			 strstr(text, "\nmedian    1.031k         1.000k  1.000k") &&
			 strstr(text, "\nmax       1.063k         1.000k  1.000k") &&
			 strstr(text, "\nall sum   66.02k         64.00k       -") &&
			 strstr(text, "C on CPU 3 was foreign") && !strstr(text, "cpu0"),
			 "table: a band has the smallest, the median and the largest rate\n");
	print(&band, 7, 80);
	ksft_test_result(!strstr(text, "more CPUs") && strstr(text, "\nmax "),
			 "table: a band is not cut\n");
}

int main(void)
{
	setenv("TZ", "UTC", 1);
	ksft_print_header();
	ksft_set_plan(11 + 1 + 2 + 4 + 1 + 2 + 2 + 2 + 3 + 1 + 2);
	test_numbers();
	test_plain();
	test_narrow();
	test_low();
	test_sizes();
	test_gap();
	test_statuses();
	test_mark();
	test_ratio();
	test_units();
	test_band();
	intervals_free(&v);
	ksft_finished();
}
