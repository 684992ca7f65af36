/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * board_protocol.h - one writer and many readers of a blackboard entry.
 *
 * Implements the protocol of <linux/rcrboard.h>: a ring with two slots. Has no kernel state, so
 * the unit tests run the same code in threads.
 */
#ifndef RCR_BOARD_PROTOCOL_H
#define RCR_BOARD_PROTOCOL_H

#include <linux/compiler.h>
#include <linux/rcrboard.h>
#include <asm/barrier.h>

/**
 * rcr_board_begin() - reserve the slot for the next version of an entry's values
 * @e: the entry; the caller is its only writer
 *
 * The caller writes the slot, each word with WRITE_ONCE(), and then calls
 * rcr_board_commit(). rcr_board_store() does all of this.
 *
 * Context: any, but not reentrant for the same entry.
 * Return: the slot.
 */
static inline struct rcr_board_value *rcr_board_begin(struct rcr_board_entry *e)
{
	__u64 version = e->head + 1;

	WRITE_ONCE(e->reserved, version);
	smp_wmb();	/* (A) pairs with the smp_rmb() of rcr_board_copy() */
	return &e->slot[version % 2];
}

/* Publish the slot that rcr_board_begin() returned. */
static inline void rcr_board_commit(struct rcr_board_entry *e)
{
	/* (B) pairs with the smp_load_acquire() of rcr_board_copy() */
	smp_store_release(&e->head, e->head + 1);
}

/* Write and publish new values of an entry; the caller is its only writer. */
static inline void rcr_board_store(struct rcr_board_entry *e,
				   const struct rcr_board_value *v)
{
	__u64 *to = (__u64 *)rcr_board_begin(e);
	const __u64 *from = (const __u64 *)v;
	unsigned int i;

	for (i = 0; i < sizeof(*v) / sizeof(*to); i++)
		WRITE_ONCE(to[i], from[i]);
	rcr_board_commit(e);
}

/**
 * rcr_board_copy() - copy the latest values of an entry
 * @e: the entry, which may be written concurrently
 * @copy: output buffer
 *
 * Context: any; neither waits nor retries.
 * Return: 1 if @copy is consistent; 0 if the entry has no values yet; -1 if the writer began
 * two more versions meanwhile.
 */
static inline int rcr_board_copy(const struct rcr_board_entry *e,
				 struct rcr_board_value *copy)
{
	__u64 head = smp_load_acquire(&e->head);	/* (B) */
	const __u64 *from = (const __u64 *)&e->slot[head % 2];
	__u64 *to = (__u64 *)copy;
	unsigned int i;

	if (!head)
		return 0;
	for (i = 0; i < sizeof(*copy) / sizeof(*to); i++)
		to[i] = READ_ONCE(from[i]);
	smp_rmb();	/* (A) pairs with the smp_wmb() of rcr_board_begin() */
	return READ_ONCE(e->reserved) < head + 2 ? 1 : -1;
}

#endif
