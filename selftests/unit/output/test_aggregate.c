// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_aggregate.c - sums of units add up exactly, also as printed, and the other statistics
 * follow their definitions.
 */
#include <math.h>
#include <stdlib.h>

#define MAKER_CPUS 64
#define MAKER_COUNTERS 2
#include "interval/aggregate.h"
#include "format/format.h"
#include "ksft.h"
#include "stream_maker.h"
#include "interval/view.h"

#define ROUNDS 2000

static struct made_set set;
static struct intervals v;

static void start(unsigned int cpus)
{
	intervals_free(&v);
	set = make_set();
	set.set.tsc_khz = 2299998;
	set.cpus[0] = cpus < 64 ? (1ull << cpus) - 1 : ~0ull;
	intervals_init(&v, &set.set, 1000000000, NULL);
}

static void set_rate(unsigned int cpu, unsigned int counter, uint64_t count,
		     uint64_t tsc)
{
	struct cpu_interval *c = &v.cpu[cpu];

	c->from.valid = true;
	c->to.valid = true;
	c->from.tsc = 0;
	c->to.tsc = tsc;
	c->from.total[counter] = 0;
	c->to.total[counter] = count;
	c->from.status[counter] = RCR_STATUS_OK;
	c->to.worst[counter] = RCR_STATUS_OK;
}

/* Make random rates of all sizes, over times with many digits. */
static void randomize(void)
{
	unsigned int i;

	for (i = 0; i < v.cpus; i++)
		set_rate(i, 0, random_number() >> (24 + random_number() % 40),
			 2299998000 + random_number() % 1000000);
}

/* Divide all CPUs at random among @parts units. */
static void part(struct units *u, unsigned int parts)
{
	unsigned int i, cpu, at = 0;
	unsigned int belongs[MAKER_CPUS];

	for (cpu = 0; cpu < v.cpus; cpu++)
		belongs[cpu] = cpu < parts ? cpu : random_number() % parts;
	u->count = parts;
	for (i = 0; i < parts; i++) {
		u->unit[i].member = &u->members[at];
		u->unit[i].cpus = 0;
		for (cpu = 0; cpu < v.cpus; cpu++) {
			if (belongs[cpu] != i)
				continue;
			u->members[at++] = cpu;
			u->unit[i].cpus++;
		}
	}
}

/* Add up the printed numbers of a line, in every fifth column from the first one on. */
static uint64_t printed_sum(const struct units *u)
{
	static char line[65536];
	FILE *f = fmemopen(line, sizeof(line), "w");
	const struct view view = { .grouped = u, .per = u ? *u : (struct units){ } };
	uint64_t sum = 0, whole, tenth;
	unsigned int field = 0;
	char *at;

	format_csv.line(&(struct page){ .out = f, .v = &v, .view = &view });
	fclose(f);
	for (at = strchr(line, ','); at; at = strchr(at + 1, ',')) {
		field++;
		if (field < 5 || (field - 5) % (u ? 2 * STATS : 2))
			continue;
		if (sscanf(at, ",%lu.%lu", &whole, &tenth) == 2)
			sum += 10 * whole + tenth;
	}
	return sum;
}

/* Compare the sums of random units, as computed and as printed, with the total. */
static void test_parts(void)
{
	struct unit unit[MAKER_CPUS] = { }, whole;
	unsigned int member[MAKER_CPUS], round, i, wrong = 0, wrong_text = 0;
	struct units u = { .unit = unit, .members = member };
	struct stats all, s;
	uint64_t sum;

	start(MAKER_CPUS);
	whole = units_whole(&v);
	for (round = 0; round < ROUNDS; round++) {
		randomize();
		part(&u, 1 + random_number() % MAKER_CPUS);
		if (!unit_stats(&v, &whole, 0, &all))
			ksft_exit_fail_msg("a unit without statistics\n");
		for (i = 0, sum = 0; i < u.count; i++)
			sum += unit_stats(&v, &unit[i], 0, &s) ? s.sum : 0;
		wrong += sum != all.sum;
		wrong_text += printed_sum(&u) != all.sum || printed_sum(NULL) != all.sum;
	}
	ksft_test_result(!wrong, "sums of units add up to the sum of all\n");
	ksft_test_result(!wrong_text, "printed sums of units and of CPUs add up, too\n");
}

/* Compare with a simple computation in floating point. */
static bool is_close(const struct stats *s)
{
	long double sum = 0, squares = 0, rate;
	double r;
	unsigned int i;

	for (i = 0; i < v.cpus; i++) {
		intervals_rate(&v, &v.cpu[i], 0, &r);
		sum += r;
	}
	for (i = 0; i < v.cpus; i++) {
		intervals_rate(&v, &v.cpu[i], 0, &r);
		rate = r - sum / v.cpus;
		squares += rate * rate;
	}
	return fabsl(s->sum - 10 * sum) <= v.cpus &&
	       fabsl(s->mean - 10 * sum / v.cpus) <= 1.1 &&
	       fabsl(s->dev - 10 * sqrtl(squares / v.cpus)) <= 1.1;
}

static void test_statistics(void)
{
	unsigned int round, i, wrong = 0;
	uint64_t least, most, rate;
	struct stats s;
	struct unit whole;
	double r;

	for (round = 0; round < ROUNDS; round++) {
		start(1 + random_number() % MAKER_CPUS);
		randomize();
		whole = units_whole(&v);
		unit_stats(&v, &whole, 0, &s);
		for (i = 0, least = ~0ull, most = 0; i < v.cpus; i++) {
			intervals_rate(&v, &v.cpu[i], 0, &r);
			rate = rate_tenths(r);
			least = rate < least ? rate : least;
			most = rate > most ? rate : most;
		}
		wrong += s.min != least || s.max != most || !is_close(&s);
	}
	ksft_test_result(!wrong, "mean, minimum, maximum and deviation follow their definitions\n");
}

static void test_known(void)
{
	static const unsigned int values[] = { 2, 4, 4, 4, 5, 5, 7, 9 };
	struct unit whole;
	unsigned int i;
	struct stats s;

	start(8);
	whole = units_whole(&v);
	for (i = 0; i < 8; i++)
		set_rate(i, 0, values[i], set.set.tsc_khz * 1000ull);
	ksft_test_result(unit_stats(&v, &whole, 0, &s) && s.sum == 400 && s.mean == 50 &&
			 s.min == 20 && s.max == 90 && s.dev == 20,
			 "2 4 4 4 5 5 7 9 have mean 5 and deviation 2\n");
}

/* The maximum number of values, each as large as possible. */
static void test_large(void)
{
	struct unit whole;
	struct stats s;
	unsigned int i;

	start(MAKER_CPUS);
	whole = units_whole(&v);
	for (i = 0; i < MAKER_CPUS; i++)
		set_rate(i, 0, i % 2 ? 99999999999999 : 0, set.set.tsc_khz * 1000ull);
	ksft_test_result(unit_stats(&v, &whole, 0, &s) &&
			 s.sum == 32 * 999999999999990 && s.mean == 499999999999995 &&
			 s.dev == 499999999999995, "the largest rates do not overflow\n");
	set_rate(0, 0, ~0ull, 1000);
	ksft_test_result(!unit_stats(&v, &whole, 0, &s),
			 "an impossible rate is left out\n");
}

/* A unit has a sum only if all of its CPUs have a rate. */
static void test_missing(void)
{
	struct unit whole;
	struct stats s;

	start(4);
	whole = units_whole(&v);
	randomize();
	v.cpu[2].to.worst[0] = RCR_STATUS_FOREIGN;
	ksft_test_result(!unit_stats(&v, &whole, 0, &s),
			 "a unit with a foreign counter has no sum\n");
	randomize();
	v.cpu[3].to.valid = false;
	ksft_test_result(!unit_stats(&v, &whole, 0, &s), "a unit with a gap has no sum\n");
	v.cpu[3].to.valid = true;
	ksft_test_result(!unit_is_uneven(&v, &whole),
			 "CPUs with the same ticks are not marked as uneven\n");
	v.cpu[3].to.time = 5;
	ksft_test_result(unit_is_uneven(&v, &whole),
			 "CPUs with different ticks are marked as uneven\n");
}

/* Sums are rounded like csv output. */
static void test_rounding(void)
{
	unsigned int i, wrong = 0;
	unsigned long whole, tenth;
	char text[64];
	double rate;

	for (i = 0; i < 1000000; i++) {
		rate = (double)(random_number() >> (18 + random_number() % 46)) /
		       (i % 3 ? 20 : random_number() % 1000000 + 1);
		if (rate >= RATE_LIMIT)
			continue;
		snprintf(text, sizeof(text), "%.1f", rate);
		wrong += sscanf(text, "%lu.%lu", &whole, &tenth) != 2 ||
			 rate_tenths(rate) != whole * 10 + tenth;
	}
	ksft_test_result(!wrong, "rates, including ties, are rounded like printf() does\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(2 + 1 + 1 + 2 + 4 + 1);
	test_parts();
	test_statistics();
	test_known();
	test_large();
	test_missing();
	test_rounding();
	intervals_free(&v);
	ksft_finished();
}
