/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * order.h - time order of the records of all rings.
 */
#ifndef RCR_ORDER_H
#define RCR_ORDER_H

#include <linux/cpumask.h>
#include <linux/types.h>
#include "merge.h"

struct rcr_stream;

/**
 * struct rcr_order - a reader's view of the rings; under rcr_stream.lock
 * @merge: by CPU: time of its next record, or a time before which it will write none;
 *	RCR_MERGE_NONE for a CPU that is not read, or silent. Place n is CPU n
 * @ready: CPUs whose time in @merge is that of a record
 * @silent: CPUs that were not sampled, and had no record left
 * @returns: value of rcr_ring_returns when @silent was last checked
 */
struct rcr_order {
	struct rcr_merge merge;
	struct cpumask ready;
	struct cpumask silent;
	int returns;
};

/**
 * struct rcr_next - the item that is next in time order
 * @next: the CPU with the oldest record; -1: no record, or an older one may still be written
 * @silent: a silent CPU whose RCR_ITEM_GAP must be delivered first, or -1
 * @oldest: time of @next's record, or of the oldest that may be written, ns; U64_MAX: none
 */
struct rcr_next {
	int next;
	int silent;
	u64 oldest;
};

int rcr_order_alloc(struct rcr_order *o);
void rcr_order_free(struct rcr_order *o);
void rcr_order_reset(struct rcr_stream *s);
void rcr_order_next(struct rcr_stream *s, struct rcr_next *l);
void rcr_order_update(struct rcr_stream *s, int cpu);

#endif
