// SPDX-License-Identifier: GPL-2.0-only
/*
 * gridsums.c - computes the totals that pmdarcr must have from a recording of the stream.
 *
 *	gridsums RECORDING GRID_MS
 *
 * Prints "TIME EVENT CPU TOTAL" for each CPU and the first tick at or after each multiple of the
 * grid on the wall clock. TOTAL is that of the CPU's latest record up to the tick. Parses the file
 * without librcr, by the layout that the set describes.
 */
#include <inttypes.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "stream.h"

#define MAX_CPUS 64

static const struct rcr_set *set;
static const struct rcr_record *latest[MAX_CPUS];
static int64_t offset;
static uint64_t grid, due, open_tick;

static void print_tick(void)
{
	const struct rcr_counter *c;
	const char *value;
	unsigned int cpu, i;

	for (cpu = 0; cpu < MAX_CPUS; cpu++)
		for (i = 0; latest[cpu] && i < set->ncounters; i++) {
			c = (const void *)((const char *)counters_of(set) + i * set->counter_size);
			value = (const char *)latest[cpu] + set->value_offset + i * set->value_size;
			printf("%" PRIu64 " %s %u %" PRIu64 "\n", open_tick, c->name, cpu,
			       *(const uint64_t *)value);
		}
	due = (open_tick / grid + 1) * grid;
	open_tick = 0;
}

static void take_record(const struct rcr_record *r)
{
	uint64_t time = r->time + offset;

	if (r->item.cpu >= MAX_CPUS)
		return;
	if (open_tick && time > open_tick)
		print_tick();
	if (!due)
		due = (time + grid - 1) / grid * grid;
	if (time >= due)
		open_tick = time;
	latest[r->item.cpu] = r;
}

int main(int argc, char **argv)
{
	int fd = argc == 3 ? open(argv[1], O_RDONLY) : -1;
	const struct rcr_item *item;
	const char *at, *end;
	struct stat st;

	if (fd < 0 || fstat(fd, &st)) {
		if (argc == 3)
			perror(argv[1]);
		else
			fprintf(stderr, "usage: gridsums RECORDING GRID_MS\n");
		return 1;
	}
	grid = strtoull(argv[2], NULL, 10) * 1000000;
	at = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (at == MAP_FAILED)
		return 1;
	end = at + st.st_size;
	for (; at + sizeof(*item) <= end; at += item->size) {
		item = (const void *)at;
		if (at + item->size > end)
			break;
		if (item->type == RCR_ITEM_SET) {
			set = (const void *)item;
			offset = set->clock_realtime - set->clock_monotonic;
			memset(latest, 0, sizeof(latest));
			due = 0;
			open_tick = 0;
		} else if (item->type == RCR_ITEM_SAMPLE) {
			take_record((const void *)item);
		}
	}
	return 0;
}
