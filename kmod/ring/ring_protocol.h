/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ring_protocol.h - lock-free ring with one writer and any number of readers.
 *
 * Implements the protocol of <linux/rcrtool.h> only; ring.c allocates rings, and the sampler
 * fills in records. Has no kernel state, so the unit tests run the same code in threads.
 */
#ifndef RCR_RING_PROTOCOL_H
#define RCR_RING_PROTOCOL_H

#include <linux/compiler.h>
#include <linux/rcrtool.h>
#include <asm/barrier.h>

/* The unit test interrupts a reader here, in the middle of its copy. */
#ifndef RCR_RING_COPY_HOOK
#define RCR_RING_COPY_HOOK(word) do { } while (0)
#endif

enum rcr_ring_answer {
	RCR_RING_RECORD,		/* the copy is complete */
	RCR_RING_EMPTY,			/* not written yet */
	RCR_RING_LOST,			/* overwritten; the oldest record has a higher position */
};

static inline void *rcr_ring_slot(const struct rcr_ring *r, __u64 position)
{
	return (char *)r + r->data_offset +
	       (position & (r->capacity - 1)) * r->record_size;
}

/**
 * rcr_ring_begin() - reserve the next slot for a record
 * @r: the ring; the caller is its only writer
 *
 * The caller writes the record, each word with WRITE_ONCE(), and then calls
 * rcr_ring_commit().
 *
 * Context: any, also hard interrupt; not reentrant.
 * Return: the slot; its position is r->head.
 */
static inline struct rcr_record *rcr_ring_begin(struct rcr_ring *r)
{
	__u64 position = r->head;

	WRITE_ONCE(r->reserved, position + 1);
	smp_wmb();	/* (A) pairs with the smp_rmb() of rcr_ring_read() */
	return (struct rcr_record *)rcr_ring_slot(r, position);
}

/* Publish the record of the latest rcr_ring_begin(). */
static inline void rcr_ring_commit(struct rcr_ring *r)
{
	/* (B) pairs with the load-acquire of rcr_ring_head() */
	smp_store_release(&r->head, r->head + 1);
}

/* Position after the newest record that can be read. */
static inline __u64 rcr_ring_head(const struct rcr_ring *r)
{
	return smp_load_acquire(&r->head);	/* (B) pairs with rcr_ring_commit() */
}

/* Position of the oldest record that is not being overwritten. */
static inline __u64 rcr_ring_oldest(const struct rcr_ring *r)
{
	__u64 reserved = READ_ONCE(r->reserved);

	return reserved > r->capacity ? reserved - r->capacity : 0;
}

/**
 * rcr_ring_read() - copy one record of a ring that is being written
 * @r: the ring
 * @position: position of the record
 * @copy: output buffer of r->record_size bytes
 *
 * Context: any; neither waits nor retries.
 * Return: RCR_RING_RECORD and the record in @copy; otherwise @copy is not valid.
 */
static inline enum rcr_ring_answer
rcr_ring_read(const struct rcr_ring *r, __u64 position, __u64 *copy)
{
	const __u64 *slot = (const __u64 *)rcr_ring_slot(r, position);
	__u32 words = r->record_size / sizeof(*copy), i;

	if (position >= rcr_ring_head(r))
		return RCR_RING_EMPTY;
	for (i = 0; i < words; i++) {
		RCR_RING_COPY_HOOK(i);
		copy[i] = READ_ONCE(slot[i]);
	}
	smp_rmb();	/* (A) pairs with the smp_wmb() of rcr_ring_begin() */
	return position < rcr_ring_oldest(r) ? RCR_RING_LOST : RCR_RING_RECORD;
}

/* Time of a record, or of a later one if it has been overwritten. */
static inline __u64 rcr_ring_time(const struct rcr_ring *r, __u64 position)
{
	const struct rcr_record *record = (const void *)rcr_ring_slot(r, position);

	return READ_ONCE(record->time);
}

/**
 * rcr_ring_promise() - set the lower bound of the next record's time
 * @r: the ring; the caller is its only writer
 * @time: no record with an earlier time will follow, CLOCK_MONOTONIC in ns; or RCR_RING_NEVER
 */
static inline void rcr_ring_promise(struct rcr_ring *r, __u64 time)
{
	/* (C) pairs with rcr_ring_next() */
	smp_store_release(&r->next, time);
}

/**
 * rcr_ring_next() - lower bound of the next record's time
 * @r: the ring
 *
 * Call this before rcr_ring_head(): no record at or after that head has an earlier time.
 *
 * Context: any.
 * Return: CLOCK_MONOTONIC, ns; RCR_RING_NEVER while the CPU is not sampled.
 */
static inline __u64 rcr_ring_next(const struct rcr_ring *r)
{
	return smp_load_acquire(&r->next);	/* (C) pairs with rcr_ring_promise() */
}

#endif
