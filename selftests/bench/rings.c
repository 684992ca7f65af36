// SPDX-License-Identifier: GPL-2.0-only
/*
 * rings.c - makes recorded rings of any number of CPUs, with a sample of each CPU every
 * millisecond, written with the module's protocol.
 *
 * The rings are the same in each run: counts and intervals of reads are pseudo-random numbers from
 * a fixed seed, as large as on a core at 3 GHz.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "ring/ring_protocol.h"
#include "rings.h"

#define PAGE 4096u
#define PERIOD_NS 1000000u
#define TSC_KHZ 3000000u
#define FIRST_TICK 5000u

static uint64_t random_number(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static uint32_t round_up(uint32_t n, uint32_t to)
{
	return (n + to - 1) / to * to;
}

/* Computed as in kmod/ring/ring.c for a set without slow counters. */
static uint32_t record_size(unsigned int counters)
{
	uint32_t size = sizeof(struct rcr_record) + 8 * counters + round_up(counters, 8);
	uint32_t least = sizeof(struct rcr_record) + 3 * 8;

	return size > least ? size : least;
}

static uint32_t slots_for(unsigned int records)
{
	uint32_t slots = 1;

	while (slots < records)
		slots *= 2;
	return slots;
}

static void name_counters(struct rcr_set *set)
{
	struct rcr_counter *c = (void *)((char *)set + set->counter_offset);
	unsigned int i;

	for (i = 0; i < set->ncounters; i++) {
		snprintf(c[i].name, sizeof(c[i].name), "EVENT_%u", i);
		c[i].select = 0x430000 + i;
		c[i].width = 48;
	}
}

static struct rcr_set *make_set(unsigned int cpus, unsigned int counters,
				unsigned int records)
{
	uint32_t cpus_offset = sizeof(struct rcr_set) + counters * sizeof(struct rcr_counter);
	uint32_t size = cpus_offset + (cpus + 63) / 64 * 8, slots = slots_for(records), i;
	struct rcr_set *set = calloc(1, size);

	if (!set)
		return NULL;
	*set = (struct rcr_set){
		.item = { size, RCR_ITEM_SET, 0, ~0u, 1 },
		.version = RCR_ABI_VERSION, .compat_version = RCR_ABI_COMPAT_VERSION,
		.ncounters = counters, .ncpus = cpus,
		.record_size = record_size(counters), .ring_records = slots,
		.tsc_khz = TSC_KHZ, .period_ns = PERIOD_NS,
		.ring_bytes = PAGE + round_up(slots * record_size(counters), PAGE),
		.clock_monotonic = (uint64_t)FIRST_TICK * PERIOD_NS,
		.clock_realtime = 1700000000000000000ull,
		.source = "msr", .family = "recorded",
		.counter_offset = sizeof(struct rcr_set),
		.counter_size = sizeof(struct rcr_counter), .cpus_offset = cpus_offset,
		.value_offset = sizeof(struct rcr_record), .value_size = 8,
		.status_offset = sizeof(struct rcr_record) + 8 * counters, .status_size = 1,
	};
	name_counters(set);
	for (i = 0; i < cpus; i++)
		((uint64_t *)((char *)set + cpus_offset))[i / 64] |= 1ull << (i % 64);
	return set;
}

static void begin_ring(const struct rings *r, unsigned int cpu)
{
	*rings_of(r, cpu) = (struct rcr_ring){
		.magic = RCR_RING_MAGIC,
		.version = RCR_ABI_VERSION, .compat_version = RCR_ABI_COMPAT_VERSION,
		.data_offset = PAGE, .record_size = r->set->record_size,
		.capacity = r->set->ring_records, .cpu = cpu, .generation = 1,
	};
}

/* Return: count in a millisecond, from millions for the first counter to a few for the last. */
static uint64_t random_count(unsigned int counter, uint64_t *random)
{
	return random_number(random) % (12000000u >> counter);
}

static void write_sample(const struct rings *r, unsigned int cpu, unsigned int tick,
			 uint64_t total[RCR_MAX_COUNTERS], uint64_t *random)
{
	struct rcr_ring *ring = rings_of(r, cpu);
	struct rcr_record *sample = rcr_ring_begin(ring);
	unsigned int i, n = r->set->ncounters;

	sample->item = (struct rcr_item){
		r->set->record_size, RCR_ITEM_SAMPLE, 0, cpu, 1,
	};
	sample->position = ring->head;
	sample->tick = FIRST_TICK + tick;
	sample->time = sample->tick * PERIOD_NS;
	sample->late = 2000 + random_number(random) % 3000;
	sample->tsc = (sample->time + sample->late) * 3;
	sample->tsc_end = sample->tsc + 900 + random_number(random) % 200;
	sample->tgid = 1000 + cpu;
	for (i = 0; i < n; i++)
		sample->value[i] = total[i] += random_count(i, random);
	memset(&sample->value[n], RCR_STATUS_OK, n);
	rcr_ring_commit(ring);
}

static void write_ring(const struct rings *r, unsigned int cpu)
{
	uint64_t total[RCR_MAX_COUNTERS] = { }, random = 88172645463325252ull + cpu;
	unsigned int tick;

	begin_ring(r, cpu);
	for (tick = 0; tick < r->records; tick++)
		write_sample(r, cpu, tick, total, &random);
}

/**
 * rings_make() - make the rings of @cpus CPUs
 * @cpus: number of CPUs, at least 1
 * @counters: number of counters, 1 to 22; further ones would count nothing
 * @records: number of records in each ring, one per millisecond; none is overwritten
 *
 * Return: the rings; NULL if out of memory.
 */
struct rings *rings_make(unsigned int cpus, unsigned int counters, unsigned int records)
{
	struct rings *r = calloc(1, sizeof(*r));
	unsigned int cpu;

	if (!r)
		return NULL;
	*r = (struct rings){ .cpus = cpus, .records = records };
	r->set = make_set(cpus, counters, records);
	r->memory = r->set ? mmap(NULL, cpus * r->set->ring_bytes, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : MAP_FAILED;
	if (r->memory == MAP_FAILED) {
		free(r->set);
		free(r);
		return NULL;
	}
	for (cpu = 0; cpu < cpus; cpu++)
		write_ring(r, cpu);
	return r;
}

void rings_free(struct rings *r)
{
	munmap(r->memory, r->cpus * r->set->ring_bytes);
	free(r->set);
	free(r);
}

struct rcr_ring *rings_of(const struct rings *r, unsigned int cpu)
{
	return (struct rcr_ring *)(r->memory + cpu * r->set->ring_bytes);
}
