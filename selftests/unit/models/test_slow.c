// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_slow.c - windows of slow counters: work items read them outside of the tick, and the time
 * and the duration of each read vary.
 */
#include <stddef.h>
#include <string.h>

#include "ksft.h"
#include "model/windows.h"

#define PERIOD_NS	10000000ull
#define WINDOW_NS	20000000
#define COUNT		1000	/* in a period */
#define TICKS		100
#define MANY_TICKS	1000

/* The TSC runs at 1 GHz, so one count is 1 ns. */
static struct {
	struct rcr_set set;
	struct rcr_counter counter;
} made;

/* A struct rcr_record with the arrays that follow it. */
static struct sample {
	uint64_t record[sizeof(struct rcr_record) / sizeof(uint64_t)];
	uint64_t value;
	uint8_t status[8];
	struct rcr_slow slow;
} sample;

static struct machine machine = { .cpus = 1, .nodes = 1 };
static unsigned int counted, windows, ticks = TICKS;
static double least, most, whole;

/* Memory accesses of a northbridge, by their rows (AMD BKDG 42301, NBPMCx0E0). */
static void make_set(void)
{
	made.set = (struct rcr_set){
		.item.type = RCR_ITEM_SET, .item.generation = 1, .item.size = sizeof(made),
		.period_ns = PERIOD_NS, .tsc_khz = 1000000, .ncounters = 1, .slow = 1,
		.record_size = sizeof(sample), .counter_offset = sizeof(made.set),
		.counter_size = sizeof(made.counter), .value_offset = offsetof(struct sample, value),
		.value_size = sizeof(sample.value), .status_offset = offsetof(struct sample, status),
		.status_size = 1, .slow_offset = offsetof(struct sample, slow),
	};
	strcpy(made.set.family, "AMD Fam15h");
	made.counter = (struct rcr_counter){ .scope = RCR_SCOPE_PACKAGE, .select = 0x403fe0 };
	strcpy(made.counter.name, "ROWS");
}

/* The first and the last window are only partly covered by samples. */
static void take_window(void *to, const struct window *w)
{
	double count = w->node[0].sum[SIGNAL_ROWS];

	(void)to;
	whole += w->node[0].slice[0].whole;
	if (w->begin < 2 * w->length || w->begin > ticks * PERIOD_NS - 3 * w->length)
		return;
	count *= 2.0 * PERIOD_NS / w->length;
	windows++;
	if (!window_is_covered(w, 0))
		return;
	counted++;
	least = count < least ? count : least;
	most = count > most ? count : most;
}

/* Feed samples that are read every @every ticks. A read takes @plain ns, every fifth one @fifth. */
static void judge(uint64_t plain, uint64_t fifth, unsigned int every)
{
	struct windows *w = windows_open(&machine, WINDOW_NS, take_window, NULL);
	struct rcr_record *r = (struct rcr_record *)sample.record;
	uint64_t i;

	counted = 0;
	windows = 0;
	least = 1e9;
	most = 0;
	whole = 0;
	made.set.slow_period_ns = every * PERIOD_NS;
	windows_take(w, &made.set, &made.set.item);
	for (i = every; i < ticks; i++) {
		uint64_t read = i - i % every, begin = read * PERIOD_NS - 8000000;

		sample = (struct sample){
			.value = read * COUNT, .status = { RCR_STATUS_OK },
			.slow = { .tsc = begin, .tsc_end = begin + (read % 5 ? plain : fifth) },
		};
		r->item.type = RCR_ITEM_SAMPLE;
		r->item.generation = 1;
		r->item.size = sizeof(sample);
		r->time = i * PERIOD_NS;
		r->tsc = i * PERIOD_NS;
		r->tsc_end = i * PERIOD_NS + 1000;
		windows_take(w, &made.set, &r->item);
	}
	windows_flush(w);
	windows_close(w);
}

static bool all_are_counted(void)
{
	ksft_print_msg("%u of %u windows, %g to %g counts\n", counted, windows, least, most);
	return windows > TICKS / 3 && counted == windows && least > 1.99 * COUNT && most < 2.01 * COUNT;
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(5);
	make_set();
	judge(20000, 20000, 1);
	ksft_test_result(all_are_counted(), "slow: fast reads: each window has the full counts\n");
	judge(4000000, 4000000, 1);
	ksft_test_result(all_are_counted(),
			 "slow: slow reads of equal duration: each window has the full counts\n");
	judge(20000, 4000000, 1);
	ksft_test_result(all_are_counted(),
			 "slow: an occasional slow read among fast ones does not change the counts\n");
	/* slow_period_us=100000 */
	ticks = MANY_TICKS;
	judge(20000, 20000, 10);
	ksft_test_result(all_are_counted(),
			 "slow: no window is shorter than the interval between two reads\n");
	/* L3 misses (NBPMCx4E1), with a period of 10 ms; each read begins 8 ms before its tick. */
	made.counter.select = 0x40040f7e1ull;
	made.counter.scope = RCR_SCOPE_DIE;
	judge(20000, 20000, 1);
	ksft_test_result(windows && counted == windows && !(whole > 0),
			 "slow: slices do not use misses that were not read in the tick\n");
	ksft_finished();
}
