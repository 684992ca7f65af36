/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ring.h - the per-CPU rings: memory, and who waits for records.
 */
#ifndef RCR_RING_H
#define RCR_RING_H

#include <linux/irq_work.h>
#include <linux/wait.h>
#include "ring_protocol.h"

/* A tick wakes readers at most this often. */
#define RCR_WAKE_INTERVAL_NS	10000000ull

/**
 * struct rcr_ring_memory - a CPU's ring and its wake-up
 * @ring: header and slots
 * @wake: wakes the readers from a context where that may be done
 * @last_wake: CLOCK_MONOTONIC of the last wake-up, ns
 */
struct rcr_ring_memory {
	struct rcr_ring *ring;
	struct irq_work wake;
	u64 last_wake;
};

extern wait_queue_head_t rcr_ring_waitqueue;

u32 rcr_ring_slow_offset(unsigned int counters);
u32 rcr_ring_record_size(unsigned int counters, bool slow);
size_t rcr_ring_bytes(u32 capacity, u32 record_size);
int rcr_ring_alloc(struct rcr_ring_memory *m, int cpu, u32 capacity,
		   u32 record_size);
void rcr_ring_free(struct rcr_ring_memory *m);
void rcr_ring_wake(struct rcr_ring_memory *m, u64 now);

#endif
