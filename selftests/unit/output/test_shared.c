// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_shared.c - counters shared by CPUs: the printed rate is always that of the whole unit, no
 * matter which of its CPUs reads the counter.
 *
 * The fake sysfs has two packages of two dies of two CPUs; CPU 8 is not listed.
 */
#include <stdlib.h>

#define MAKER_CPUS 9
#define MAKER_COUNTERS 4
#include "ksft.h"
#include "config/node.h"
#include "format/format.h"
#include "stream_maker.h"
#include "sysfs_tree.h"
#include "format/table.h"
#include "interval/view.h"

#define CPUS	8
#define DIES	4
#define ROUNDS	20000

enum { OWN, DIE, PACKAGE, STRANGE };	/* the counters */

static struct made_set set;
static struct intervals v;
static struct view view;
static uint64_t now;
static char text[65536];

static void make_tree(void)
{
	unsigned int cpu;

	for (cpu = 0; cpu < CPUS; cpu++) {
		put_id(cpu, "physical_package_id", cpu / 4);
		put_id(cpu, "die_id", cpu % 4 / 2);
		put_id(cpu, "core_id", cpu % 2);
	}
}

static unsigned int unit_of(unsigned int cpu, unsigned int counter)
{
	switch (counter) {
	case OWN:
		return cpu;
	case DIE:
		return cpu / 2;
	case PACKAGE:
		return cpu / 4;
	default:
		return 0;
	}
}

/* Return the counts of a unit in a millisecond. */
static uint64_t steady(unsigned int unit, unsigned int counter)
{
	return 1000 * (counter + 1) + unit;
}

/*
 * struct cpu - state of a CPU in the module
 * @online: the CPU is sampled
 * @owns: by counter: the CPU reads it
 * @gap: by counter: the next sample has a gap
 * @total: by counter: its total
 */
static struct cpu {
	bool online;
	bool owns[MAKER_COUNTERS];
	bool gap[MAKER_COUNTERS];
	uint64_t total[MAKER_COUNTERS];
} cpus[MAKER_CPUS];

static struct cpu *find_owner(unsigned int unit, unsigned int counter)
{
	unsigned int cpu;

	for (cpu = 0; cpu < CPUS; cpu++)
		if (unit_of(cpu, counter) == unit && cpus[cpu].online &&
		    cpus[cpu].owns[counter])
			return &cpus[cpu];
	return NULL;
}

/* Elect an online CPU of the unit as owner of a counter, if there is one. */
static void elect(unsigned int unit, unsigned int counter, bool gap)
{
	unsigned int cpu;

	if (find_owner(unit, counter))
		return;
	for (cpu = 0; cpu < CPUS; cpu++) {
		if (unit_of(cpu, counter) != unit || !cpus[cpu].online)
			continue;
		cpus[cpu].owns[counter] = true;
		cpus[cpu].gap[counter] = gap;
		return;
	}
}

static void elect_all(unsigned int cpu, bool gap)
{
	unsigned int counter;

	for (counter = 0; counter < MAKER_COUNTERS; counter++)
		elect(unit_of(cpu, counter), counter, gap);
}

static void set_online(unsigned int cpu, bool online)
{
	cpus[cpu].online = online;
	memset(cpus[cpu].owns, 0, sizeof(cpus[cpu].owns));
	elect_all(cpu, true);
}

static struct made_record sample_of(unsigned int cpu)
{
	struct made_record r = make_sample(cpu, now, 0, 0);
	unsigned int counter;
	struct cpu *c = &cpus[cpu];

	for (counter = 0; counter < MAKER_COUNTERS; counter++) {
		if (c->owns[counter] && !c->gap[counter])
			c->total[counter] += steady(unit_of(cpu, counter), counter);
		set_total(&r, counter, c->total[counter]);
		set_status(&r, counter, !c->owns[counter] ? RCR_STATUS_ELSEWHERE :
			   c->gap[counter] ? RCR_STATUS_GAP : RCR_STATUS_OK);
		c->gap[counter] = false;
	}
	return r;
}

/* Take a sample on all online CPUs. */
static void tick(void)
{
	struct made_record r;
	unsigned int cpu;

	for (cpu = 0; cpu < CPUS; cpu++) {
		if (!cpus[cpu].online)
			continue;
		r = sample_of(cpu);
		intervals_add(&v, &r.record.item);
	}
	now++;
}

static void run(unsigned int ms)
{
	while (ms--)
		tick();
}

/* Add samples for ten milliseconds, and print the interval that ends there. */
static void run_interval(void)
{
	intervals_next(&v);
	run(10);
}

static void look(enum grouping per, const bool *wanted)
{
	unsigned int cpu;

	view_free(&view);
	intervals_free(&v);
	memset(cpus, 0, sizeof(cpus));
	now = 100;
	intervals_init(&v, &set.set, 10000000, wanted);
	if (view_init(&view, &v, per, root))
		ksft_exit_fail_msg("no memory\n");
	for (cpu = 0; cpu < CPUS; cpu++)
		cpus[cpu].online = true;
	for (cpu = 0; cpu < CPUS; cpu++)
		elect_all(cpu, false);
}

/* Begin an interval with a sample of each CPU. */
static void start(enum grouping per, const bool *wanted)
{
	look(per, wanted);
	run(11);
}

static void make_counters(void)
{
	static const struct { const char *name; unsigned int scope; } made[] = {
		{ "OWN", RCR_SCOPE_CPU }, { "DIE", RCR_SCOPE_DIE },
		{ "PACKAGE", RCR_SCOPE_PACKAGE }, { "STRANGE", 77 },
	};
	unsigned int i;

	set = make_set();
	set.cpus[0] = 0xff;
	for (i = 0; i < MAKER_COUNTERS; i++) {
		strcpy(set.counter[i].name, made[i].name);
		set.counter[i].scope = made[i].scope;
		set.counter[i].select = 1000 + i;
	}
}

/* Return the output from the @field'th comma on. */
static const char *print(void (*to)(FILE *f), unsigned int field)
{
	FILE *f = fmemopen(text, sizeof(text), "w");
	char *at = text;

	to(f);
	fclose(f);
	while (field--)
		at = strchr(at, ',') + 1;
	return at;
}

static void header(FILE *f)
{
	format_csv.set(&(struct page){ .out = f, .v = &v, .view = &view });
}

static void line(FILE *f)
{
	format_csv.line(&(struct page){ .out = f, .v = &v, .view = &view });
}

static bool is(const char *got, const char *expected)
{
	if (strcmp(got, expected))
		ksft_print_msg("got      %s# expected %s", got, expected);
	return !strcmp(got, expected);
}

#define CPU_CELLS \
	"1000000.0,1001000.0,1002000.0,1003000.0,1004000.0,1005000.0,1006000.0,1007000.0,"

static void test_columns(void)
{
	make_counters();
	start(PER_CPU, NULL);
	ksft_test_result(is(print(header, 5),
			    "cpu0:OWN,cpu1:OWN,cpu2:OWN,cpu3:OWN,cpu4:OWN,cpu5:OWN,cpu6:OWN,cpu7:OWN,package0/die0:DIE,package0/die1:DIE,package1/die0:DIE,package1/die1:DIE,package0:PACKAGE,package1:PACKAGE,all:STRANGE\n"),
			 "a shared counter has a column for each unit that shares it\n");
	ksft_test_result(is(print(line, 4), "ok," CPU_CELLS
			    "2000000.0,2001000.0,2002000.0,2003000.0,3000000.0,3001000.0,4000000.0\n"),
			 "a shared counter has a rate no matter which CPU reads it\n");
	start(PER_CORE, NULL);
	ksft_test_result(strstr(print(header, 5),
				"package1/die1/core1:OWN:dev,package0/die0:DIE,package0/die1:DIE,package1/die0:DIE,package1/die1:DIE,package0:PACKAGE,package1:PACKAGE,all:STRANGE\n"),
			 "a die has a line of its own next to cores\n");
	start(PER_DIE, NULL);
	ksft_test_result(strstr(print(header, 5), "package0/die0:DIE:dev,package0/die1:OWN:sum") &&
			 strstr(text, "package1/die1:DIE:dev,package0:PACKAGE,package1:PACKAGE,all:STRANGE\n") &&
			 strstr(print(line, 4), ",2001000.0,2001000.0,2001000.0,2001000.0,0.0,"),
			 "a die's counter is in its statistics, a larger unit's is not\n");
	start(PER_ALL, NULL);
	ksft_test_result(is(print(line, 9),
			    "2291.3,8006000.0,2001500.0,2000000.0,2003000.0,1118.0,6001000.0,3000500.0,3000000.0,3001000.0,500.0,4000000.0,4000000.0,4000000.0,4000000.0,0.0\n"),
			 "grouped by all, dies and packages have statistics\n");
}

/* CPU 0 owns a counter of each scope; other CPUs take over when it goes offline. */
static void test_handover(void)
{
	start(PER_CPU, NULL);
	intervals_next(&v);
	run(5);
	set_online(0, false);
	run(5);
	ksft_test_result(is(print(line, 4),
			    "package0/die0:DIE=gap;package0:PACKAGE=gap;all:STRANGE=gap," CPU_CELLS
			    ",2001000.0,2002000.0,2003000.0,,3001000.0,\n"),
			 "a takeover within the interval suppresses the rate of the unit\n");
	run_interval();
	ksft_test_result(is(print(line, 4), "cpu0=gap;all:STRANGE=gap,,1001000.0,1002000.0,1003000.0,1004000.0,1005000.0,1006000.0,1007000.0,2000000.0,2001000.0,2002000.0,2003000.0,3000000.0,3001000.0,\n"),
			 "after a takeover there are rates again, except for an unknown scope\n");
	set_online(0, true);
	run_interval();
	ksft_test_result(!strstr(print(line, 4), "DIE=") && !strstr(text, "PACKAGE="),
			 "a CPU that comes back online neither takes over counters nor changes rates\n");
	run_interval();
	ksft_test_result(is(print(line, 4), "ok," CPU_CELLS
			    "2000000.0,2001000.0,2002000.0,2003000.0,3000000.0,3001000.0,4000000.0\n"),
			 "the intervals after that are as before\n");
	intervals_next(&v);
	run(3);
	set_online(1, false);
	run(3);
	set_online(1, true);
	set_online(0, false);
	run(4);
	ksft_test_result(strstr(print(line, 4), "package0/die0:DIE=gap;"),
			 "a handover there and back within an interval is a gap\n");
}

/* The status of the owner becomes that of the unit. */
static void test_status(void)
{
	start(PER_DIE, NULL);
	v.cpu[2].to.worst[DIE] = RCR_STATUS_FOREIGN;
	ksft_test_result(strstr(print(line, 4), "package0/die1:DIE=foreign,") == strchr(text, 'p') &&
			 strstr(text, ",,,,,,"), "the owner's status is the unit's\n");
	v.cpu[2].to.worst[DIE] = RCR_STATUS_MISPLACED + 1;
	ksft_test_result(strstr(print(line, 4), "package0/die1:DIE=unknown,") == strchr(text, 'p') &&
			 strstr(text, ",,,,,,"),
			 "shared: an unknown status is not ok\n");
	v.cpu[2].to.worst[DIE] = RCR_STATUS_OK;
	v.cpu[2].to.valid = false;
	ksft_test_result(!strncmp(print(line, 4), "cpu2=gap;package0/die1:DIE=gap,", 31),
			 "an owner that is silent leaves a gap\n");
	start(PER_DIE, NULL);
	v.cpu[3].to.valid = false;
	ksft_test_result(!strncmp(print(line, 4), "cpu3=gap,", 9),
			 "another CPU's status does not change the unit's\n");
}

static void test_some(void)
{
	bool wanted[MAKER_CPUS] = { [1] = true, [2] = true, [3] = true };

	start(PER_CPU, wanted);
	ksft_test_result(is(print(line, 4), "package0/die0:DIE=elsewhere;package0:PACKAGE=elsewhere,1001000.0,1002000.0,1003000.0,,2001000.0,,\n"),
			 "a unit whose owner is not sampled has neither a rate nor a partial sum\n");
}

/* A CPU whose topology is unknown. */
static void test_nowhere(void)
{
	set.cpus[0] = 0x1ff;
	start(PER_ALL, NULL);
	ksft_test_result(!strncmp(print(line, 4), "cpu8=gap,,,,,,8006000.0,", 24),
			 "a CPU outside of a unit does not change its sum\n");
	start(PER_CPU, NULL);
	ksft_test_result(strstr(print(header, 0), ",unknown:DIE,package0:PACKAGE,package1:PACKAGE,unknown:PACKAGE,") &&
			 !strstr(print(line, 0), "unknown"),
			 "a unit without an owner has a column and no value\n");
	set.cpus[0] = 0xff;
}

static void ldms(FILE *f)
{
	static const struct node node = { .producer = "nid00010", .component = 10 };

	format_ldms.line(&(struct page){
		.out = f, .v = &v, .view = &view, .node = &node,
	});
}

static void ldms_names(FILE *f)
{
	format_ldms.set(&(struct page){ .out = f, .v = &v, .view = &view });
}

static uint64_t ldms_total(unsigned int field)
{
	return strtoull(print(ldms, field), NULL, 10);
}

static void test_ldms(void)
{
	uint64_t before;

	start(PER_CPU, NULL);
	ksft_test_result(is(print(ldms_names, 14),
			    "Ctr0_c6,Ctr0_c7,Ctr1_name,Ctr1_wctl0,Ctr1_n0,Ctr1_n1,Ctr1_n2,Ctr1_n3,Ctr2_name,Ctr2_wctl0,Ctr2_n0,Ctr2_n1,Ctr3_name,Ctr3_wctl0,Ctr3_n0\n"),
			 "ldms: a counter of dies is a vector of nodes\n");
	ksft_test_result(is(print(ldms, 16), "DIE,1001,22000,22011,22022,22033,PACKAGE,1002,33000,33011,STRANGE,1003,44000\n"),
			 "ldms: the totals of each unit are right\n");
	intervals_next(&v);
	run(5);
	set_online(0, false);
	run(5);
	ksft_test_result(is(print(ldms, 16), ",0,0,0,0,0,,0,0,0,,0,0\n"),
			 "ldms: a counter that was handed over has no data\n");
	run_interval();
	before = ldms_total(18);
	ksft_test_result(before > 22000 + 10 * 2000 && before < 22000 + 20 * 2000,
			 "ldms: the count of the last owner stays in the sum\n");
	cpus[1].owns[DIE] = false;
	cpus[0].online = true;
	cpus[0].owns[DIE] = true;
	run_interval();
	run_interval();
	ksft_test_result(ldms_total(18) > before, "ldms: the sum never decreases\n");
}

/* Counts from before the first sample must not be added to this interval. */
static void test_late(void)
{
	uint64_t before;

	look(PER_CPU, NULL);
	cpus[3].online = false;
	cpus[3].total[DIE] = 1ull << 40;
	run(21);
	intervals_next(&v);
	before = ldms_total(19);
	cpus[3].online = true;
	run_interval();
	run_interval();
	ksft_test_result(before > 2001 * 20 && ldms_total(19) > before &&
			 ldms_total(19) < before + 2001 * 30,
			 "ldms: a CPU that comes online late does not make the sum jump\n");
}

static void table(FILE *f)
{
	const struct table_size any = { };

	table_print(f, &v, &view, NULL, &any);
}

static void low_table(FILE *f)
{
	const struct table_size low = { .lines = 13, .columns = 80 };

	table_print(f, &v, &view, NULL, &low);
}

static unsigned int lines_of(const char *at)
{
	unsigned int n = 0;

	for (; *at; at++)
		n += *at == '\n';
	return n;
}

static void test_table(void)
{
	start(PER_CPU, NULL);
	v.cpu[2].to.worst[DIE] = RCR_STATUS_FOREIGN;
	print(table, 0);
	ksft_test_result(strstr(text, "cpu7           1.007M\n"
				      "package0/die0          2.000M\n"
				      "package0/die1               -\n") &&
			 strstr(text, "package1                        3.001M\n"
				      "all                                      4.000M\n"
				      "all sum        8.028M       -   6.001M   4.000M\n"
				      "\n"
				      "DIE of package0/die1 was foreign: another program changed its register\n"),
			 "a table has a row for each unit that shares a counter\n");
	print(low_table, 0);
	ksft_test_result(strstr(text, "package1/die1 ") && !strstr(text, "cpu0") &&
			 lines_of(text) == 13 &&
			 strstr(text, "8 more CPUs are not shown: the window is too low\n") &&
			 strstr(text, "3 more shared units are not shown: the window is too low\n"),
			 "shared units are the last to be cut\n");
	start(PER_PACKAGE, NULL);
	print(table, 0);
	ksft_test_result(strstr(text, "package1 mean  1.006M  2.003M   3.001M\n") &&
			 !strstr(text, "die"),
			 "dies are in the statistics of their packages\n");
}

/*
 * Owners change at random while all units count steadily: each printed rate must be exact, and
 * missing rates are allowed only after a takeover.
 */
static bool rates_are_steady(const bool *touched, unsigned int *there)
{
	const struct units *dies = &view.shares[RCR_SCOPE_DIE];
	enum rcr_status status;
	uint64_t tenths;
	unsigned int i;

	for (i = 0; i < dies->count; i++) {
		status = shared_rate(&v, &dies->unit[i], DIE, &tenths);
		if (status == RCR_STATUS_OK && tenths != steady(i, DIE) * 10000)
			return false;
		if (status != RCR_STATUS_OK && !touched[i] && find_owner(i, DIE))
			return false;
		*there += status == RCR_STATUS_OK;
	}
	return true;
}

static void run_at_random(bool *touched)
{
	static unsigned int latest = DIES;
	unsigned int ms, cpu;

	memset(touched, 0, DIES * sizeof(*touched));
	/* A gap in the last sample also affects the beginning of this interval. */
	if (latest < DIES)
		touched[latest] = true;
	latest = DIES;
	for (ms = 0; ms < 10; ms++) {
		if (rand() % 30 == 0) {
			cpu = rand() % CPUS;
			touched[cpu / 2] = true;
			latest = ms == 9 ? cpu / 2 : DIES;
			set_online(cpu, !cpus[cpu].online);
		}
		tick();
	}
}

static void test_random(void)
{
	unsigned int round, wrong = 0, there = 0;
	bool touched[DIES] = { };

	srand(1);
	start(PER_CPU, NULL);
	for (round = 0; round < ROUNDS; round++) {
		wrong += !rates_are_steady(touched, &there);
		intervals_next(&v);
		run_at_random(touched);
	}
	ksft_print_msg("%u of %u rates are printed\n", there, ROUNDS * DIES);
	ksft_test_result(!wrong && there > ROUNDS * DIES / 4 && there < ROUNDS * DIES,
			 "random takeovers never cause a wrong rate\n");
}

int main(void)
{
	setenv("TZ", "UTC", 1);
	ksft_print_header();
	ksft_set_plan(5 + 5 + 4 + 1 + 2 + 5 + 1 + 3 + 1);
	begin_tree();
	make_tree();
	test_columns();
	test_handover();
	test_status();
	test_some();
	test_nowhere();
	test_ldms();
	test_late();
	test_table();
	test_random();
	remove_tree();
	view_free(&view);
	intervals_free(&v);
	ksft_finished();
}
