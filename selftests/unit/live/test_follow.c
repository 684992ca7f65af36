// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_follow.c - follows rings as they grow: each record is delivered once, in order of time, and
 * waits at most a second for a late CPU. The test sets the clock.
 */
#include <stdlib.h>
#include <time.h>

#include "ksft.h"
#include "live/follow.h"
#include "made_rings.h"

#define RINGS	3
#define MS	1000000ull
#define SECOND	(1000 * MS)
#define ITEMS	65536

static const unsigned int cpus[RINGS] = { 0, 1, 3 };
static struct made_set set;
static struct rcr_map ring[RINGS], *maps[RINGS];
static struct merge_ring merge_ring[RINGS];
static struct run run;
static struct follow *f;
static uint64_t now;	/* CLOCK_MONOTONIC, ns */

/* The delivered items: samples, and counts of lost samples. */
static struct item {
	uint64_t time, position, lost;
	unsigned int cpu;
} items[ITEMS];
static unsigned int count;

int __wrap_clock_gettime(clockid_t which, struct timespec *t)
{
	(void)which;
	*t = (struct timespec){ now / SECOND, now % SECOND };
	return 0;
}

static void take_item(void *to, const struct rcr_set *of, const struct rcr_item *item)
{
	const struct rcr_record *r = (const void *)item;
	struct item *i = &items[count++];

	if (count == ITEMS || to != items || of != &set.set || item->generation != 1)
		ksft_exit_fail_msg("invalid item\n");
	*i = (struct item){ .cpu = item->cpu };
	if (item->type == RCR_ITEM_LOST && item->size == sizeof(struct rcr_lost)) {
		i->lost = ((const struct rcr_lost *)item)->count;
		return;
	}
	if (item->type != RCR_ITEM_SAMPLE || item->size != MAKER_RECORD)
		ksft_exit_fail_msg("unknown item type %u\n", item->type);
	i->time = r->time;
	i->position = r->position;
}

/* Make empty rings that have already had @before records each. */
static void make_rings(uint64_t before)
{
	unsigned int i;

	follow_end(f);
	set = make_set();
	memset(ring, 0, sizeof(ring));
	run = (struct run){
		.merge = { .set = &set.set, .ring = merge_ring, .rings = RINGS }, .map = maps,
	};
	for (i = 0; i < RINGS; i++) {
		maps[i] = &ring[i];
		merge_ring[i] = (struct merge_ring){ .cpu = cpus[i] };
		ring[i].first = before;
		ring[i].end = before;
		ring[i].at = before;
	}
	now = 500 * MS;
	count = 0;
}

static void begin_reading(bool whole)
{
	f = follow_begin(&run, whole);
	if (!f)
		ksft_exit_fail_msg("no memory\n");
}

static void begin(uint64_t before)
{
	make_rings(before);
	begin_reading(false);
}

static void add_sample(unsigned int i, uint64_t time_ms)
{
	made_sample(&ring[i], cpus[i], time_ms);
	ring[i].until = time_ms * MS + 1;
}

static void read_now(void)
{
	follow_read(f, take_item, items);
}

/* Compare the delivered items with @expected: "cpu:ms" and "cpu:-lost", separated by blanks. */
static bool is_delivered(const char *expected)
{
	char text[1024] = "";
	unsigned int i;

	for (i = 0; i < count; i++)
		if (items[i].lost)
			sprintf(text + strlen(text), "%s%u:-%llu", i ? " " : "", items[i].cpu,
				(unsigned long long)items[i].lost);
		else
			sprintf(text + strlen(text), "%s%u:%llu", i ? " " : "", items[i].cpu,
				(unsigned long long)(items[i].time / MS));
	if (strcmp(text, expected))
		ksft_print_msg("got \"%s\", not \"%s\"\n", text, expected);
	return !strcmp(text, expected);
}

static void test_order(void)
{
	bool ok;

	begin(7);
	add_sample(0, 10);
	add_sample(2, 10);
	add_sample(0, 20);
	ring[1].until = 10 * MS;
	read_now();
	ok = is_delivered("");
	ring[1].until = 10 * MS + 1;
	read_now();
	ok &= is_delivered("0:10 3:10");
	add_sample(1, 20);
	add_sample(2, 20);
	read_now();
	ksft_test_result(ok && is_delivered("0:10 3:10 0:20 1:20 3:20"),
			 "follow: an instant is delivered once no CPU can have an older record\n");
}

/* Fill rings and read them at random times. */
static void test_random(void)
{
	unsigned int bad = 0, round, i, turn;
	uint64_t time[RINGS], last, next[RINGS], total;

	for (round = 0; round < 300; round++) {
		begin(round);
		total = 0;
		for (i = 0; i < RINGS; i++) {
			time[i] = 100;
			next[i] = round;
		}
		for (turn = 0; turn < 200; turn++) {
			i = random_number() % RINGS;
			/* Do not overwrite records that wait for another ring. */
			if (ring[i].end - ring[i].at < MADE_SLOTS - 1) {
				add_sample(i, time[i] += 1 + random_number() % 5);
				total++;
			}
			if (random_number() % 3 == 0)
				read_now();
		}
		follow_drain(f, take_item, items);
		bad += count != total;
		for (last = 0, turn = 0; turn < count; turn++) {
			i = items[turn].cpu == 3 ? 2 : items[turn].cpu;
			bad += items[turn].time < last || items[turn].position != next[i]++;
			last = items[turn].time;
		}
	}
	ksft_test_result(!bad, "follow: random rings: each record is delivered once, in order of time\n");
}

static void test_lost(void)
{
	unsigned int i;
	bool ok;

	begin(0);
	for (i = 0; i < MADE_SLOTS + 5; i++)
		add_sample(0, 100 + i);
	ring[1].until = RCR_RING_NEVER;
	ring[2].until = RCR_RING_NEVER;
	read_now();
	ok = count == 1 + MADE_SLOTS && items[0].lost == 5 && !items[0].cpu &&
	     items[1].time == 105 * MS && items[1].position == 5;
	ksft_test_result(ok, "follow: the count of overwritten records precedes the next record\n");

	begin(0);
	ring[1].until = RCR_RING_NEVER;
	add_sample(0, 10);
	for (i = 0; i < 4; i++)
		add_sample(2, 10 + i);
	ring[0].until = 20 * MS;
	/* Two records are overwritten while they are copied. */
	ring[2].torn = 2;
	read_now();
	ksft_test_result(is_delivered("0:10 3:-2 3:12 3:13"),
			 "follow: records overwritten while they are copied count as lost\n");
}

/* Open the run after five samples; the ring still has four of them. */
static void test_whole(void)
{
	bool ok = true;
	int whole;

	for (whole = 0; whole < 2; whole++) {
		make_rings(0);
		for (unsigned int i = 0; i < 5; i++)
			add_sample(0, 10 + i);
		ring[0].first = 1;
		ring[0].at = 5;
		ring[1].until = RCR_RING_NEVER;
		ring[2].until = RCR_RING_NEVER;
		begin_reading(whole);
		add_sample(0, 15);
		read_now();
		ok &= is_delivered(whole ? "0:11 0:12 0:13 0:14 0:15" : "0:15");
	}
	ksft_test_result(ok, "follow: reading starts at the oldest record, or at the newest\n");
}

static void test_others(void)
{
	begin(0);
	ring[1].until = RCR_RING_NEVER;
	ring[2].until = RCR_RING_NEVER;
	made_sample(&ring[0], 0, 10)->record.item.type = RCR_ITEM_SAMPLE + 1;
	add_sample(0, 11);
	read_now();
	ksft_test_result(is_delivered("0:11"), "follow: only samples are delivered\n");
}

static void test_late(void)
{
	uint64_t due = 1000 * 1000 - 1;
	bool ok;

	/* The next record of CPU 1 was due a millisecond ago. */
	begin(0);
	now = 1000 * SECOND;
	add_sample(0, due + 1);
	add_sample(2, due + 1);
	ring[1].until = due * MS;
	read_now();
	now = due * MS + SECOND - 1;
	read_now();
	ok = is_delivered("");
	now++;
	read_now();
	ksft_test_result(ok && is_delivered("0:1000000 3:1000000"),
			 "follow: a late CPU delays others by at most a second\n");
	add_sample(1, due);
	add_sample(1, due + 1);
	read_now();
	ksft_test_result(is_delivered("0:1000000 3:1000000 1:999999 1:1000000"),
			 "follow: records of a late CPU are delivered when they arrive\n");
	add_sample(0, due + 2);
	add_sample(2, due + 2);
	ring[1].until = (due + 2) * MS;
	now = (due + 3) * MS;
	read_now();
	ksft_test_result(count == 4, "follow: a CPU that has caught up is awaited again\n");
}

static void test_idle(void)
{
	begin(0);
	add_sample(0, 10);
	ring[1].until = RCR_RING_NEVER;
	ring[2].until = RCR_RING_NEVER;
	read_now();
	ksft_test_result(is_delivered("0:10"), "follow: a CPU that is not sampled is not awaited\n");
}

static void test_drain(void)
{
	bool ok;

	begin(0);
	now = 11 * MS;
	add_sample(0, 10);
	add_sample(0, 11);
	add_sample(2, 11);
	ring[1].until = 10 * MS;
	read_now();
	ok = is_delivered("");
	ring[0].ended = true;
	ring[1].ended = true;
	ring[2].ended = true;
	follow_drain(f, take_item, items);
	ok &= is_delivered("0:10 0:11 3:11");
	follow_drain(f, take_item, items);
	ksft_test_result(ok && count == 3, "follow: a drain delivers all remaining records once\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(11);
	test_order();
	test_random();
	test_lost();
	test_whole();
	test_others();
	test_late();
	test_idle();
	test_drain();
	follow_end(f);
	follow_end(NULL);
	ksft_finished();
}
