// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_merge.c - compares the tournament of rings with a linear search, and counts the games.
 */
#include <stdint.h>
#include <stdlib.h>

static unsigned long games;

#define RCR_MERGE_HOOK() (games++)

#include "ksft.h"
#include "stream/merge.h"
#include "stream_maker.h"

#define MOST 8192

static __u64 times[MOST];
static __u32 winners[MOST];
static struct rcr_merge merge;

static void begin(__u32 places)
{
	merge = (struct rcr_merge){ places, times, winners };
	rcr_merge_clear(&merge);
}

/* Search all rings for the least time; return the first ring that has it. */
static __u32 look_for_first(void)
{
	__u32 i, first = 0;

	for (i = 1; i < merge.places; i++)
		if (times[i] < times[first])
			first = i;
	return first;
}

static unsigned int rounds(__u32 places)
{
	return __builtin_ctz(places);
}

static void test_places(void)
{
	ksft_test_result(rcr_merge_places(0) == 2 && rcr_merge_places(1) == 2 &&
			 rcr_merge_places(2) == 2 && rcr_merge_places(3) == 4 &&
			 rcr_merge_places(64) == 64 && rcr_merge_places(65) == 128 &&
			 rcr_merge_places(MOST) == MOST,
			 "the number of places is the next power of two\n");
}

/* Choose from few times, so that many are equal; RCR_MERGE_NONE: the ring has no records. */
static bool is_right_throughout(__u32 places)
{
	unsigned int i, wrong = 0;
	__u64 time;

	begin(places);
	wrong += rcr_merge_oldest(&merge) != RCR_MERGE_NONE;
	for (i = 0; i < 4000; i++) {
		time = random_number() % 4 ? random_number() % (2 * places) : RCR_MERGE_NONE;
		rcr_merge_set(&merge, random_number() % places, time);
		wrong += rcr_merge_first(&merge) != look_for_first();
		wrong += rcr_merge_oldest(&merge) != times[look_for_first()];
	}
	return !wrong;
}

static void test_first(void)
{
	__u32 places;
	bool right = true;

	for (places = 2; places <= 1024; places *= 2)
		right = right && is_right_throughout(places);
	ksft_test_result(right, "the winner is always the ring that a linear search finds\n");
}

/* All CPUs tick at the same instants: records are ordered by time, then by CPU. */
static void test_ticks(void)
{
	unsigned int cpus = 64, ticks = 100, i, wrong = 0;

	begin(cpus);
	for (i = 0; i < cpus; i++)
		rcr_merge_set(&merge, i, 1000);
	for (i = 0; i < cpus * ticks; i++) {
		wrong += rcr_merge_first(&merge) != i % cpus;
		wrong += rcr_merge_oldest(&merge) != 1000 + i / cpus;
		rcr_merge_set(&merge, i % cpus, 1001 + i / cpus);
	}
	ksft_test_result(!wrong, "records of one tick come in the order of their CPUs\n");
}

static void test_games(void)
{
	bool exact = true;
	__u32 places, i;

	for (places = 2; places <= MOST; places *= 2) {
		begin(places);
		games = 0;
		for (i = 0; i < 100; i++)
			rcr_merge_set(&merge, random_number() % places, random_number());
		exact = exact && games == 100 * rounds(places);
	}
	ksft_test_result(exact, "a record takes one game per round of the tournament\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(4);
	test_places();
	test_first();
	test_ticks();
	test_games();
	ksft_finished();
}
