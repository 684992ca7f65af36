// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_rate.c - counts, rates and completeness of a run: a time span on some CPUs.
 */
#include <stdlib.h>
#include <string.h>

#define MAKER_CPUS 4
#define MAKER_COUNTERS 2
#include "ksft.h"
#include "math/rate.h"
#include "stream_maker.h"

#define BEGIN	10000000ull
#define END	50000000ull
#define CYC	0
#define INS	1
#define TINY	(1 / 1e18)

static struct made_set set;
static struct rate_run run;
static struct rate_sum sum;
/* Generation of the records that are added. */
static uint32_t generation;

/* Start a run of @set from 10 to 50 ms on all CPUs. The period is 1 ms, a TSC count is 1 ns. */
static void restart_run(void)
{
	rate_free(&run);
	generation = set.set.item.generation;
	rate_init(&run, MAKER_CPUS);
	run.edge = 5000000;
	rate_set(&run, &set.set);
	run.begin = BEGIN;
	run.end = END;
}

/* Start a run of the default set on CPUs 0, 1 and 3. */
static void begin_run(void)
{
	set = make_set();
	restart_run();
	run.wanted[2] = false;
}

static void set_statuses(struct made_record *r, uint8_t first, uint8_t second)
{
	char *status = r->bytes + sizeof(struct rcr_record) + 8 * MAKER_COUNTERS;

	status[0] = first;
	status[1] = second;
}

/* Add a sample of CYC with a status; INS is ok and counts a tenth as much. */
static void add_cyc(unsigned int cpu, uint64_t ms, uint64_t total, uint8_t status, uint64_t changes)
{
	struct made_record r = make_sample(cpu, ms, total, total / 10);

	set_statuses(&r, status, RCR_STATUS_OK);
	r.record.item.generation = generation;
	r.record.changes = changes;
	rate_add(&run, &r.record.item);
}

/* Add samples every 10 ms, in which CYC counts @count. */
static void add_steady(unsigned int cpu, unsigned int from_ms, unsigned int to_ms, uint64_t count)
{
	unsigned int ms;

	for (ms = from_ms; ms <= to_ms; ms += 10)
		add_cyc(cpu, ms, 1000 + (ms - from_ms) / 10 * count, RCR_STATUS_OK, 0);
}

static bool sum_is(unsigned int event, uint64_t count, double completeness, uint8_t status)
{
	bool found = rate_sum(&run, event, NULL, 0, &sum);
	double off = sum.completeness - completeness;

	if (found && sum.count == count && sum.status == status && off * off < TINY)
		return true;
	ksft_print_msg("%llu, %f, status %u of CPU %u\n", (unsigned long long)sum.count,
		       sum.completeness, sum.status, sum.cpu);
	return false;
}

static void test_sums(void)
{
	struct rate_groups halves = { (unsigned int[]){ 0, 0, 2, 2 } };

	begin_run();
	run.edge = 10000000;
	add_cyc(0, 9, 5, RCR_STATUS_OK, 0);
	add_steady(0, 10, 50, 100);
	add_cyc(0, 51, 77777, RCR_STATUS_OK, 0);
	add_steady(1, 10, 50, 200);
	add_steady(3, 11, 41, 1000);
	ksft_test_result(sum_is(CYC, 400 + 800 + 3000, 1, 0) && sum.places == 3 &&
			 run.cpu[0].first.tick == 10 && run.cpu[0].last.tick == 50,
			 "rate: a count is from the first to the last sample within the run\n");
	ksft_test_result(sum.per_second > 129999.9 && sum.per_second < 130000.1,
			 "rate: a rate is the sum of the rates of the CPUs, each over its own time\n");
	ksft_test_result(rate_sum(&run, CYC, &halves, 0, &sum) && sum.count == 1200 &&
			 rate_sum(&run, CYC, &halves, 2, &sum) && sum.count == 3000 &&
			 sum.places == 1,
			 "rate: groups of CPUs have their own counts\n");
	ksft_test_result(run.latest == 51000000,
			 "rate: the time of a sample after the end is recorded\n");
	run.wanted[3] = false;
	ksft_test_result(sum_is(CYC, 1200, 1, 0),
			 "rate: CPUs outside of the run are left out\n");
}

/* A foreign counter resumes with status gap; the reason to report is foreign. */
static void test_foreign(void)
{
	begin_run();
	add_steady(0, 10, 50, 100);
	add_steady(3, 10, 50, 100);
	add_cyc(1, 10, 1000, RCR_STATUS_OK, 0);
	add_cyc(1, 20, 1100, RCR_STATUS_OK, 0);
	add_cyc(1, 25, 1100, RCR_STATUS_FOREIGN, 1);
	add_cyc(1, 30, 1100, RCR_STATUS_GAP, 2);
	add_cyc(1, 35, 1100, RCR_STATUS_OK, 3);
	add_cyc(1, 50, 1250, RCR_STATUS_OK, 3);
	ksft_test_result(sum_is(CYC, 1050, (40 + 25 + 40) / 120.0, RCR_STATUS_FOREIGN) &&
			 sum.cpu == 1,
			 "rate: an interruption is incomplete, counts around it are added up\n");
	ksft_test_result(sum.per_second > 29999.9 && sum.per_second < 30000.1,
			 "rate: a rate is over the counted time only\n");
	ksft_test_result(rate_sum(&run, INS, NULL, 0, &sum) && sum.completeness == 1,
			 "rate: an interruption does not affect other counters of the CPU\n");
	begin_run();
	add_steady(0, 10, 50, 100);
	add_steady(1, 10, 50, 100);
	add_cyc(3, 10, 0, RCR_STATUS_OK, 0);
	add_cyc(3, 30, 0, 77, 1);
	add_cyc(3, 50, 0, 77, 1);
	ksft_test_result(sum_is(CYC, 800, 2.0 / 3, 77) && sum.counted == 2,
			 "rate: an unknown status is not ok\n");
}

/* Totals bridge lost records; the count of status changes shows whether the counter was ok. */
static void test_lost(void)
{
	struct rcr_lost lost = { { sizeof(lost), RCR_ITEM_LOST, 0, 1, 1 }, 7, 3 };

	begin_run();
	add_steady(0, 10, 50, 100);
	add_steady(3, 10, 50, 100);
	add_cyc(1, 10, 1000, RCR_STATUS_OK, 4);
	rate_add(&run, &lost.item);
	add_cyc(1, 50, 1400, RCR_STATUS_OK, 4);
	ksft_test_result(sum_is(CYC, 1200, 1, 0) && run.lost == 3,
			 "rate: lost records do not lose counts\n");
	begin_run();
	add_steady(0, 10, 50, 100);
	add_steady(3, 10, 50, 100);
	add_cyc(1, 10, 1000, RCR_STATUS_OK, 4);
	add_cyc(1, 20, 1100, RCR_STATUS_OK, 4);
	rate_add(&run, &lost.item);
	add_cyc(1, 50, 1300, RCR_STATUS_OK, 6);
	ksft_test_result(sum_is(CYC, 1100, (40 + 40 + 10) / 120.0, RCR_STATUS_GAP) &&
			 sum.per_second > 29999.9 && sum.per_second < 30000.1,
			 "rate: an interruption among lost records makes that time incomplete\n");
}

static void test_sets(void)
{
	struct made_set second = make_set();

	begin_run();
	add_steady(0, 10, 30, 100);
	add_steady(1, 10, 30, 100);
	add_steady(3, 10, 30, 100);
	strcpy(second.counter[1].name, "FLOPS");
	second.set.item.generation = 2;
	generation = 2;
	add_cyc(0, 31, 99999, RCR_STATUS_OK, 0);
	ksft_test_result(run.cpu[0].last.tick == 30,
			 "rate: records of other generations are ignored\n");
	rate_set(&run, &second.set);
	add_cyc(0, 40, 0, RCR_STATUS_OK, 0);
	add_cyc(0, 50, 50, RCR_STATUS_OK, 0);
	add_cyc(1, 40, 0, RCR_STATUS_OK, 0);
	add_cyc(1, 50, 50, RCR_STATUS_OK, 0);
	add_cyc(3, 40, 0, RCR_STATUS_OK, 0);
	add_cyc(3, 50, 50, RCR_STATUS_OK, 0);
	ksft_test_result(run.count == 3 && run.sets == 2 && !strcmp(run.event[2].counter.name, "FLOPS") &&
			 sum_is(CYC, 3 * 250, 3 * (20 + 10) / 120.0, 0),
			 "rate: counts of two sets are added up; the gap is incomplete\n");
	ksft_test_result(sum_is(2, 15, 0.25, 0),
			 "rate: an event that only one set has is complete only during that set\n");
}

/* Start a run in which CPUs 0 and 1 share a counter, and CPUs 2 and 3 another one. */
static void share_pairs(void)
{
	unsigned int cpu;

	set = make_set();
	set.counter[CYC].scope = RCR_SCOPE_PACKAGE;
	set.cpus[0] = 0xf;
	restart_run();
	for (cpu = 0; cpu < MAKER_CPUS; cpu++)
		run.shares[RCR_SCOPE_PACKAGE].first[cpu] = cpu & ~1u;
}

static void test_shared(void)
{
	struct rate_groups cores = { (unsigned int[]){ 0, 1, 2, 3 } };
	struct rate_groups packages = { (unsigned int[]){ 0, 0, 2, 2 } };

	share_pairs();
	add_cyc(0, 10, 500, RCR_STATUS_OK, 0);
	add_cyc(0, 50, 900, RCR_STATUS_OK, 0);
	add_cyc(1, 10, 0, RCR_STATUS_ELSEWHERE, 0);
	add_cyc(1, 50, 0, RCR_STATUS_ELSEWHERE, 0);
	add_cyc(2, 10, 0, RCR_STATUS_ELSEWHERE, 0);
	add_cyc(2, 50, 0, RCR_STATUS_ELSEWHERE, 0);
	add_cyc(3, 10, 100, RCR_STATUS_OK, 0);
	add_cyc(3, 50, 300, RCR_STATUS_OK, 0);
	ksft_test_result(sum_is(CYC, 600, 1, 0) && sum.places == 2,
			 "rate: a counter shared by CPUs is counted once per unit\n");
	ksft_test_result(!rate_sum(&run, CYC, &cores, 0, &sum) &&
			 rate_sum(&run, CYC, &packages, 2, &sum) && sum.count == 200,
			 "rate: a shared counter belongs to groups that have all of its CPUs\n");
	run.wanted[0] = false;
	run.wanted[2] = false;
	run.wanted[3] = false;
	ksft_test_result(sum_is(CYC, 400, 1, 0) && sum.places == 1,
			 "rate: a shared counter belongs to a run on any of its CPUs\n");
}

/* CPU 0 goes offline; CPU 1 takes the shared counter over and continues with its own total. */
static void test_owner(void)
{
	share_pairs();
	run.wanted[2] = false;
	run.wanted[3] = false;
	add_cyc(0, 10, 500, RCR_STATUS_OK, 0);
	add_cyc(0, 20, 600, RCR_STATUS_OK, 0);
	add_cyc(1, 10, 7, RCR_STATUS_ELSEWHERE, 0);
	add_cyc(1, 20, 7, RCR_STATUS_ELSEWHERE, 0);
	add_cyc(1, 30, 7, RCR_STATUS_GAP, 1);
	add_cyc(1, 40, 107, RCR_STATUS_OK, 2);
	add_cyc(1, 50, 207, RCR_STATUS_OK, 2);
	/* The total of CPU 1 grows from the first ok sample on. */
	ksft_test_result(sum_is(CYC, 100 + 200, 20 / 40.0, RCR_STATUS_GAP) && sum.places == 1,
			 "rate: after a takeover of a shared counter the counts of both readers are added up\n");
	rate_sum(&run, INS, NULL, 0, &sum);
	ksft_test_result(sum.completeness > 0.62 && sum.completeness < 0.63,
			 "rate: the time of an offline CPU is incomplete until the end of the run\n");
}

static void test_slow_and_gauges(void)
{
	unsigned int i;

	set = make_set();
	set.set.slow = 1 << INS;
	set.set.slow_offset = 0;
	set.counter[CYC].unit = RCR_UNIT_MILLIDEGREE;
	restart_run();
	run.wanted[2] = false;
	for (i = 0; i < 4; i++) {
		add_cyc(i, 10, 50000 + i, RCR_STATUS_OK, 0);
		add_cyc(i, 20, 70000 + i, RCR_STATUS_OK, 0);
		add_cyc(i, 30, 99000, RCR_STATUS_FOREIGN, 1);
		add_cyc(i, 50, 60000 + i, RCR_STATUS_OK, 2);
	}
	ksft_test_result(rate_sum(&run, CYC, NULL, 0, &sum) && sum.count == 70003 &&
			 sum.status == RCR_STATUS_FOREIGN && sum.completeness == 0.25,
			 "rate: the value of a gauge is its maximum while ok\n");
	rate_sum(&run, INS, NULL, 0, &sum);
	ksft_test_result(!sum.counted && sum.completeness == 0,
			 "rate: a slow counter that was not read twice has no count\n");
}

/* Records that end with a struct rcr_slow. */
static void test_slow_time(void)
{
	union {
		struct made_record r;
		char bytes[sizeof(struct made_record) + sizeof(struct rcr_slow)];
	} s;
	struct rcr_slow slow;
	const uint64_t ms[] = { 10, 20, 30, 40, 50 }, read_ms[] = { 5, 5, 25, 25, 45 };
	unsigned int i;

	set = make_set();
	set.set.slow = 1 << INS;
	set.set.slow_offset = sizeof(s.r);
	set.set.record_size = sizeof(s);
	restart_run();
	run.wanted[1] = false;
	run.wanted[2] = false;
	run.wanted[3] = false;
	for (i = 0; i < 5; i++) {
		s.r = make_sample(0, ms[i], ms[i] * 10, read_ms[i] * 100);
		slow = (struct rcr_slow){ read_ms[i] * 1000000, read_ms[i] * 1000000 };
		memcpy(s.bytes + sizeof(s.r), &slow, sizeof(slow));
		rate_add(&run, &s.r.record.item);
	}
	ksft_test_result(sum_is(INS, 4000, 1, 0) && sum.per_second > 99999.9 &&
			 sum.per_second < 100000.1,
			 "rate: the rate of a slow counter is over the time between its reads\n");
}

static void test_edges(void)
{
	begin_run();
	add_steady(0, 10, 50, 100);
	add_steady(1, 14, 44, 100);
	add_steady(3, 30, 50, 100);
	ksft_test_result(sum_is(CYC, 900, (40 + 30 + 20) / (40 + 30 + 6 + 40.0), 0),
			 "rate: a CPU that begins late or ends early by more than the edge is incomplete\n");
	begin_run();
	add_steady(0, 10, 50, 100);
	add_steady(1, 10, 50, 100);
	ksft_test_result(sum_is(CYC, 800, 2.0 / 3, 0),
			 "rate: a CPU without samples is incomplete for the whole run\n");
}

static void test_rows(void)
{
	begin_run();
	run.row_ns = 15000000;
	add_steady(0, 10, 50, 100);
	add_steady(1, 10, 50, 1);
	add_steady(2, 10, 50, 7777);
	ksft_test_result(run.rows == 3 && run.row[CYC] == 101 &&
			 run.row[RATE_EVENTS + CYC] == 202 && run.row[2 * RATE_EVENTS + CYC] == 101,
			 "rate: rows have the counts of their time span on the CPUs of the run\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(25);
	test_sums();
	test_foreign();
	test_lost();
	test_sets();
	test_shared();
	test_owner();
	test_slow_and_gauges();
	test_slow_time();
	test_edges();
	test_rows();
	rate_free(&run);
	ksft_finished();
}
