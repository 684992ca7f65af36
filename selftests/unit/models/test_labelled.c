// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_labelled.c - recordings of a contended machine (labelled.h): the counts, read by the layout
 * of the set, agree with the stated facts.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <linux/rcrtool.h>

#include "ksft.h"
#include "labelled.h"

/* The machine of labelled.h: memory has this many lines per second for each CPU of its node. */
#define CPU_LINES	25e6
#define HZ		2e9
#define MEMORY_CYCLES	200

static const struct labelled_options plain = {
	.seed = 1, .nodes = 2, .node_cpus = 4, .ticks = 300, .period_ns = 1000000,
};

static char *bytes;
static size_t size;

/* Make a recording in memory. */
static int make_bytes(const struct labelled_options *o, struct labelled_truth *t)
{
	free(bytes);
	bytes = labelled_bytes(o, t, &size);
	return bytes ? 0 : -1;
}

/* Counts of each CPU in each third of a recording. */
struct counted {
	double third[3][LABELLED_CPUS][LABELLED_COUNTERS];
	uint64_t records, lost;
	unsigned int counters;
	double ticks[3];
	double squares, sum, steps;	/* of the first counter of CPU 0, per tick */
};

static struct counted c;

static unsigned int third_of(uint64_t tick, const struct labelled_truth *t)
{
	return tick < t->begin ? 0 : tick < t->end ? 1 : 2;
}

static void take_sample(const struct rcr_set *set, const struct rcr_record *r,
			const struct rcr_record *last, const struct labelled_truth *t)
{
	unsigned int i, third = third_of(r->tick, t);
	double step;

	for (i = 0; i < set->ncounters; i++)
		c.third[third][r->item.cpu][i] += (double)(r->value[i] - last->value[i]);
	if (r->item.cpu)
		return;
	step = r->value[0] - last->value[0];
	c.ticks[third] += r->tick - last->tick;
	c.sum += step;
	c.squares += step * step;
	c.steps++;
}

static void read_recording(const struct labelled_truth *t)
{
	const struct rcr_set *set = (const void *)bytes;
	const struct rcr_record *last[LABELLED_CPUS] = { };
	size_t at;

	memset(&c, 0, sizeof(c));
	c.counters = set->ncounters;
	for (at = 0; at < size; at += ((const struct rcr_item *)(bytes + at))->size) {
		const struct rcr_record *r = (const void *)(bytes + at);

		if (r->item.type == RCR_ITEM_LOST)
			c.lost += ((const struct rcr_lost *)(bytes + at))->count;
		if (r->item.type != RCR_ITEM_SAMPLE)
			continue;
		c.records++;
		if (last[r->item.cpu])
			take_sample(set, r, last[r->item.cpu], t);
		last[r->item.cpu] = r;
	}
}

static double node_count(unsigned int node, enum labelled_counter what)
{
	return c.third[1][node * plain.node_cpus][what];
}

/* Utilization of a node's memory in the second third. */
static double node_utilization(unsigned int node)
{
	double seconds = c.ticks[1] * plain.period_ns / 1e9;

	return (node_count(node, LABELLED_READS) + node_count(node, LABELLED_WRITES)) / seconds /
	       (CPU_LINES * plain.node_cpus);
}

static double latency_of(unsigned int node)
{
	return node_count(node, LABELLED_LATENCY) / node_count(node, LABELLED_REQUESTS) / MEMORY_CYCLES;
}

static double count_ratio(unsigned int node, enum labelled_counter what, enum labelled_counter of)
{
	return node_count(node, what) / node_count(node, of);
}

static double cycles_per(unsigned int third, unsigned int cpu)
{
	return c.third[third][cpu][LABELLED_CYCLES] / c.third[third][cpu][LABELLED_INSTRUCTIONS];
}

static bool close_to(double a, double b)
{
	return fabs(a - b) <= 0.01 * fabs(b);
}

static void test_truth(void)
{
	struct labelled_options o = plain;
	struct labelled_truth t;
	unsigned int bad = 0, node;

	for (o.kind = 0; o.kind < LABELLED_KINDS; o.kind++) {
		if (make_bytes(&o, &t)) {
			bad++;
			continue;
		}
		read_recording(&t);
		node = t.node < o.nodes ? t.node : 0;
		if (close_to(node_utilization(node), t.utilization) && close_to(latency_of(node), t.latency) &&
		    (!t.victim || close_to(cycles_per(1, 0) / cycles_per(0, 0), t.slowdown)))
			continue;
		ksft_print_msg("%s: utilization %g for %g, latency %g for %g, slowdown %g for %g\n",
			       labelled_name(o.kind), node_utilization(node), t.utilization,
			       latency_of(node), t.latency, cycles_per(1, 0) / cycles_per(0, 0), t.slowdown);
		bad++;
	}
	ksft_test_result(!bad, "labelled: the stated utilization, latency and slowdown agree with the counts\n");
}

/* Check that the counts in the second third distinguish @kind from other kinds. */
static bool is_distinctive(enum labelled_kind kind)
{
	double u = node_utilization(0), other = node_utilization(1), waits = latency_of(0);
	double far = count_ratio(0, LABELLED_FAR, LABELLED_L3_MISSES);
	double conflicts = count_ratio(0, LABELLED_CONFLICT, LABELLED_ROWS);
	double modified = c.third[1][0][LABELLED_MODIFIED] / c.third[1][0][LABELLED_L2_MISSES];
	double slower = cycles_per(1, 0) / cycles_per(0, 0);

	switch (kind) {
	case LABELLED_QUIET:
		return u < 0.2 && waits < 1.3 && close_to(slower, 1);
	case LABELLED_BANDWIDTH:
		return u > 0.85 && other > 0.85 && waits > 3 && far < 0.01;
	case LABELLED_ONE_MEMORY:
		return u > 0.85 && other < u / 2 && waits > 3;
	case LABELLED_REMOTE:
		return far > 0.9 && fabs(u - other) < 0.05;
	case LABELLED_CONFLICTS:
		return u > 0.3 && u < 0.85 && waits > 1.5 && conflicts > 0.5;
	case LABELLED_CHASE:
		return u < 0.3 && waits < 1.5 && slower > 2;
	case LABELLED_DEVICE:
		return u > 0.85 && count_ratio(0, LABELLED_IO, LABELLED_READS) > 1;
	case LABELLED_CLOCK:
		return u < 0.2 && waits > 1.5;
	case LABELLED_THRASHER:
		return slower > 1.2 && cycles_per(1, 2) > 1.2 * cycles_per(0, 2);
	case LABELLED_SUM:
	case LABELLED_EACH:
		return slower > 1.05;
	case LABELLED_LINES:
		return modified > 1 / 8.0 && slower > 1.5;
	default:
		return waits < 1.5;
	}
}

static void test_kinds(void)
{
	struct labelled_options o = plain;
	struct labelled_truth t;
	unsigned int bad = 0;

	for (o.kind = 0; o.kind < LABELLED_KINDS; o.kind++) {
		make_bytes(&o, &t);
		read_recording(&t);
		if (is_distinctive(o.kind))
			continue;
		ksft_print_msg("%s: utilization %g and %g, latency %g, slowdown %g\n",
			       labelled_name(o.kind), node_utilization(0), node_utilization(1), latency_of(0),
			       cycles_per(1, 0) / cycles_per(0, 0));
		bad++;
	}
	ksft_test_result(!bad, "labelled: the counts of each kind are distinctive, of %u\n", LABELLED_KINDS);
}

/* Misses and instructions of node 0, summed by the number of its busy CPUs. */
struct by_busy {
	double misses[5], instructions[5], ticks[5];
};

/* The node has four CPUs, and no record is lost. */
static void sum_by_busy(const struct labelled_truth *t, struct by_busy *b)
{
	const struct rcr_record *r, *last[LABELLED_CPUS] = { };
	double misses = 0, instructions = 0;
	unsigned int busy = 0;
	size_t at;

	for (at = 0; at < size; at += r->item.size) {
		r = (const void *)(bytes + at);
		if (r->item.type != RCR_ITEM_SAMPLE || r->item.cpu > 3)
			continue;
		if (!r->item.cpu) {
			misses = 0;
			instructions = 0;
			busy = 0;
		}
		busy += r->tgid != 0;
		if (last[r->item.cpu]) {
			misses += r->value[LABELLED_L3_MISSES] - last[r->item.cpu]->value[LABELLED_L3_MISSES];
			instructions += r->value[LABELLED_INSTRUCTIONS] -
					last[r->item.cpu]->value[LABELLED_INSTRUCTIONS];
		}
		last[r->item.cpu] = r;
		if (r->item.cpu != 3 || third_of(r->tick, t) != 1)
			continue;
		b->misses[busy] += misses;
		b->instructions[busy] += instructions;
		b->ticks[busy]++;
	}
}

/* Return the misses per instruction with four busy CPUs, relative to two. */
static double trend_of(enum labelled_kind kind)
{
	struct labelled_options o = plain;
	struct by_busy b = { };
	struct labelled_truth t;

	o.kind = kind;
	o.ticks = 3000;
	make_bytes(&o, &t);
	sum_by_busy(&t, &b);
	if (b.ticks[2] < 50 || b.ticks[4] < 50)
		return NAN;
	return b.misses[4] / b.instructions[4] / (b.misses[2] / b.instructions[2]);
}

static void test_trends(void)
{
	double sum = trend_of(LABELLED_SUM), each = trend_of(LABELLED_EACH);
	double sharing = trend_of(LABELLED_SHARING);

	ksft_test_result(sum > 5 && close_to(each, 1) && sharing < 0.6,
			 "labelled: misses per instruction with 4 busy CPUs relative to 2: sum %.2f, each %.2f, sharing %.2f\n",
			 sum, each, sharing);
}

/* FNV-1a. */
static uint64_t sum_of(const char *data, size_t length)
{
	uint64_t sum = 0xcbf29ce484222325ull;

	while (length--)
		sum = (sum ^ (unsigned char)*data++) * 0x100000001b3ull;
	return sum;
}

static void test_seeds(void)
{
	struct labelled_options o = plain;
	struct labelled_truth t;
	char *first;
	size_t length;
	bool same;

	o.noise = 0.1;
	o.lost = 0.05;
	o.kind = LABELLED_SUM;
	make_bytes(&o, &t);
	first = bytes;
	length = size;
	bytes = NULL;
	make_bytes(&o, &t);
	same = size == length && !memcmp(bytes, first, size);
	o.seed++;
	make_bytes(&o, &t);
	ksft_test_result(same && (size != length || memcmp(bytes, first, size)),
			 "labelled: a seed determines the recording\n");
	ksft_test_result(sum_of(first, length) == 0xad05f7364d10263full,
			 "labelled: the recording is the same on all machines and compilers: %llx\n",
			 (unsigned long long)sum_of(first, length));
	free(first);
}

static void test_noise(void)
{
	struct labelled_options o = plain;
	struct labelled_truth t;
	double mean, deviation;

	o.ticks = 30000;
	o.noise = 0.1;
	make_bytes(&o, &t);
	read_recording(&t);
	mean = c.sum / c.steps;
	deviation = sqrt(c.squares / c.steps - mean * mean) / mean;
	ksft_test_result(close_to(mean, HZ / 1000) && deviation > 0.098 && deviation < 0.102,
			 "labelled: 10 %% of noise: the deviation is %.2f %%, the mean is unchanged\n",
			 100 * deviation);
}

static void test_lost(void)
{
	struct labelled_options o = plain;
	struct labelled_truth t;
	uint64_t all;

	o.ticks = 3000;
	o.lost = 0.05;
	make_bytes(&o, &t);
	read_recording(&t);
	all = (uint64_t)o.ticks * o.nodes * o.node_cpus;
	/* Losses after the last record of a CPU are not reported. */
	ksft_test_result(t.written + t.lost == all && c.records == t.written && c.lost <= t.lost &&
			 t.lost - c.lost < 20 && t.lost > 0.045 * all && t.lost < 0.055 * all,
			 "labelled: with 5 %% of losses, %llu of %llu records are lost and reported in the stream\n",
			 (unsigned long long)t.lost, (unsigned long long)all);
}

static void test_sets(void)
{
	struct labelled_options o = plain;
	struct labelled_truth t;
	bool ok;

	o.missing = 1u << LABELLED_LATENCY | 1u << LABELLED_MODIFIED;
	make_bytes(&o, &t);
	read_recording(&t);
	ok = c.counters == LABELLED_COUNTERS - 2 && !memmem(bytes, size, "READ_LATENCY", 12) &&
	     memmem(bytes, size, "READ_REQUESTS", 13);
	o = plain;
	o.nodes = LABELLED_NODES;
	o.node_cpus = LABELLED_CPUS / LABELLED_NODES;
	o.ticks = 30;
	o.kind = LABELLED_ONE_MEMORY;
	ok &= !make_bytes(&o, &t) && t.written == 30 * LABELLED_CPUS;
	ksft_test_result(ok, "labelled: a set may lack events, a machine may have %u CPUs\n", LABELLED_CPUS);
}

static bool is_invalid(struct labelled_options o)
{
	struct labelled_truth t;

	errno = 0;
	return make_bytes(&o, &t) == -1 && errno == EINVAL && !size;
}

static void test_options(void)
{
	struct labelled_options kind = plain, one = plain, cpus = plain, ticks = plain, noise = plain;

	kind.kind = LABELLED_KINDS;
	one.nodes = 1;
	one.kind = LABELLED_REMOTE;
	cpus.node_cpus = LABELLED_CPUS;
	ticks.ticks = 2;
	noise.noise = NAN;
	ksft_test_result(is_invalid(kind) && is_invalid(one) && is_invalid(cpus) && is_invalid(ticks) &&
			 is_invalid(noise), "labelled: options out of range are refused\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(9);
	test_truth();
	test_kinds();
	test_trends();
	test_seeds();
	test_noise();
	test_lost();
	test_sets();
	test_options();
	free(bytes);
	ksft_finished();
}
