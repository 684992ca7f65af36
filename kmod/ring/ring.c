// SPDX-License-Identifier: GPL-2.0-only
/*
 * ring.c - memory of the per-CPU rings, and wake-up of their readers.
 */
#include <linux/atomic.h>
#include <linux/hrtimer.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/poll.h>
#include <linux/topology.h>
#include <linux/vmalloc.h>

#include "compat/compat.h"
#include "ring.h"
#include "scale.h"

/* Incremented when a CPU is sampled again: readers that skipped it include it again. */
atomic_t rcr_ring_returns;

struct rcr_ring_readers rcr_ring_readers = {
	.waitqueue = __WAIT_QUEUE_HEAD_INITIALIZER(rcr_ring_readers.waitqueue),
};

/* Readers of marks and sets only wait here: a record does not wake them. */
DECLARE_WAIT_QUEUE_HEAD(rcr_mark_waitqueue);

/*
 * Timer that wakes readers. The first record after a wake-up starts it, so one wake-up covers
 * the records of all CPUs until then, and its rate does not depend on the number of CPUs.
 */
static struct hrtimer wake_timer;
static atomic_t wake_pending;

/* Records other than samples carry up to this many values. */
#define MIN_VALUES 3

/* Offset of the slow counters' time in a record, after the statuses. */
u32 rcr_ring_slow_offset(unsigned int counters)
{
	return sizeof(struct rcr_record) + counters * sizeof(u64) +
	       ALIGN(counters, sizeof(u64));
}

/**
 * rcr_ring_record_size() - size of a record in bytes
 * @counters: number of counters
 * @slow: some of them are slow
 */
u32 rcr_ring_record_size(unsigned int counters, bool slow)
{
	u32 size = rcr_ring_slow_offset(counters) +
		   (slow ? sizeof(struct rcr_slow) : 0);

	return max_t(u32, size, sizeof(struct rcr_record) + MIN_VALUES * sizeof(u64));
}

/* Size of a CPU's ring in bytes, including its header. */
size_t rcr_ring_bytes(u32 capacity, u32 record_size)
{
	return PAGE_SIZE + PAGE_ALIGN((size_t)capacity * record_size);
}

static enum hrtimer_restart wake_readers(struct hrtimer *timer)
{
	atomic_set(&wake_pending, 0);
	/*
	 * Pairs with rcr_ring_wake() in ring.h: the record of a tick that still reads
	 * wake_pending as 1 is visible to the readers woken here.
	 */
	smp_mb();
	wake_up_interruptible_poll(&rcr_ring_readers.waitqueue, EPOLLIN | EPOLLRDNORM);
	return HRTIMER_NORESTART;
}

/* Initialize the timer that wakes readers. Called before the first tick. */
void rcr_ring_init(void)
{
	rcr_hrtimer_setup(&wake_timer, wake_readers, CLOCK_MONOTONIC,
			  HRTIMER_MODE_ABS_PINNED_SOFT);
}

/* Stop the timer that wakes readers. Called after the last tick; may sleep. */
void rcr_ring_exit(void)
{
	hrtimer_cancel(&wake_timer);
}

static struct rcr_ring *alloc_ring(int cpu, u32 generation, u32 capacity, u32 record_size)
{
	struct rcr_ring *r = vzalloc_node(rcr_ring_bytes(capacity, record_size),
					  cpu_to_node(cpu));

	if (!r)
		return NULL;
	r->magic = RCR_RING_MAGIC;
	r->version = RCR_ABI_VERSION;
	r->compat_version = RCR_ABI_COMPAT_VERSION;
	r->size = sizeof(*r);
	r->data_offset = PAGE_SIZE;
	r->record_size = record_size;
	r->capacity = capacity;
	r->cpu = cpu;
	r->generation = generation;
	r->next = RCR_RING_NEVER;
	return r;
}

/**
 * rcr_ring_alloc() - allocate a CPU's ring and its mark rings
 * @m: filled in; memory of the CPU's node if possible
 * @cpu: the CPU that writes them
 * @generation: generation of the set
 * @capacity: slots of the ring, a power of two
 * @record_size: bytes of a slot
 *
 * Context: may sleep.
 * Return: 0, or -ENOMEM; a partial allocation is freed by rcr_ring_free().
 */
int rcr_ring_alloc(struct rcr_ring_memory *m, int cpu, u32 generation, u32 capacity,
		   u32 record_size)
{
	m->ring = alloc_ring(cpu, generation, capacity, record_size);
	m->marks = vzalloc_node(rcr_scale_bytes(record_size), cpu_to_node(cpu));
	if (!m->ring || !m->marks)
		return -ENOMEM;
	rcr_scale_init(m->marks, cpu, generation, record_size);
	return 0;
}

/**
 * rcr_ring_alloc_places() - allocate a CPU's ring of places if it has none
 * @m: rings of the CPU
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int rcr_ring_alloc_places(struct rcr_ring_memory *m)
{
	struct rcr_ring *r;

	if (READ_ONCE(m->places))
		return 0;
	r = alloc_ring(m->ring->cpu, m->ring->generation, m->ring->capacity,
		       sizeof(struct rcr_place));
	if (!r)
		return -ENOMEM;
	/* Sample 0 has no place either, until one is written. */
	((struct rcr_place *)rcr_ring_slot(r, 0))->position = ~0ull;
	/* Full barrier: the ring is initialized before its pointer is visible. */
	if (cmpxchg(&m->places, NULL, r))
		vfree(r);
	return 0;
}

/**
 * rcr_ring_mmap() - map rings into a process
 * @rings: memory of struct rcr_ring_memory
 * @vma: area of the same size
 *
 * The mapping keeps the pages after the rings are freed.
 *
 * Context: may sleep; the caller's mmap lock is held.
 * Return: 0 or -ENOMEM.
 */
int rcr_ring_mmap(void *rings, struct vm_area_struct *vma)
{
	unsigned long offset;
	int err = 0;

	rcr_vm_flags_set(vma, VM_DONTEXPAND | VM_DONTDUMP);
	for (offset = 0; offset < vma->vm_end - vma->vm_start && !err; offset += PAGE_SIZE)
		err = vm_insert_page(vma, vma->vm_start + offset,
				     vmalloc_to_page(rings + offset));
	return err;
}

/* Free the rings of a CPU, which no reader or writer uses any more. May sleep. */
void rcr_ring_free(struct rcr_ring_memory *m)
{
	vfree(m->ring);
	vfree(m->marks);
	vfree(m->places);
	memset(m, 0, sizeof(*m));
}

/*
 * The interval begins at the grid point: if the period divides it, the timer expires together
 * with a later tick, without an interrupt of its own. After a very late tick it begins later.
 */
static u64 wake_time(u64 due, u64 now)
{
	return max(due, now - RCR_WAKE_SLACK_NS) + RCR_WAKE_INTERVAL_NS;
}

/* Waking takes locks that sleep on PREEMPT_RT, so the timer is a soft one. */
void rcr_ring_set_wake(u64 due, u64 now)
{
	if (atomic_read(&wake_pending) || atomic_xchg(&wake_pending, 1))
		return;
	hrtimer_start(&wake_timer, ns_to_ktime(wake_time(due, now)),
		      HRTIMER_MODE_ABS_PINNED_SOFT);
}

/* Wake all readers now, for a mark or a new set. Context: not a tick. */
void rcr_ring_wake_all(void)
{
	wake_up_interruptible_all(&rcr_ring_readers.waitqueue);
	wake_up_interruptible_all(&rcr_mark_waitqueue);
}
