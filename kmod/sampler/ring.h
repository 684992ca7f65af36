/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ring.h - the per-CPU rings: memory, and who waits for records.
 */
#ifndef RCR_RING_H
#define RCR_RING_H

#include <linux/percpu-defs.h>
#include <linux/wait.h>
#include "ring_protocol.h"

/* Readers are woken so long after the first record that they have not been told of. */
#define RCR_WAKE_INTERVAL_NS	10000000ull

/* A wake-up is no earlier than that much less after the one before. */
#define RCR_WAKE_SLACK_NS	1000000ull

/**
 * struct rcr_ring_writer - what the readers of a CPU's rings may know of their writer
 * @running: its timer runs: the CPU is sampled now
 * @stride: ticks from one sample to the next, 1 or more
 * @spent: TSC cycles that its ticks have taken since load
 *
 * One for each CPU and the rings of all its runs. Only sampler.c writes it, on that CPU
 * with interrupts off; readers take no lock. Each member is written by WRITE_ONCE(), which
 * pairs with the READ_ONCE() in run.c and meter/engine.c. Nothing orders the members, or
 * a member and a record: a ring whose writer does not run may have got one more record
 * since it was read.
 */
struct rcr_ring_writer {
	bool running;
	u32 stride;
	u64 spent;
};

/**
 * struct rcr_ring_memory - a CPU's ring, as its readers have it
 * @ring: header and slots
 * @writer: the CPU's sampler
 */
struct rcr_ring_memory {
	struct rcr_ring *ring;
	const struct rcr_ring_writer *writer;
};

DECLARE_PER_CPU(struct rcr_ring_writer, rcr_ring_writer);

extern wait_queue_head_t rcr_ring_waitqueue;
extern wait_queue_head_t rcr_mark_waitqueue;

u32 rcr_ring_slow_offset(unsigned int counters);
u32 rcr_ring_record_size(unsigned int counters, bool slow);
size_t rcr_ring_bytes(u32 capacity, u32 record_size);
int rcr_ring_alloc(struct rcr_ring_memory *m, int cpu, u32 capacity,
		   u32 record_size);
void rcr_ring_free(struct rcr_ring_memory *m);
void rcr_ring_init(void);
void rcr_ring_exit(void);
void rcr_ring_wake(u64 due, u64 now);
void rcr_ring_wake_all(void);

#endif
