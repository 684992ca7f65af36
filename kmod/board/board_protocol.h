/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * board_protocol.h - one writer, many readers of an entry of the blackboard.
 *
 * The protocol of <linux/rcrboard.h>, and nothing else: that of a
 * ring with two slots. Pure: the unit tests run the same lines with threads.
 */
#ifndef RCR_BOARD_PROTOCOL_H
#define RCR_BOARD_PROTOCOL_H

#include <linux/compiler.h>
#include <linux/rcrboard.h>
#include <asm/barrier.h>

/**
 * rcr_board_begin() - takes the slot for the next version of an entry's values
 * @e: the entry; the caller is its only writer
 *
 * The caller writes the slot, each word with WRITE_ONCE(), and then calls
 * rcr_board_commit(); rcr_board_store() does all of it.
 *
 * Context: any; must not be interrupted by itself.
 * Return: the slot.
 */
static inline struct rcr_board_value *rcr_board_begin(struct rcr_board_entry *e)
{
	__u64 version = e->head + 1;

	WRITE_ONCE(e->reserved, version);
	smp_wmb();	/* (A) with the smp_rmb() of rcr_board_copy() */
	return &e->slot[version % 2];
}

/* Publish the values of the last rcr_board_begin(). */
static inline void rcr_board_commit(struct rcr_board_entry *e)
{
	/* (B) with the load-acquire of rcr_board_copy() */
	smp_store_release(&e->head, e->head + 1);
}

/* Write new values of an entry; the caller is its only writer. */
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
 * rcr_board_copy() - copies the latest values of an entry
 * @e: the entry, which may be written meanwhile
 * @copy: filled in
 *
 * Context: any; never waits, never retries.
 * Return: 1 with consistent values, 0 if there are none yet, -1 if the writer wrote twice
 * meanwhile.
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
	smp_rmb();	/* (A) with the smp_wmb() of rcr_board_begin() */
	return READ_ONCE(e->reserved) < head + 2 ? 1 : -1;
}

#endif
