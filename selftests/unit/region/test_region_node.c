// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_region_node.c - counters of the node in a section, from fake rings: counts are from the
 * first to the last sample of the section, and are missing if they may be wrong.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "ksft.h"
#include "library/node.c"
#include "library/sections.c"

#define CPUS		3	/* the last one does not read counters of the node */
#define COUNTERS	4	/* of each CPU, of dies, of packages (slow), a temperature */
#define ROOM		20	/* room for more counters of dies */
#define CAPACITY	16
#define PERIOD		1000000	/* TSC cycles */

static struct {
	struct rcr_set set;
	struct rcr_counter counter[ROOM];
	uint64_t cpus;
} node;

struct sample {
	uint64_t head[sizeof(struct rcr_record) / sizeof(uint64_t)];
	uint64_t total[ROOM];
	uint8_t status[24];
	struct rcr_slow slow;
};

struct rcr_map {
	uint64_t head;
	bool ended;
	bool never;
	bool skips;
	struct sample slot[CAPACITY];
};

static struct rcr_record *record_of(struct sample *s)
{
	return (struct rcr_record *)s->head;
}

static struct rcr_map ring[CPUS + 1];
static int open_error;
static unsigned int more_counters;
static bool closed;
static struct region_set set;
static uint64_t sum_meanwhile;
struct region_process region_process;
__thread struct region_thread *region_self;

struct rcr_reader *rcr_open(const char *path)
{
	errno = open_error;
	return path || open_error ? NULL : (struct rcr_reader *)&node;
}

void rcr_close(struct rcr_reader *r)
{
	closed = r;
	/* The test does not read the set again. */
	memset(&node.set.ncounters, 0xff, sizeof(node.set.ncounters));
}

const struct rcr_set *rcr_reader_set(const struct rcr_reader *r)
{
	return r ? &node.set : NULL;
}

struct rcr_map *rcr_map(struct rcr_reader *r, unsigned int cpu)
{
	return r && cpu <= CPUS ? &ring[cpu] : NULL;
}

void rcr_unmap(struct rcr_map *m)
{
	m->head = 0;
}

uint64_t rcr_map_head(const struct rcr_map *m)
{
	return m->head;
}

int rcr_map_read(const struct rcr_map *m, uint64_t position, void *to)
{
	if (position >= m->head)
		return 0;
	if (position + CAPACITY < m->head)
		return -1;
	memcpy(to, &m->slot[position % CAPACITY], sizeof(struct sample));
	return 1;
}

uint64_t rcr_map_until(const struct rcr_map *m)
{
	sum_meanwhile = set.value[0].sum;
	return m->never ? RCR_RING_NEVER : 0;
}

bool rcr_map_ended(const struct rcr_map *m)
{
	return m->ended;
}

void *region_map_memory(size_t size)
{
	static uint64_t memory[128 * 1024];
	static size_t used;
	size_t at = used;

	used += size / sizeof(uint64_t) + 1;
	return used <= sizeof(memory) / sizeof(uint64_t) ? &memory[at] : NULL;
}

bool region_counts(struct region_thread *t, uint64_t count[REGION_EVENTS])
{
	return t && count;
}

uint64_t region_start_count(const struct region_thread *t, const struct region_set *r,
			    unsigned int event)
{
	return t && r && event;
}

struct region_thread *region_take_thread(void)
{
	return NULL;
}

struct region_set *region_add_set(struct region_thread *t, unsigned int number)
{
	return t && number ? NULL : NULL;
}

bool region_has_set(unsigned int number)
{
	return number;
}

int region_say(enum region_saying once, const char *format, ...)
{
	return once || format ? -1 : -1;
}

/* Write the samples of a tick: counters of CPU n count 1,000 (n + 1) per tick. */
static void write_tick(unsigned int tick)
{
	struct sample *s;
	unsigned int cpu, i;

	for (cpu = 0; cpu < CPUS; cpu++) {
		if (ring[cpu].skips)
			continue;
		s = &ring[cpu].slot[ring[cpu].head % CAPACITY];
		*s = (struct sample){
			/* The slow counter is read at every other tick. */
			.slow = { .tsc = (uint64_t)(tick & ~1u) * PERIOD, .tsc_end = 1 },
		};
		record_of(s)->item = (struct rcr_item){
			.size = sizeof(*s), .type = RCR_ITEM_SAMPLE, .cpu = cpu,
		};
		record_of(s)->position = ring[cpu].head;
		record_of(s)->tsc = (uint64_t)tick * PERIOD + cpu;
		record_of(s)->changes = 1;
		for (i = 0; i < ROOM; i++) {
			s->total[i] = (uint64_t)(i == 2 ? tick & ~1u : tick) * 1000 * (cpu + 1);
			s->status[i] = i && cpu == CPUS - 1 ? RCR_STATUS_ELSEWHERE : RCR_STATUS_OK;
		}
		ring[cpu].head++;
	}
}

static void open_node(void)
{
	static const struct rcr_counter counter[COUNTERS] = {
		{ .name = "OWN", .scope = RCR_SCOPE_CPU },
		{ .name = "DRAM", .scope = RCR_SCOPE_DIE },
		{ .name = "SLOW", .scope = RCR_SCOPE_PACKAGE },
		{ .name = "HEAT", .scope = RCR_SCOPE_PACKAGE, .unit = RCR_UNIT_MILLIDEGREE },
	};
	unsigned int tick, i;

	region_node = (struct region_node){ };
	memset(ring, 0, sizeof(ring));
	/* Its CPU is offline. */
	ring[CPUS].never = true;
	memset(&set, 0, sizeof(set));
	memcpy(node.counter, counter, sizeof(counter));
	for (i = COUNTERS; i < COUNTERS + more_counters; i++) {
		node.counter[i] = (struct rcr_counter){ .scope = RCR_SCOPE_DIE };
		snprintf(node.counter[i].name, sizeof(node.counter[i].name), "CAS%u", i);
	}
	node.cpus = (1 << (CPUS + 1)) - 1;
	node.set = (struct rcr_set){
		.item = { .size = sizeof(node), .type = RCR_ITEM_SET },
		.ncounters = COUNTERS + more_counters, .ncpus = CPUS + 1, .record_size = sizeof(struct sample),
		.tsc_khz = 1000000, .period_ns = PERIOD, .family = "AMD Fam15h",
		.counter_offset = offsetof(__typeof__(node), counter),
		.counter_size = sizeof(struct rcr_counter),
		.cpus_offset = offsetof(__typeof__(node), cpus),
		.value_offset = offsetof(struct sample, total), .value_size = 8,
		.status_offset = offsetof(struct sample, status), .status_size = 1,
		.slow_offset = offsetof(struct sample, slow), .slow = 1 << 2, .slow_period_ns = 2 * PERIOD,
	};
	for (tick = 1; tick <= 4; tick++)
		write_tick(tick);
	region_node_open();
}

/* Run a section from half a tick after tick 4 to half a tick after the last tick. */
static void run_section(unsigned int last, void (*meanwhile)(void))
{
	unsigned int tick;

	region_node_start(&set);
	set.start_tsc = 4 * PERIOD + PERIOD / 2;
	for (tick = 5; tick <= last; tick++) {
		write_tick(tick);
		if (meanwhile && tick == 7)
			meanwhile();
	}
	region_node_stop(&set, (uint64_t)last * PERIOD + PERIOD / 2);
}

static bool is_node_count(unsigned int i, uint64_t count, uint64_t cycles)
{
	ksft_print_msg("%s: %llu in %llu cycles\n", node.counter[i + 1].name,
		       (unsigned long long)set.node[i].count, (unsigned long long)set.node[i].cycles);
	return set.node[i].count == count && set.node[i].cycles == cycles;
}

static void change_status(void)
{
	unsigned int slot;

	/* Only the number of changes shows that a skipped sample was not ok. */
	for (slot = 0; slot < 7; slot++)
		record_of(&ring[1].slot[slot])->changes = 0;
}

/* Another CPU takes over the unit at that tick, which its ring shows before the section. */
static void hand_over(void)
{
	unsigned int slot;

	for (slot = 4; slot < CAPACITY; slot++)
		ring[0].slot[slot].status[1] = RCR_STATUS_ELSEWHERE;
}

static void lose_counter_before(void)
{
	ring[0].slot[4].status[1] = RCR_STATUS_FOREIGN;
}

static void lose_counter(void)
{
	ring[0].slot[6].status[1] = RCR_STATUS_FOREIGN;
}

/* The CPU writes no samples from that tick on. */
static void skip_samples(void)
{
	ring[1].skips = true;
}

static void go_offline(void)
{
	ring[1].skips = true;
	ring[1].never = true;
}

/* One CPU has not read its slow counters in the section. */
static void keep_slow_reading(void)
{
	unsigned int slot;

	for (slot = 4; slot < CAPACITY; slot++) {
		ring[0].slot[slot].slow.tsc = 4 * PERIOD;
		ring[0].slot[slot].total[2] = 4 * 1000;
	}
}

static void replace_set(void)
{
	ring[0].ended = true;
}

static void write_other_records(void)
{
	unsigned int cpu;

	for (cpu = 0; cpu < CPUS; cpu++)
		record_of(&ring[cpu].slot[ring[cpu].head++ % CAPACITY])->item.type = RCR_ITEM_CLOCK;
}

static void test_sections(void)
{
	struct region_header h = { };

	open_node();
	region_node_describe(&h);
	ksft_test_result(closed && h.node_counters == 2 && !h.node_error &&
			 !strcmp(h.node_counter[0], "DRAM") && !strcmp(h.node_counter[1], "SLOW") &&
			 !strcmp(h.family, "AMD Fam15h") && region_long_section == 2 * PERIOD,
			 "region_node: counters shared by CPUs are counters of the node, temperatures are not\n");
	run_section(10, NULL);
	ksft_test_result(is_node_count(0, 5 * 3000, 5 * PERIOD),
			 "region_node: counts are from the first to the last sample of each reader\n");
	ksft_test_result(is_node_count(1, 6 * 3000, 6 * PERIOD),
			 "region_node: slow counters are counted between their own reads\n");
	open_node();
	run_section(10, skip_samples);
	ksft_test_result(is_node_count(0, 5 * 3000, 5 * PERIOD),
			 "region_node: rates of CPUs that sample at different times are added up\n");
	open_node();
	run_section(5, NULL);
	ksft_test_result(is_node_count(0, 0, 0), "region_node: a section with one sample has no counts\n");
	open_node();
	run_section(60, NULL);
	ksft_test_result(is_node_count(0, 56 * 3000, 56 * PERIOD),
			 "region_node: a section longer than the rings starts with the last sample before it\n");
}

/* The file may be written meanwhile, while the section is still open. */
static void test_order(void)
{
	static struct region_thread thread;
	unsigned int tick;

	open_node();
	set.depth = REGION_WHOLE | 1 | (region_node_start(&set) ? REGION_LONG : 0);
	set.start_tsc = 4 * PERIOD + PERIOD / 2;
	for (tick = 5; tick <= 10; tick++)
		write_tick(tick);
	sum_meanwhile = UINT64_MAX;
	end_section(&thread, &set);
	ksft_test_result(!sum_meanwhile && set.value[0].sum && set.node[0].cycles,
			 "region_node: rings are read before the section is added to the sums\n");
}

static void test_wrong(void)
{
	struct region_header h = { };

	open_node();
	run_section(10, change_status);
	ksft_test_result(is_node_count(0, 0, 0),
			 "region_node: a counter that was not ok within the section has no counts\n");
	open_node();
	run_section(7, lose_counter);
	ksft_test_result(is_node_count(0, 0, 0) && set.node[1].cycles,
			 "region_node: a counter that is not ok at the end has no counts\n");
	open_node();
	run_section(10, lose_counter_before);
	ksft_test_result(is_node_count(0, 0, 0) && set.node[1].cycles,
			 "region_node: a counter not ok in one unit at the start has no counts\n");
	open_node();
	run_section(7, hand_over);
	ksft_test_result(is_node_count(0, 0, 0) && set.node[1].cycles,
			 "region_node: a counter that another CPU took over has no counts\n");
	open_node();
	run_section(10, go_offline);
	ksft_test_result(is_node_count(0, 0, 0) && is_node_count(1, 0, 0),
			 "region_node: there are no counts if a reader goes offline\n");
	open_node();
	run_section(7, keep_slow_reading);
	ksft_test_result(is_node_count(1, 0, 0) && set.node[0].cycles,
			 "region_node: a slow counter that a CPU has read only once has no counts\n");
	open_node();
	run_section(10, write_other_records);
	ksft_test_result(is_node_count(0, 5 * 3000, 5 * PERIOD),
			 "region_node: records other than samples are skipped\n");
	open_node();
	run_section(10, replace_set);
	region_node_describe(&h);
	ksft_test_result(is_node_count(0, 0, 0) && h.node_error == ESTALE && !region_node_start(&set),
			 "region_node: there are no counts if the set changes\n");
	more_counters = 14;
	open_node();
	memset(&h, 0, sizeof(h));
	region_node_describe(&h);
	ksft_test_result(h.node_counters == 16 && !h.node_error && *h.family,
			 "region_node: up to 16 counters are kept\n");
	more_counters = 15;
	open_node();
	memset(&h, 0, sizeof(h));
	region_node_describe(&h);
	ksft_test_result(h.node_counters == 16 && h.node_error == EOVERFLOW && !*h.family,
			 "region_node: of more than 16 counters 16 are kept, with error EOVERFLOW and no family\n");
	more_counters = 0;
	open_node();
	set.calls = 1;
	ksft_test_result(!region_node_start(&set), "region_node: rings are not read for sets with short sections only\n");
	set.closed = REGION_LONG;
	ksft_test_result(region_node_start(&set), "region_node: rings are read for a set that has had a long section\n");
	open_error = EACCES;
	open_node();
	region_node_describe(&h);
	ksft_test_result(h.node_error == EACCES && !h.node_counters && !region_node_start(&set),
			 "region_node: without permission the file has the error, and no counts\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(20);
	test_sections();
	test_wrong();
	open_error = 0;
	test_order();
	ksft_finished();
}
