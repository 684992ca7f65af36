// SPDX-License-Identifier: GPL-2.0-only
/*
 * ring.c - memory of the per-CPU rings, and waking those who wait for them.
 */
#include <linux/mm.h>
#include <linux/poll.h>
#include <linux/vmalloc.h>

#include "ring.h"

/* Readers of any CPU's records wait here. */
DECLARE_WAIT_QUEUE_HEAD(rcr_ring_waitqueue);

/* Other records than samples carry up to this many values. */
#define MIN_VALUES 3

/* Where the slow counters' time stands in a record, behind the statuses. */
u32 rcr_ring_slow_offset(unsigned int counters)
{
	return sizeof(struct rcr_record) + counters * sizeof(u64) +
	       ALIGN(counters, sizeof(u64));
}

/**
 * rcr_ring_record_size() - bytes of a record
 * @counters: of one CPU
 * @slow: some of them are read outside of the tick
 */
u32 rcr_ring_record_size(unsigned int counters, bool slow)
{
	u32 size = rcr_ring_slow_offset(counters) +
		   (slow ? sizeof(struct rcr_slow) : 0);

	return max_t(u32, size, sizeof(struct rcr_record) + MIN_VALUES * sizeof(u64));
}

/* Bytes of a CPU's ring, header included. */
size_t rcr_ring_bytes(u32 capacity, u32 record_size)
{
	return PAGE_SIZE + PAGE_ALIGN((size_t)capacity * record_size);
}

static void wake_readers(struct irq_work *work)
{
	wake_up_interruptible_poll(&rcr_ring_waitqueue, EPOLLIN | EPOLLRDNORM);
}

/**
 * rcr_ring_alloc() - makes a CPU's ring
 * @m: gets it
 * @cpu: who will write it
 * @capacity: slots, a power of two
 * @record_size: bytes of a slot
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int rcr_ring_alloc(struct rcr_ring_memory *m, int cpu, u32 capacity,
		   u32 record_size)
{
	struct rcr_ring *r = vmalloc_user(rcr_ring_bytes(capacity, record_size));

	if (!r)
		return -ENOMEM;
	r->magic = RCR_RING_MAGIC;
	r->version = RCR_ABI_VERSION;
	r->compat_version = RCR_ABI_COMPAT_VERSION;
	r->data_offset = PAGE_SIZE;
	r->record_size = record_size;
	r->capacity = capacity;
	r->cpu = cpu;
	m->ring = r;
	init_irq_work(&m->wake, wake_readers);
	return 0;
}

/* Nobody reads or writes it any more. May sleep. */
void rcr_ring_free(struct rcr_ring_memory *m)
{
	if (!m->ring)
		return;
	irq_work_sync(&m->wake);
	vfree(m->ring);
	m->ring = NULL;
}

/**
 * rcr_ring_wake() - tells waiting readers of a new record
 * @m: the ring that has it
 * @now: CLOCK_MONOTONIC, ns
 *
 * Context: hard interrupt. Without readers it costs a load; a wake-up itself
 * takes locks that sleep on PREEMPT_RT, so it goes through irq_work.
 */
void rcr_ring_wake(struct rcr_ring_memory *m, u64 now)
{
	/* Full barrier inside: pairs with the one of adding oneself to a queue. */
	if (!wq_has_sleeper(&rcr_ring_waitqueue))
		return;
	if (now - m->last_wake < RCR_WAKE_INTERVAL_NS)
		return;
	m->last_wake = now;
	irq_work_queue(&m->wake);
}
