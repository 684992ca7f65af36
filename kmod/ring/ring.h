/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ring.h - per-CPU rings: memory and wait queues.
 */
#ifndef RCR_RING_H
#define RCR_RING_H

#include <linux/atomic.h>
#include <linux/wait.h>
#include "ring_protocol.h"

/* Readers are woken this long after the first record since their last wake-up. */
#define RCR_WAKE_INTERVAL_NS	10000000ull

/* Two wake-ups may be this much closer to each other than the interval. */
#define RCR_WAKE_SLACK_NS	1000000ull

/**
 * struct rcr_ring_memory - the rings of a CPU
 * @ring: header and slots
 * @marks: mark rings, see scale.h
 * @places: ring of places; NULL until it is mapped for the first time. Freed with the others,
 *	not with its last reader: a tick may write to it as long as to @ring
 */
struct rcr_ring_memory {
	struct rcr_ring *ring;
	void *marks;
	struct rcr_ring *places;
};

/**
 * struct rcr_ring_readers - state of all readers that each tick checks
 * @waitqueue: readers of records wait here
 * @places: number of descriptors that ask for places
 */
struct rcr_ring_readers {
	wait_queue_head_t waitqueue;
	atomic_long_t places;
} ____cacheline_aligned;

struct vm_area_struct;

extern struct rcr_ring_readers rcr_ring_readers;
extern wait_queue_head_t rcr_mark_waitqueue;

extern atomic_t rcr_ring_returns;

u32 rcr_ring_slow_offset(unsigned int counters);
u32 rcr_ring_record_size(unsigned int counters, bool slow);
size_t rcr_ring_bytes(u32 capacity, u32 record_size);
int rcr_ring_alloc(struct rcr_ring_memory *m, int cpu, u32 generation, u32 capacity,
		   u32 record_size);
int rcr_ring_alloc_places(struct rcr_ring_memory *m);
int rcr_ring_mmap(void *rings, struct vm_area_struct *vma);
void rcr_ring_free(struct rcr_ring_memory *m);
void rcr_ring_init(void);
void rcr_ring_exit(void);
void rcr_ring_set_wake(u64 due, u64 now);
void rcr_ring_wake_all(void);

/* True if an open descriptor asks for places. Context: any. */
static inline bool rcr_ring_is_asked(void)
{
	/*
	 * READ_ONCE() would cost each tick an instruction. A tick that misses a change is no worse
	 * than one that ran just before it.
	 */
	return data_race(rcr_ring_readers.places.counter);
}

/**
 * rcr_ring_wake() - wake waiting readers for a new record
 * @due: time of the record's grid point, CLOCK_MONOTONIC in ns
 * @now: CLOCK_MONOTONIC, ns
 *
 * Context: hard interrupt. Without readers it costs a load.
 */
static inline void rcr_ring_wake(u64 due, u64 now)
{
	/*
	 * Full barrier inside: pairs with that of prepare_to_wait(), and with that of
	 * wake_readers() in ring.c.
	 */
	if (unlikely(wq_has_sleeper(&rcr_ring_readers.waitqueue)))
		rcr_ring_set_wake(due, now);
}

#endif
