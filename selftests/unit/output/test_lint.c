// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_lint.c - a count that violates a relation between counters is marked on its CPU; no other
 * count is marked, and no number is changed.
 */
#include <stdlib.h>
#include <unistd.h>

#define MAKER_CPUS 4
#define MAKER_COUNTERS 8
#include "format/format.h"
#include "events.h"
#include "ksft.h"
#include "problems/lint.h"
#include "stream_maker.h"
#include "format/table.h"
#include "interval/view.h"

enum { CYC, INS, FLOPS, VEC, L3_MISSES, L3_READS, APERF, MPERF };

static struct made_set set;
static struct lint lint;
static struct intervals v;
static struct view view;
static struct relations own;
static uint64_t total[MAKER_CPUS][MAKER_COUNTERS];
static uint64_t now_ms;
static char text[65536];

/* Counts of a millisecond at 1 GHz that violate no relation. */
static const uint64_t steady[MAKER_COUNTERS] = {
	[CYC] = 1000000, [INS] = 2000000, [FLOPS] = 15000000, [VEC] = 2000000,
	[L3_MISSES] = 5000, [L3_READS] = 5000, [APERF] = 1500000, [MPERF] = 1000000,
};

static void begin_set(void)
{
	static const struct rcr_counter counters[MAKER_COUNTERS] = {
		[CYC] = { .name = "CYC", .select = 0x430076 },
		[INS] = { .name = "INS", .select = 0x4300c0 },
		[FLOPS] = { .name = "FLOPS", .select = 0x43ff03 },
		[VEC] = { .name = "VEC", .select = 0x4304cb },
		[L3_MISSES] = { .name = "L3M", .select = 0x140040f7e1, .scope = RCR_SCOPE_DIE },
		[L3_READS] = { .name = "L3R", .select = 0x140040f7e0, .scope = RCR_SCOPE_DIE },
		[APERF] = { .name = "A", .counter = 0xe8 },
		[MPERF] = { .name = "M", .counter = 0xe7 },
	};

	set = make_set();
	memcpy(set.counter, counters, sizeof(counters));
	strcpy(set.set.family, "AMD Fam15h");
	set.cpus[0] = 0xf;
	memset(total, 0, sizeof(total));
	now_ms = 1000;
}

static void begin(void)
{
	view_free(&view);
	intervals_free(&v);
	lint_init(&lint, &set.set, &own);
	if (intervals_init(&v, &set.set, 10000000, NULL) ||
	    view_init(&view, &v, PER_CPU, "/nonexistent"))
		ksft_exit_fail_msg("no memory\n");
	v.lint = &lint;
}

static void start(void)
{
	begin_set();
	begin();
}

/* Add a sample of a CPU; the read of its registers took @reading TSC cycles. */
static void sample(unsigned int cpu, uint64_t reading)
{
	struct made_record r = make_sample(cpu, now_ms, 0, 0);
	unsigned int i;

	r.record.tsc_end = r.record.tsc + reading;
	for (i = 0; i < MAKER_COUNTERS; i++) {
		set_total(&r, i, total[cpu][i]);
		/* CPU 0 reads the shared counters for all CPUs. */
		if (set.counter[i].scope && cpu)
			set_status(&r, i, RCR_STATUS_ELSEWHERE);
	}
	intervals_add(&v, &r.record.item);
}

static void tick(uint64_t reading)
{
	unsigned int cpu, i;

	for (cpu = 0; cpu < MAKER_CPUS; cpu++) {
		for (i = 0; i < MAKER_COUNTERS; i++)
			if (!set.counter[i].scope || !cpu)
				total[cpu][i] += steady[i];
		sample(cpu, reading);
	}
	now_ms++;
}

/* Add @n samples of each CPU, 1 ms apart; reading the registers takes no time. */
static void ticks(unsigned int n)
{
	while (n--)
		tick(0);
}

/* Return the number of records that violated a relation. */
static uint64_t broken(void)
{
	uint64_t n = 0;
	unsigned int i;

	for (i = 0; i < lint.checks; i++)
		n += lint.check[i].records;
	return n;
}

/* Return the cells that are marked in the current interval, as "cpu:counter". */
static const char *suspects(void)
{
	static char said[256];
	unsigned int cpu, i;

	said[0] = 0;
	for (cpu = 0; cpu < v.cpus; cpu++)
		for (i = 0; i < MAKER_COUNTERS; i++)
			if (cpu_suspect(&v.cpu[cpu], i))
				sprintf(said + strlen(said), "%u:%u ", cpu, i);
	return said;
}

static bool are(const char *expected)
{
	if (!strcmp(suspects(), expected))
		return true;
	ksft_print_msg("suspects \"%s\", expected \"%s\"\n", suspects(), expected);
	return false;
}

static void line(void)
{
	FILE *f = fmemopen(text, sizeof(text), "w");

	format_csv.line(&(struct page){ .out = f, .v = &v, .view = &view });
	fclose(f);
}

static void test_right(void)
{
	start();
	ticks(11);
	ksft_test_result(are("") && !broken(), "a possible count is not marked\n");
}

/* Make one counter of one CPU too large in one record. */
static void test_one(unsigned int cpu, unsigned int counter, uint64_t more,
		     const char *expected)
{
	bool good;

	start();
	ticks(5);
	total[cpu][counter] += more;
	ticks(6);
	good = are(expected) && broken() == 1;
	line();
	good &= !!strstr(text, "=suspect,");
	intervals_next(&v);
	ticks(10);
	ksft_test_result(good && are("") && broken() == 1,
			 "only %s is marked, and only in that interval\n", expected);
}

static void test_each(void)
{
	test_one(2, VEC, 1, "2:3 ");
	test_one(1, INS, 6000001, "1:1 ");
	test_one(3, FLOPS, 1000000 + 1024 + 1, "3:2 ");
	test_one(0, L3_MISSES, 1024 + 1, "0:4 ");
	test_one(1, APERF, 6500001, "1:6 ");
	test_one(1, MPERF, 101001, "1:7 ");
}

/* Counts just below those that violate the relations. */
static void test_nearly(void)
{
	start();
	ticks(5);
	total[1][INS] += 6000000;
	total[3][FLOPS] += 1000000 + 1024;
	total[0][L3_MISSES] += 1024;
	total[1][APERF] += 6500000;
	total[2][MPERF] += 100990;
	ticks(6);
	ksft_test_result(are("") && !broken(), "a count up to the bound is not marked\n");
}

static void test_numbers(void)
{
	start();
	ticks(5);
	total[2][VEC] += 10;
	ticks(6);
	line();
	/* 10 ms of 2000000 each, and 10 additional counts. */
	ksft_test_result(strstr(text, ",cpu2:VEC=suspect,") && strstr(text, ",2000001000.0,"),
			 "the number of a marked cell is unchanged: %s", text);
}

static void print_table(void)
{
	struct table_size any = { };
	FILE *f = fmemopen(text, sizeof(text), "w");

	table_print(f, &v, &view, NULL, &any);
	fclose(f);
}

static void test_table(void)
{
	start();
	ticks(5);
	total[1][VEC] += 1;
	total[2][VEC] += 1;
	total[0][L3_MISSES] += 2000;
	ticks(6);
	print_table();
	ksft_test_result(strstr(text, " ?2.000G") && strstr(text, " ?5.200M") &&
			 strstr(text, "VEC on CPU 1-2 is suspect: it violates 'VEC <= INS'\n") &&
			 strstr(text, "L3M of unknown is suspect: it violates 'L3M <= L3R + 1024'\n"),
			 "a table marks suspect numbers with ?, and names the relation\n");
}

/* A total that decreases once, and then grows again. */
static void test_less(void)
{
	start();
	ticks(5);
	total[3][L3_READS] = 0;
	total[3][MPERF] -= 3000000;
	ticks(6);
	print_table();
	ksft_test_result(are("3:7 ") && broken() == 1 &&
			 strstr(text, "M on CPU 3 is suspect: it violates 'M is never less than before'\n"),
			 "only a total that decreases is marked\n");
}

/* Counts during the read of the registers are tolerated. */
static void test_skew(void)
{
	start();
	tick(1000);
	total[1][VEC] += 2000 * 8 * 16;
	tick(1000);
	total[1][VEC] += 2000 * 8 * 16 + 1;
	tick(1000);
	ksft_test_result(broken() == 1 && are("1:3 "), "counts during the read are tolerated\n");
}

static void test_perf(void)
{
	begin_set();
	strcpy(set.set.source, "perf");
	begin();
	ticks(2);
	total[1][VEC] += 250000;
	tick(0);
	total[1][VEC] += 250001;
	tick(0);
	ksft_test_result(broken() == 1,
			 "with source=perf a count may exceed its bound by an eighth\n");
}

static void lose(unsigned int cpu)
{
	struct rcr_lost lost = {
		.item = { sizeof(lost), RCR_ITEM_LOST, 0, cpu, 1 }, .count = 1,
	};

	intervals_add(&v, &lost.item);
}

static void test_unknown(void)
{
	struct made_record r;

	start();
	ticks(2);
	lose(1);
	total[1][VEC] += 1;
	tick(0);
	ksft_test_result(!broken(), "counts across lost records are not compared\n");
	total[1][VEC] += 1;
	tick(0);
	ksft_test_result(broken() == 1, "records after lost ones are compared\n");

	start();
	ticks(2);
	r = make_sample(1, now_ms++, 0, 0);
	memset(r.record.value, 0xff, 8 * MAKER_COUNTERS);
	set_total(&r, INS, total[1][INS]);
	set_total(&r, CYC, total[1][CYC]);
	set_total(&r, VEC, total[1][VEC] + 1);
	set_status(&r, INS, RCR_STATUS_FOREIGN);
	set_status(&r, CYC, RCR_STATUS_FOREIGN);
	set_status(&r, MPERF, RCR_STATUS_HALTED);
	intervals_add(&v, &r.record.item);
	ksft_test_result(!broken(), "a counter that is not ok is not compared\n");
}

/*
 * Relations apply to counters by their control registers, not by their names, and only if all
 * counters of a relation are in the set.
 */
static void test_bind(void)
{
	start();
	ksft_test_result(lint.checks == MAKER_COUNTERS + 6, "%u relations are checked\n",
			 lint.checks - MAKER_COUNTERS);
	begin_set();
	set.counter[INS].select = 0x4100c0;
	begin();
	ksft_test_result(lint.checks == MAKER_COUNTERS + 5,
			 "counters of user mode only are not compared\n");
	begin_set();
	set.counter[CYC].select |= 1 << 24;
	begin();
	ksft_test_result(lint.checks == MAKER_COUNTERS + 4, "an event with a counter mask is not compared\n");
	begin_set();
	strcpy(set.counter[INS].name, "TOT_CYC");
	set.counter[CYC].select = 0x430077;
	begin();
	ksft_test_result(lint.checks == MAKER_COUNTERS + 4,
			 "an event of another select is not compared by its name\n");
	begin_set();
	strcpy(set.set.family, "other");
	begin();
	ksft_test_result(lint.checks == MAKER_COUNTERS + 2,
			 "events of different units with the same code are distinguished\n");
}

static void test_fixed(void)
{
	begin_set();
	strcpy(set.set.family, "Intel Nehalem");
	set.counter[CYC] = (struct rcr_counter){ .name = "C", .counter = 0x30a, .select = 0x30 };
	set.counter[INS] = (struct rcr_counter){ .name = "I", .counter = 0x309, .select = 0x3 };
	set.counter[FLOPS] = (struct rcr_counter){ .name = "F", .select = 0x430510, .counter = 0xc1 };
	set.counter[VEC] = (struct rcr_counter){ .name = "J", .counter = 0x309, .select = 0x2 };
	begin();
	ksft_test_result(lint.checks == MAKER_COUNTERS + 2 + 3,
			 "Intel's fixed counters are recognized by their addresses\n");
}

static void test_parse(void)
{
	static const char *const good[] = {
		"A <= B", "A <= 2 B + 100", "A <= 0.5 B + C + 3 D", "A <= 7", "A:c-2 <= ns",
		"event:0xc2,umask:0x01 <= nb:event:0x4e0",
	};
	static const char *const bad[] = {
		"", "A", "A <=", "A < B", "A <= B C", "A <= + B", "A <= B +", "A <= 2 3", "A <= <=",
		"A <= -1 B", "A <= 1 2 B", "A <= B + C + D + E + F", "A + B <= C",
	};
	bool all = true;
	struct relation r;
	struct why why;
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		all &= !relation_parse(&r, good[i], &why);
	ksft_test_result(all, "relations are read\n");
	for (i = 0, all = true; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (!relation_parse(&r, bad[i], &why)) {
			ksft_print_msg("%s is taken\n", bad[i]);
			all = false;
		}
	ksft_test_result(all, "a malformed relation is refused: %s\n", why.text);
	ksft_test_result(!relation_parse(&r, "X <= 0.5 Y + 3 + ns", &why) && r.terms == 2 &&
			 r.term[0].factor == 0.5 && r.term[1].factor == 1 && r.constant == 3 &&
			 !strcmp(r.term[1].word, "ns"), "relations have factors\n");
}

/* The time of slow counters takes the place of APERF and MPERF in the samples. */
static void test_slow(void)
{
	begin_set();
	set.set.slow = 1 << L3_MISSES | 1 << L3_READS;
	set.set.slow_offset = sizeof(struct rcr_record) + 8 * APERF;
	set.counter[APERF].counter = 0;
	set.counter[MPERF].counter = 0;
	total[0][MPERF] = 1000 + steady[APERF] - steady[MPERF];
	begin();
	ksft_test_result(lint.checks == MAKER_COUNTERS + 4,
			 "slow counters are compared with each other\n");
	tick(0);
	total[0][MPERF] += steady[APERF] - steady[MPERF];
	total[0][L3_MISSES] += 1024 + 2000 * 8 * 32;
	tick(0);
	ksft_test_result(!broken(), "counts during the read of slow counters are tolerated\n");
	total[0][MPERF] += steady[APERF] - steady[MPERF];
	total[0][L3_MISSES] += 1024 + 2000 * 8 * 32 + 1;
	tick(0);
	ksft_test_result(broken() == 1 && are("0:4 "),
			 "slow counters that differ by more than the bound are marked\n");
	set.set.slow = 1 << L3_MISSES;
	begin();
	ksft_test_result(lint.checks == MAKER_COUNTERS + 3, "a slow counter is not compared with others\n");
}

/* Every line of the table must be parsed. */
static void test_known(void)
{
	const struct known_relation *k;
	struct relation r;
	struct why why;
	bool all = true;

	for (k = relation_next(NULL); k; k = relation_next(k))
		if (relation_parse(&r, k->text, &why)) {
			ksft_print_msg("%s: %s\n", k->text, why.text);
			all = false;
		}
	ksft_test_result(all, "each known relation is parsed\n");
}

static void test_own(void)
{
	struct why why;

	own.count = 1;
	if (relation_parse(&own.relation[0], "VEC <= 1 ns + 2 L3M + 1000000", &why))
		ksft_exit_fail_msg("%s\n", why.text);
	start();
	ksft_test_result(lint.checks == MAKER_COUNTERS + 6, "a shared counter is not compared with one of a CPU\n");
	strcpy(own.relation[0].term[1].word, "CYC");
	start();
	ticks(3);
	ksft_test_result(!broken() && lint.checks == MAKER_COUNTERS + 7,
			 "a relation of the user refers to names\n");
	own.relation[0].constant = 0;
	own.relation[0].term[1].factor = 0.5;
	start();
	ticks(3);
	print_table();
	ksft_test_result(broken() == 8 && strstr(text, "VEC on CPU 0-3 is suspect: it violates 'VEC <= ns + 0.5 CYC'\n"),
			 "the violated relation of the user is printed\n");
	own.count = 0;
}

int main(void)
{
	setenv("TZ", "UTC", 1);
	ksft_print_header();
	ksft_set_plan(1 + 6 + 1 + 1 + 1 + 1 + 1 + 1 + 3 + 5 + 1 + 3 + 4 + 1 + 3);
	test_right();
	test_each();
	test_nearly();
	test_numbers();
	test_table();
	test_less();
	test_skew();
	test_perf();
	test_unknown();
	test_bind();
	test_fixed();
	test_parse();
	test_slow();
	test_known();
	test_own();
	view_free(&view);
	intervals_free(&v);
	ksft_finished();
}
