/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rings.h - recorded rings, with records like those of the module.
 */
#ifndef BENCH_RINGS_H
#define BENCH_RINGS_H

#include <stddef.h>
#include <linux/rcrtool.h>

/**
 * struct rings - the rings of all CPUs, and the set that their records belong to
 * @cpus: number of rings
 * @records: number of records in each
 * @set: the set, as an item of the stream
 * @memory: the rings, each of @set->ring_bytes, contiguous
 */
struct rings {
	unsigned int cpus;
	unsigned int records;
	struct rcr_set *set;
	char *memory;
};

struct rings *rings_make(unsigned int cpus, unsigned int counters, unsigned int records);
void rings_free(struct rings *r);
struct rcr_ring *rings_of(const struct rings *r, unsigned int cpu);

#endif
