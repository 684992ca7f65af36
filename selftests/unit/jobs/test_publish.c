// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_publish.c - what pmdarcr publishes for grid ticks: rates of a minute, sums of packages and
 * cores whose CPUs come online, and the cost of the sampler.
 */
#include <stdio.h>
#include <stdlib.h>

#define MAKER_CPUS 4
#define MAKER_COUNTERS 2
#include "ksft.h"
#include "message.h"
#include "pmda/agent.h"
#include "stream_maker.h"
#include "sysfs_tree.h"

#define SECOND_MS	1000
#define CYC		0
#define FULL_RATE	7000

static struct agent agent;
static struct made_set set;

void meters_read(struct agent *a)
{
	(void)a;
}

void note(const char *format, ...)
{
	(void)format;
}

/* Begin with CPUs 0, 1 and 3 and a grid of 1 s; time 0 is second 20 of a minute. */
static void begin_agent(void)
{
	set = make_set();
	set.set.period_ns = 1000000000;
	agent.sysfs = root;
	agent.align.grid = 1000000000;
	agent.set = &set.set;
	publish_set(&agent);
}

/* Counts are squares of the time, so that each second has another rate. */
static void add_sample(unsigned int cpu, uint64_t second, enum rcr_status status)
{
	struct made_record r = make_sample(cpu, second * SECOND_MS,
					   second * second * (cpu + 1) * 1000, second);

	r.record.item.generation = set.set.item.generation;
	r.record.spent = second * 1000000 * (cpu + 1);
	r.bytes[set.set.status_offset + CYC] = status;
	align_add(&agent.align, &r.record.item);
}

static void publish_second(void)
{
	align_close(&agent.align);
	publish_tick(&agent);
}

static void publish_all(uint64_t second)
{
	add_sample(0, second, RCR_STATUS_OK);
	add_sample(1, second, RCR_STATUS_OK);
	add_sample(3, second, RCR_STATUS_OK);
	publish_second();
}

/* Return whether the rates are those of the seconds from @from to @to, inclusive. */
static bool rates_are(const struct agent_rates *r, uint64_t from, uint64_t to)
{
	double sumsq = 0;
	uint64_t t;

	for (t = from; t <= to; t++)
		sumsq += (2.0 * t - 1) * FULL_RATE * (2 * t - 1) * FULL_RATE;
	return r->count == to - from + 1 && r->min == (2.0 * from - 1) * FULL_RATE &&
	       r->max == (2.0 * to - 1) * FULL_RATE && r->sumsq == sumsq;
}

static void test_minutes(void)
{
	const struct agent_rates *rates = agent.event[CYC].rates;
	uint64_t t;

	begin_agent();
	for (t = 30; t <= 100; t++)
		publish_all(t);
	ksft_test_result(rates_are(&rates[0], 41, 100) && rates_are(&rates[1], 31, 40),
			 "publish: the rate of the last second of a minute belongs to that minute\n");
	publish_all(101);
	ksft_test_result(rates_are(&rates[1], 41, 100) && rates_are(&rates[0], 101, 101),
			 "publish: the last minute has 60 rates, their extremes and their sum of squares\n");
	add_sample(0, 102, RCR_STATUS_OK);
	add_sample(1, 102, RCR_STATUS_FOREIGN);
	add_sample(3, 102, RCR_STATUS_OK);
	publish_second();
	ksft_test_result(rates_are(&rates[0], 101, 101) && agent.event[CYC].notok[RCR_STATUS_FOREIGN] == 1,
			 "publish: a second in which a counter was foreign is left out\n");
	publish_all(230);
	ksft_test_result(!rates[1].count && rates[0].count == 0,
			 "publish: a minute without samples is empty\n");
}

/* Publish the topology of a CPU in sysfs; packages have two CPUs. */
static void make_online(unsigned int cpu)
{
	put_id(cpu, "physical_package_id", cpu / 2);
	put_id(cpu, "die_id", 0);
	put_id(cpu, "core_id", cpu % 2);
}

static void make_offline(unsigned int cpu)
{
	char from[128], to[128];

	snprintf(from, sizeof(from), "%s/devices/system/cpu/cpu%u", root, cpu);
	snprintf(to, sizeof(to), "%s/devices/system/cpu/gone%u", root, cpu);
	if (rename(from, to))
		ksft_exit_fail_msg("cannot rename %s\n", from);
}

static uint64_t sum_of(unsigned int kind, int inst)
{
	int part = parts_find(&agent.parts[kind], inst);

	return part < 0 ? 0 : agent.sum[kind][part * RCR_MAX_COUNTERS + CYC].value;
}

static void test_parts(void)
{
	make_online(0);
	make_online(1);
	begin_agent();
	add_sample(0, 30, RCR_STATUS_OK);
	add_sample(1, 30, RCR_STATUS_OK);
	publish_second();
	ksft_test_result(sum_of(RCR_PLACE_PACKAGE, 0) == 30 * 30 * 3000 &&
			 agent.parts[RCR_PLACE_PACKAGE].count == 1,
			 "publish: an offline CPU has no package\n");
	make_online(3);
	make_offline(1);
	agent.renamed = false;
	add_sample(0, 31, RCR_STATUS_OK);
	add_sample(3, 31, RCR_STATUS_OK);
	publish_second();
	ksft_test_result(agent.renamed && sum_of(RCR_PLACE_PACKAGE, 1) == 31 * 31 * 4000 &&
			 sum_of(RCR_PLACE_CORE, 1 << 20 | 1) == 31 * 31 * 4000,
			 "publish: a CPU that comes online is added to its package and its core\n");
	ksft_test_result(sum_of(RCR_PLACE_PACKAGE, 0) == 31 * 31 * 1000 + 30 * 30 * 2000 &&
			 sum_of(RCR_PLACE_MACHINE, 0) == sum_of(RCR_PLACE_PACKAGE, 0) +
							  sum_of(RCR_PLACE_PACKAGE, 1),
			 "publish: a CPU that goes offline stays in its package, whose sum does not fall\n");
	agent.renamed = false;
	publish_all(32);
	ksft_test_result(!agent.renamed, "publish: the topology is read again only after a change\n");
}

static void test_cost(void)
{
	uint64_t before = agent.spent_ns;

	set.set.item.generation++;
	publish_set(&agent);
	add_sample(0, 33, RCR_STATUS_OK);
	add_sample(1, 33, RCR_STATUS_OK);
	publish_second();
	ksft_test_result(before == 32 * 7000000ull &&
			 agent.spent_ns == 33 * 3000000ull + 32 * 4000000ull,
			 "publish: the cost does not fall if a CPU is offline when the set changes\n");
}

int main(void)
{
	unsigned int i;

	ksft_print_header();
	ksft_set_plan(9);
	begin_tree();
	test_minutes();
	test_parts();
	test_cost();
	remove_tree();
	parts_free(agent.parts);
	align_free(&agent.align);
	for (i = 0; i < PART_KINDS; i++)
		free(agent.sum[i]);
	ksft_finished();
}
