// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_interval.c - the lines that rcrstat prints for the records of a stream.
 */
#include <stdlib.h>

#include "format/format.h"
#include "interval/interval.h"
#include "ksft.h"
#include "stream_maker.h"
#include "interval/view.h"

static struct made_set set;
static struct intervals v;
static const struct view each;

static void start(const bool *wanted)
{
	intervals_free(&v);
	set = make_set();
	intervals_init(&v, &set.set, 10000000, wanted);	/* 10 ms */
}

static void add(unsigned int cpu, uint64_t ms, uint64_t t0, uint64_t t1)
{
	struct made_record r = make_sample(cpu, ms, t0, t1);

	intervals_add(&v, &r.record.item);
}

static bool line_is(const char *expected)
{
	char line[512];
	FILE *f = fmemopen(line, sizeof(line), "w");
	bool same;

	format_csv.line(&(struct page){ .out = f, .v = &v, .view = &each });
	fclose(f);
	same = !strcmp(line, expected);
	if (!same)
		ksft_print_msg("got      %s# expected %s", line, expected);
	return same;
}

static bool header_is(const char *expected)
{
	char line[512];
	FILE *f = fmemopen(line, sizeof(line), "w");

	format_csv.set(&(struct page){ .out = f, .v = &v, .view = &each });
	fclose(f);
	return !strcmp(line, expected);
}

/* Feed one sample per millisecond; one count per sample is a rate of 1000/s. */
static void feed(uint64_t from, uint64_t to, unsigned int cpu)
{
	for (; from <= to; from++)
		add(cpu, from, from * 1, from * 1000);
}

static void test_lines(void)
{
	start(NULL);
	ksft_test_result(header_is("time,interval,lost,overruns,status,cpu0:CYC,cpu0:INS,cpu1:CYC,cpu1:INS,cpu3:CYC,cpu3:INS\n"),
			 "the header has event and CPU, for sampled CPUs only\n");
	feed(100, 110, 0);
	feed(100, 110, 1);
	feed(100, 111, 3);
	ksft_test_result(!intervals_complete(&v),
			 "an interval is complete when all CPUs have passed its end\n");
	feed(111, 111, 0);
	feed(111, 111, 1);
	ksft_test_result(intervals_complete(&v) &&
			 line_is("1700000000.110000,0.01,0,0,ok,1000.0,1000000.0,1000.0,1000000.0,1000.0,1000000.0\n"),
			 "a complete interval is printed\n");
	intervals_next(&v);
	feed(112, 121, 0);
	feed(112, 121, 1);
	feed(112, 121, 3);
	ksft_test_result(intervals_complete(&v) &&
			 line_is("1700000000.120000,0.01,0,0,ok,1000.0,1000000.0,1000.0,1000000.0,1000.0,1000000.0\n"),
			 "the next interval begins at the end of the last one\n");
}

static void test_lost(void)
{
	struct rcr_lost lost = {
		.item = { sizeof(lost), RCR_ITEM_LOST, 0, 1, 1 }, .count = 7,
	};
	bool wanted[MAKER_CPUS] = { false, true };
	struct made_record late = make_sample(1, 109, 109, 109000);

	start(wanted);
	feed(100, 101, 1);
	intervals_add(&v, &lost.item);
	late.record.overruns = 3;
	intervals_add(&v, &late.record.item);
	feed(110, 111, 1);
	feed(110, 111, 0);
	ksft_test_result(line_is("1700000000.110000,0.01,7,3,ok,1000.0,1000000.0\n"),
			 "losses and overruns are printed and do not change the rate\n");
	intervals_next(&v);
	feed(112, 121, 1);
	ksft_test_result(line_is("1700000000.120000,0.01,0,0,ok,1000.0,1000000.0\n"),
			 "losses are printed once\n");
}

static void test_silent(void)
{
	struct made_record near = make_sample(0, 112, 112, 112000);
	struct made_record far = make_sample(0, 121, 121, 121000);

	start(NULL);
	feed(100, 111, 0);
	feed(100, 111, 3);
	feed(100, 104, 1);
	ksft_test_result(!intervals_must_close(&v, &near.record.item) &&
			 intervals_must_close(&v, &far.record.item),
			 "an interval with a silent CPU is closed one interval after its end\n");
	intervals_next(&v);
	feed(112, 121, 0);
	feed(112, 121, 3);
	ksft_test_result(line_is("1700000000.120000,0.01,0,0,cpu1=gap,1000.0,1000000.0,,,1000.0,1000000.0\n"),
			 "a silent CPU is a gap, not a zero\n");
	intervals_next(&v);
	feed(122, 131, 0);
	feed(125, 131, 1);
	feed(122, 131, 3);
	ksft_test_result(line_is("1700000000.130000,0.01,0,0,ok,1000.0,1000000.0,1000.0,1000000.0,1000.0,1000000.0\n"),
			 "a CPU that resumes has a rate over the time of its samples\n");
}

static void test_status(void)
{
	bool wanted[MAKER_CPUS] = { true };
	struct made_record r;

	start(wanted);
	feed(100, 104, 0);
	r = make_sample(0, 105, 104, 105000);
	set_status(&r, 0, RCR_STATUS_FOREIGN);
	intervals_add(&v, &r.record.item);
	feed(106, 111, 0);
	ksft_test_result(line_is("1700000000.110000,0.01,0,0,cpu0:CYC=foreign,,1000000.0\n"),
			 "a counter that was foreign within the interval has no rate\n");
	intervals_next(&v);
	feed(112, 121, 0);
	ksft_test_result(line_is("1700000000.120000,0.01,0,0,ok,1000.0,1000000.0\n"),
			 "a counter that was ok throughout the interval has a rate again\n");
}

/* Add one sample of CPU 0 in which CYC is not ok and its total does not change. */
static void add_status(uint64_t ms, uint64_t total, enum rcr_status status)
{
	struct made_record r = make_sample(0, ms, total, ms * 1000);

	set_status(&r, 0, status);
	intervals_add(&v, &r.record.item);
}

/* One of ten samples has @status: no rate is printed, and the status column has @name. */
static bool status_prints(unsigned int status, const char *name)
{
	bool wanted[MAKER_CPUS] = { true };
	char line[80];

	start(wanted);
	feed(100, 104, 0);
	add_status(105, 104, status);
	feed(106, 111, 0);
	snprintf(line, sizeof(line),
		 "1700000000.110000,0.01,0,0,cpu0:CYC=%s,,1000000.0\n", name);
	return line_is(line);
}

static void test_each_status(void)
{
	static const char *const name[] = {
		"", "ok", "halted", "foreign", "busy", "fault", "offline", "gap", "gap",
		"misplaced",
	};
	unsigned int status, wrong = 0;

	for (status = RCR_STATUS_HALTED; status <= RCR_STATUS_MISPLACED; status++)
		wrong += !status_prints(status, name[status]);
	ksft_test_result(!wrong, "a single sample with a status other than ok suppresses the rate\n");
	for (; status < 256; status++)
		wrong += !status_prints(status, "unknown");
	wrong += !status_prints(0, "unknown");
	ksft_test_result(!wrong, "csv: an unknown status is not ok\n");
}

static void test_ends(void)
{
	bool wanted[MAKER_CPUS] = { true };

	start(wanted);
	add_status(100, 0, RCR_STATUS_HALTED);
	feed(101, 111, 0);
	ksft_test_result(line_is("1700000000.110000,0.01,0,0,cpu0:CYC=halted,,1000000.0\n"),
			 "an interval that begins with a halted sample has no rate\n");
	start(wanted);
	feed(100, 109, 0);
	add_status(110, 109, RCR_STATUS_HALTED);
	ksft_test_result(line_is("1700000000.110000,0.01,0,0,cpu0:CYC=halted,,1000000.0\n"),
			 "an interval that ends with a halted sample has no rate\n");
	feed(111, 111, 0);
	intervals_next(&v);
	feed(112, 121, 0);
	ksft_test_result(line_is("1700000000.120000,0.01,0,0,cpu0:CYC=halted,,1000000.0\n"),
			 "the interval that begins with a halted sample has no rate\n");
	intervals_next(&v);
	feed(122, 131, 0);
	ksft_test_result(line_is("1700000000.130000,0.01,0,0,ok,1000.0,1000000.0\n"),
			 "the first interval that begins with an ok sample has a rate\n");
}

static void test_gap(void)
{
	bool wanted[MAKER_CPUS] = { true };

	start(wanted);
	feed(100, 104, 0);
	add_status(105, 104, RCR_STATUS_GAP);
	add_status(106, 104, RCR_STATUS_FOREIGN);
	add_status(107, 104, RCR_STATUS_HALTED);
	feed(108, 111, 0);
	ksft_test_result(line_is("1700000000.110000,0.01,0,0,cpu0:CYC=foreign,,1000000.0\n"),
			 "the first status that was neither ok nor a gap is printed\n");
	start(wanted);
	feed(100, 110, 0);
	add_status(111, 110, RCR_STATUS_GAP);
	feed(112, 115, 0);
	intervals_next(&v);
	feed(116, 121, 0);
	ksft_test_result(line_is("1700000000.120000,0.01,0,0,cpu0:CYC=gap,,1000000.0\n"),
			 "a sample that arrives before its interval begins is kept\n");
}

static void test_clock(void)
{
	bool wanted[MAKER_CPUS] = { true };
	struct made_record clock = make_sample(0, 105, 0, 0);
	int64_t offset = 1700000060000000000ll;

	start(wanted);
	feed(100, 104, 0);
	clock.record.item.type = RCR_ITEM_CLOCK;
	memcpy(clock.bytes + sizeof(struct rcr_record) + 8, &offset, 8);
	intervals_add(&v, &clock.record.item);
	feed(105, 111, 0);
	ksft_test_result(line_is("1700000060.110000,0.01,0,0,ok,1000.0,1000000.0\n"),
			 "a line has the new wall clock time after the clock was set\n");
}

/* A temperature is the value at the end of the interval, and may fall. */
static void test_gauge(void)
{
	start(NULL);
	set.counter[1].unit = RCR_UNIT_MILLIDEGREE;
	intervals_free(&v);
	intervals_init(&v, &set.set, 10000000, NULL);
	add(0, 100, 100, 81000);
	add(1, 100, 100, 45000);
	add(3, 100, 100, 0);
	feed(101, 109, 0);
	add(0, 110, 110, 79000);
	add(1, 110, 110, 45000);
	add(3, 110, 110, 1000);
	add(0, 111, 111, 90000);
	add(1, 111, 111, 90000);
	add(3, 111, 111, 90000);
	ksft_test_result(line_is("1700000000.110000,0.01,0,0,ok,1000.0,79000.0,1000.0,45000.0,1000.0,1000.0\n"),
			 "a temperature is printed as a value, not as a rate\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(4 + 2 + 3 + 2 + 2 + 4 + 2 + 1 + 1);
	test_lines();
	test_lost();
	test_silent();
	test_status();
	test_each_status();
	test_ends();
	test_gap();
	test_clock();
	intervals_free(&v);
	test_gauge();
	ksft_finished();
}
