// SPDX-License-Identifier: GPL-2.0-only
/* test_windows.c - windows of a node of which CPUs go offline and return, and its slices. */
#include <stddef.h>
#include <string.h>

#include "ksft.h"
#include "model/windows.h"

#define PERIOD_NS	10000000ull
#define WINDOW_NS	20000000
#define CPUS		4
#define COUNT		1000	/* in a period, on each CPU */
#define AWAY		200	/* ticks */
#define BACK		500
#define TICKS		800

static struct {
	struct rcr_set set;
	struct rcr_counter counter;
} made;

static struct machine machine = { .cpus = CPUS, .nodes = 1 };

/* Windows seen, and how many of them are covered, or consist of whole slices. */
static struct seen {
	uint64_t begin, end;	/* ticks */
	unsigned int windows, covered, whole;
} seen[] = {
	{ .begin = 10, .end = AWAY - 1 },
	{ .begin = AWAY + 150, .end = BACK },
	{ .begin = BACK + 10, .end = TICKS - 10 },
};

/* L3 misses of a CPU of Intel (SDM volume 3, table of architectural events). */
static void make_set(void)
{
	made.set = (struct rcr_set){
		.item.type = RCR_ITEM_SET, .item.generation = 1, .item.size = sizeof(made),
		.period_ns = PERIOD_NS, .tsc_khz = 1000000, .ncounters = 1,
		.record_size = sizeof(struct rcr_record) + 16, .counter_offset = sizeof(made.set),
		.counter_size = sizeof(made.counter), .value_offset = sizeof(struct rcr_record),
		.value_size = 8, .status_offset = sizeof(struct rcr_record) + 8, .status_size = 1,
	};
	strcpy(made.set.family, "Intel Haswell");
	made.counter = (struct rcr_counter){ .scope = RCR_SCOPE_CPU, .select = 0x43412e };
	strcpy(made.counter.name, "MISSES");
}

static bool is_whole(const struct window *w)
{
	unsigned int i;

	for (i = 0; i < w->slices; i++)
		if (!(w->node[0].slice[i].whole >= 0.99 && w->node[0].slice[i].whole <= 1.01))
			return false;
	return true;
}

static void take_window(void *to, const struct window *w)
{
	unsigned int i;

	(void)to;
	for (i = 0; i < sizeof(seen) / sizeof(seen[0]); i++) {
		if (w->begin < seen[i].begin * PERIOD_NS ||
		    w->begin + w->length > seen[i].end * PERIOD_NS)
			continue;
		seen[i].windows++;
		seen[i].covered += window_is_covered(w, 0);
		seen[i].whole += is_whole(w);
	}
}

static void take_tick(struct windows *w, unsigned int cpu, uint64_t tick)
{
	uint64_t bytes[(sizeof(struct rcr_record) + 16) / sizeof(uint64_t)] = { };
	struct rcr_record *r = (struct rcr_record *)bytes;

	r->item = (struct rcr_item){ sizeof(bytes), RCR_ITEM_SAMPLE, 0, cpu, 1 };
	r->time = tick * PERIOD_NS;
	r->tsc = r->time;
	r->tsc_end = r->time;
	r->changes = cpu && tick >= BACK;
	r->value[0] = tick * COUNT;
	*(uint8_t *)(r->value + 1) = RCR_STATUS_OK;
	windows_take(w, &made.set, &r->item);
}

/* All CPUs except the first one are offline from AWAY to BACK. */
static void judge(void)
{
	struct windows *w = windows_open(&machine, WINDOW_NS, take_window, NULL);
	unsigned int cpu;
	uint64_t tick;

	windows_take(w, &made.set, &made.set.item);
	for (tick = 1; tick < TICKS; tick++)
		for (cpu = 0; cpu < CPUS; cpu++)
			if (!cpu || tick < AWAY || tick >= BACK)
				take_tick(w, cpu, tick);
	windows_flush(w);
	windows_close(w);
}

static bool is_counted(const struct seen *s)
{
	ksft_print_msg("%u windows, %u covered, %u whole\n", s->windows, s->covered, s->whole);
	return s->windows > 50 && s->covered == s->windows && s->whole == s->windows;
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(3);
	make_set();
	judge();
	ksft_test_result(is_counted(&seen[0]), "windows: the counts of a node are the sum of its CPUs\n");
	ksft_test_result(is_counted(&seen[1]),
			 "windows: a second after CPUs went offline, the remaining CPUs cover the node\n");
	ksft_test_result(is_counted(&seen[2]), "windows: the counts include all CPUs again when they are back online\n");
	ksft_finished();
}
