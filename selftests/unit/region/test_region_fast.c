// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_region_fast.c - start and stop of a section by rdpmc, on fake pages and counters: an event
 * that moves to another counter between any two reads is detected.
 */
#include "ksft.h"

static unsigned long long counter_of(unsigned int number);

#define READ_PMC_HALVES(counter, low, high) do { \
	unsigned long long value_ = counter_of(counter); \
	(low) = (unsigned int)value_; \
	(high) = value_ >> 32; \
} while (0)

#include "library/fast.h"

#define WIDTH 48

static char pages[REGION_EVENTS * REGION_PAGE] __attribute__((aligned(REGION_PAGE)));
static unsigned long long counters[16];
static struct region_thread thread = { .page = pages, .width = WIDTH, .mask = (1ull << WIDTH) - 1 };
static struct region_set set;

uint64_t region_long_section = UINT64_MAX;

/* Number of the read before which an event moves, and the event. */
static int move_at = -1, move_event, reads;
static bool handler_knows;

static struct perf_event_mmap_page *page_of(unsigned int event)
{
	return (struct perf_event_mmap_page *)(pages + event * REGION_PAGE);
}

static unsigned long long counter_of(unsigned int number)
{
	if (reads++ == move_at) {
		page_of(move_event)->lock += 2;
		/* A signal handler has called RCR_Start(), which reads the new counter numbers. */
		if (handler_knows)
			thread.locks += 2;
	}
	return counters[number];
}

/* Put event i on counter 10 - i. */
static void place_counters(void)
{
	unsigned int i;

	thread.locks = 0;
	for (i = 0; i < REGION_EVENTS; i++) {
		thread.index[i] = 10 - i;
		counters[10 - i] = (1ull << 47) + 1000 * i;
		thread.locks += page_of(i)->lock;
		set.value[i + 1] = (struct region_value){ .min = -1 };
	}
	set.value[0] = (struct region_value){ .min = -1 };
	set.depth = 0;
	set.calls = 0;
	reads = 0;
	move_at = -1;
	handler_knows = false;
}

static bool has_value(unsigned int i, uint64_t sum, uint64_t min, uint64_t max)
{
	const struct region_value *v = &set.value[i + 1];

	return v->sum == sum && v->min == min && v->max == max;
}

static void test_counts(void)
{
	unsigned int i, call;
	bool ok = true;

	place_counters();
	for (call = 1; call <= 3; call++) {
		ok &= region_start_fast(&thread, &set, 6) && set.depth == 1;
		for (i = 0; i < REGION_EVENTS; i++)
			counters[10 - i] += call * (i + 1);
		ok &= region_stop_fast(&thread, &set, 6) && !set.depth;
		/* Counts between sections belong to no section. */
		counters[5] += 77777;
	}
	for (i = 0; i < REGION_EVENTS; i++)
		ok &= has_value(i, 6 * (i + 1), i + 1, 3 * (i + 1));
	ksft_test_result(ok && set.calls == 3 && set.value[0].sum >= set.value[0].max,
			 "region_fast: sum, minimum and maximum include only counts within sections\n");
}

static void test_moves(void)
{
	unsigned int missed = 0, at, event;

	for (event = 0; event < REGION_EVENTS; event++) {
		for (at = 0; at < REGION_EVENTS; at++) {
			place_counters();
			move_at = at;
			move_event = event;
			missed += region_start_fast(&thread, &set, 6) || set.depth;
			place_counters();
			region_start_fast(&thread, &set, 6);
			move_at = reads + at;
			move_event = event;
			missed += region_stop_fast(&thread, &set, 6) || set.depth != 1 || set.calls ||
				  set.value[1].sum;
		}
		place_counters();
		region_start_fast(&thread, &set, 6);
		page_of(event)->lock += 2;
		missed += region_stop_fast(&thread, &set, 6);
	}
	ksft_test_result(!missed,
			 "region_fast: an event that moves before any read is detected, and nothing is added\n");
}

static void test_handlers(void)
{
	unsigned int missed = 0, at;

	for (at = 0; at < REGION_EVENTS; at++) {
		place_counters();
		move_at = at;
		handler_knows = true;
		missed += region_start_fast(&thread, &set, 6) || set.depth;
		place_counters();
		region_start_fast(&thread, &set, 6);
		move_at = reads + at;
		handler_knows = true;
		missed += region_stop_fast(&thread, &set, 6) || set.calls;
	}
	ksft_test_result(!missed,
			 "region_fast: a call detects a move even if a signal handler that interrupts it does so first\n");
}

static void test_overflow(void)
{
	place_counters();
	counters[10] = (1ull << WIDTH) - 5;
	region_start_fast(&thread, &set, 6);
	counters[10] = 7;
	ksft_test_result(region_stop_fast(&thread, &set, 6) && has_value(0, 12, 12, 12),
			 "region_fast: a counter with a pending overflow is read correctly\n");
}

static void test_fewer(void)
{
	place_counters();
	thread.locks = page_of(0)->lock + page_of(1)->lock;
	region_start_fast(&thread, &set, 2);
	counters[9] += 5;
	page_of(2)->lock += 2;
	ksft_test_result(region_stop_fast(&thread, &set, 2) && has_value(1, 5, 5, 5) &&
			 !set.value[3].sum && reads == 4,
			 "region_fast: a section with two counters reads two counters and checks two pages\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(5);
	test_counts();
	test_moves();
	test_handlers();
	test_overflow();
	test_fewer();
	ksft_finished();
}
