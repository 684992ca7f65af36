// SPDX-License-Identifier: GPL-2.0-only
/*
 * recording.c CPUS COUNTERS TICKS - writes a stream as /dev/rcrtool would have given
 * it, of a machine that is not here.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/rcrtool.h>

#include "recording.h"

#define ROUND8(n) (((n) + 7) / 8 * 8)

static unsigned int cpus, counters;

static uint32_t record_size(void)
{
	return sizeof(struct rcr_record) + 8 * counters + ROUND8(counters);
}

static void put(const void *item, size_t size)
{
	if (fwrite(item, 1, size, stdout) != size)
		err(1, "output");
}

static void put_set(void)
{
	size_t counter_bytes = counters * sizeof(struct rcr_counter);
	size_t size = sizeof(struct rcr_set) + counter_bytes + (cpus + 63) / 64 * 8;
	struct rcr_set *set = calloc(1, size);
	struct rcr_counter *c = (void *)(set + 1);
	uint64_t *mask = (void *)(c + counters);
	unsigned int i;

	if (!set)
		err(1, "memory");
	set->item = (struct rcr_item){ size, RCR_ITEM_SET, 0, ~0u, 1 };
	set->version = RCR_ABI_VERSION;
	set->compat_version = RCR_ABI_COMPAT_VERSION;
	set->ncounters = counters;
	set->ncpus = cpus;
	set->record_size = record_size();
	set->ring_records = 1024;
	set->tsc_khz = TSC_KHZ;
	set->period_ns = PERIOD_NS;
	set->clock_monotonic = MONOTONIC;
	set->clock_realtime = REALTIME;
	strcpy(set->source, "msr");
	strcpy(set->family, "recorded");
	set->counter_offset = sizeof(*set);
	set->cpus_offset = sizeof(*set) + counter_bytes;
	for (i = 0; i < counters; i++) {
		snprintf(c[i].name, sizeof(c[i].name), "COUNTER_%u", i);
		c[i].width = 48;
	}
	for (i = 0; i < cpus; i++)
		mask[i / 64] |= 1ull << (i % 64);
	put(set, size);
	free(set);
}

static void put_sample(struct rcr_record *r, unsigned int cpu, uint64_t tick)
{
	unsigned int i;

	r->item = (struct rcr_item){ record_size(), RCR_ITEM_SAMPLE, 0, cpu, 1 };
	r->position = tick;
	r->tick = tick;
	r->time = MONOTONIC + tick * PERIOD_NS;
	r->tsc = r->time / 1000 * (TSC_KHZ / 1000);
	r->tsc_end = r->tsc + 2000;
	for (i = 0; i < counters; i++)
		r->value[i] = total_of(cpu, i, tick);
	memset(&r->value[counters], RCR_STATUS_OK, counters);
	put(r, record_size());
}

int main(int argc, char **argv)
{
	struct rcr_record *r;
	uint64_t tick, ticks;
	unsigned int cpu;

	if (argc != 4)
		errx(1, "CPUS COUNTERS TICKS");
	cpus = atoi(argv[1]);
	counters = atoi(argv[2]);
	ticks = strtoull(argv[3], NULL, 10);
	if (!cpus || !counters || counters > RCR_MAX_COUNTERS || !ticks)
		errx(1, "at least one of each, and up to %u counters", RCR_MAX_COUNTERS);
	r = calloc(1, record_size());
	if (!r)
		err(1, "memory");
	put_set();
	for (tick = 0; tick < ticks; tick++)
		for (cpu = 0; cpu < cpus; cpu++)
			put_sample(r, cpu, tick);
	free(r);
	if (fclose(stdout))
		err(1, "output");
	return 0;
}
