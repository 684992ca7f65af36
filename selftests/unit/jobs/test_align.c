// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_align.c - selects the samples of grid ticks from a stream.
 */
#include <stdlib.h>
#include <string.h>

#define MAKER_CPUS 4
#define MAKER_COUNTERS 2
#include "ksft.h"
#include "math/align.h"
#include "stream_maker.h"

#define MS	1000000ull
/* Wall clock time minus CLOCK_MONOTONIC, ns. */
#define AHEAD	1700000000000000000ull

static struct made_set set;
static struct align grid;
/* Times of the closed grid ticks, ms on CLOCK_MONOTONIC. */
static uint64_t closed[64];
static unsigned int ticks;

/* Begin a set of CPUs 0, 1 and 3 with a grid of 10 ms. */
static void begin_grid(void)
{
	align_free(&grid);
	set = make_set();
	set.set.period_ns = MS;
	grid.grid = 10 * MS;
	ticks = 0;
	align_set(&grid, &set.set);
}

static void close_grid(void)
{
	align_close(&grid);
	if (ticks < 64)
		closed[ticks++] = (grid.now.time - AHEAD) / MS;
}

static void add_item(const struct rcr_item *item)
{
	if (align_ends(&grid, item))
		close_grid();
	align_add(&grid, item);
}

static void add_status(unsigned int cpu, uint64_t ms, uint64_t total, uint8_t status,
		       uint64_t changes)
{
	struct made_record r = make_sample(cpu, ms, total, 2 * total);

	set_status(&r, 0, status);
	r.record.changes = changes;
	add_item(&r.record.item);
}

static void add_all(uint64_t ms)
{
	add_status(0, ms, ms * 10, RCR_STATUS_OK, 0);
	add_status(1, ms, ms * 20, RCR_STATUS_OK, 0);
	add_status(3, ms, ms * 30, RCR_STATUS_OK, 0);
}

static void add_clock(uint64_t ms, uint64_t offset)
{
	struct made_record r = make_sample(0, ms, 0, 0);

	r.record.item.type = RCR_ITEM_CLOCK;
	r.record.value[0] = AHEAD;
	r.record.value[1] = offset;
	add_item(&r.record.item);
}

static bool closed_are(const char *expected)
{
	char text[512] = "";
	unsigned int i;

	for (i = 0; i < ticks; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%llu", i ? " " : "",
			 (unsigned long long)closed[i]);
	if (!strcmp(text, expected))
		return true;
	ksft_print_msg("closed: %s\n", text);
	return false;
}

static void test_grid_ticks(void)
{
	uint64_t ms;

	begin_grid();
	for (ms = 1003; ms <= 1041; ms++)
		add_all(ms);
	ksft_test_result(closed_are("1010 1020 1030 1040") && grid.now.cpu[3].total[0] == 1040 * 30,
			 "align: a grid tick is closed when the samples of the next tick arrive\n");
	begin_grid();
	for (ms = 1000; ms <= 1061; ms += 7)
		add_all(ms);
	ksft_test_result(closed_are("1000 1014 1021 1035 1042"),
			 "align: if the period does not divide the grid, the first tick after each multiple is taken\n");
	begin_grid();
	for (ms = 1000; ms <= 1100; ms += 25)
		add_all(ms);
	ksft_test_result(closed_are("1000 1025 1050 1075"),
			 "align: if the grid is shorter than the period, each tick is taken once\n");
}

static void test_missing_samples(void)
{
	uint64_t ms;

	begin_grid();
	for (ms = 1000; ms <= 1009; ms++)
		add_all(ms);
	add_status(0, 1010, 11, RCR_STATUS_OK, 0);
	add_status(1, 1010, 22, RCR_STATUS_OK, 0);
	ksft_test_result(!align_is_due(&grid, AHEAD + 1020 * MS, 30 * MS) &&
			 align_is_due(&grid, AHEAD + 1041 * MS, 30 * MS),
			 "align: a missing CPU is awaited, but not for longer than the timeout\n");
	close_grid();
	ksft_test_result(align_has_tick(&grid.now, 1) && !align_has_tick(&grid.now, 3) &&
			 grid.now.cpu[3].total[0] == 1009 * 30,
			 "align: a CPU without a sample of the tick keeps its latest total\n");
	add_status(3, 1010, 33, RCR_STATUS_OK, 0);
	add_status(0, 1020, 12, RCR_STATUS_OK, 0);
	ksft_test_result(grid.now.cpu[3].total[0] == 1009 * 30 && !align_is_due(&grid, 0, 30 * MS),
			 "align: a late sample does not change a closed tick\n");
	add_status(1, 1020, 23, RCR_STATUS_OK, 0);
	ksft_test_result(!align_is_due(&grid, 0, 30 * MS),
			 "align: a CPU that missed the previous tick is awaited\n");
	close_grid();
	ksft_test_result(grid.now.cpu[3].total[0] == 33 && !grid.now.cpu[2].valid,
			 "align: a late sample is in the next tick, and an offline CPU has no samples\n");
	for (ms = 1030; ms <= 2040; ms += 10) {
		add_status(0, ms, ms, RCR_STATUS_OK, 0);
		add_status(1, ms, ms, RCR_STATUS_OK, 0);
	}
	ksft_test_result(align_is_due(&grid, 0, 30 * MS),
			 "align: a CPU without samples for a second is not awaited\n");
}

static void test_first_samples(void)
{
	begin_grid();
	add_status(0, 4000, 1, RCR_STATUS_OK, 0);
	ksft_test_result(!align_is_due(&grid, AHEAD, 30 * MS),
			 "align: the first grid tick of a set waits for all CPUs\n");
	begin_grid();
	set.set.clock_monotonic = 0;
	set.set.period_ns = 5000 * MS;
	add_all(5000);
	add_status(0, 10000, 1, RCR_STATUS_OK, 0);
	add_status(1, 10000, 1, RCR_STATUS_OK, 0);
	ksft_test_result(!align_is_due(&grid, AHEAD, 30 * MS),
			 "align: CPUs are awaited if the period is 5 s\n");
	add_status(3, 10000, 1, RCR_STATUS_OK, 0);
	ksft_test_result(align_is_due(&grid, AHEAD, 30 * MS),
			 "align: the last missing sample ends the wait\n");
}

static void test_clock_steps(void)
{
	begin_grid();
	add_all(1000);
	add_all(1005);
	/* Set the clock back by two hours: the next multiple must not be two hours away. */
	add_clock(1006, AHEAD - 7200000 * MS + 3 * MS);
	add_all(1006);
	add_all(1007);
	add_all(1008);
	ksft_test_result(ticks == 2 && grid.now.time == AHEAD - 7200000 * MS + 1010 * MS,
			 "align: after the clock is set, multiples of the new time are used\n");
	begin_grid();
	add_all(1003);
	add_status(0, 1010, 1, RCR_STATUS_OK, 0);
	add_clock(1010, AHEAD - 7200000 * MS);
	add_status(1, 1010, 1, RCR_STATUS_OK, 0);
	add_all(1011);
	add_all(1020);
	add_all(1021);
	ksft_test_result(ticks == 2 && grid.now.time == AHEAD - 7200000 * MS + 1020 * MS,
			 "align: the clock may be set between two samples of a grid tick\n");
}

static void test_steps(void)
{
	struct align_step step;

	begin_grid();
	add_all(1000);
	add_all(1010);
	add_status(0, 1020, 10300, RCR_STATUS_OK, 0);
	add_status(1, 1020, 1010 * 20, RCR_STATUS_FOREIGN, 1);
	add_status(3, 1020, 1010 * 30, RCR_STATUS_OK, 2);
	close_grid();
	ksft_test_result(align_step(&grid, 0, 0, &step) && step.count == 200 &&
			 step.seconds > 0.00999 && step.seconds < 0.01001,
			 "align: a step has the count and the duration between two samples\n");
	ksft_test_result(!align_step(&grid, 1, 0, &step) && !align_step(&grid, 3, 0, &step) &&
			 !align_step(&grid, 2, 0, &step),
			 "align: there is no step without samples, or if the counter was not ok\n");
}

static void test_sets(void)
{
	struct rcr_lost lost = { .item = { sizeof(lost), RCR_ITEM_LOST, 0, 1, 1 }, .count = 7 };
	struct made_record r = make_sample(0, 1030, 1, 1);

	begin_grid();
	add_all(1000);
	add_all(1010);
	add_item(&lost.item);
	r.record.item.generation = 2;
	add_item(&r.record.item);
	r.record.item.generation = 1;
	r.record.item.cpu = MAKER_CPUS;
	add_item(&r.record.item);
	ksft_test_result(grid.lost == 7 && ticks == 1 && grid.next.tick == 1010,
			 "align: losses are counted; records of other sets and CPUs are ignored\n");
	align_set(&grid, &set.set);
	ksft_test_result(!grid.now.valid && !grid.open && !grid.next.cpu[0].valid && grid.lost == 7,
			 "align: a new set begins without samples\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(18);
	test_grid_ticks();
	test_missing_samples();
	test_first_samples();
	test_clock_steps();
	test_steps();
	test_sets();
	align_free(&grid);
	ksft_finished();
}
