/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * order.h - order of the records of all rings, for one reader.
 */
#ifndef RCR_ORDER_H
#define RCR_ORDER_H

#include <linux/cpumask.h>
#include <linux/types.h>
#include "merge.h"

struct rcr_stream;

/**
 * struct rcr_order - order of the next records, as far as the reader knows
 * @merge: by CPU: the time of its next record, or a time before which it writes none;
 *	RCR_MERGE_NONE for a CPU that is not followed, or is silent. Place n is CPU n
 * @ready: CPUs whose time in @merge is that of a record
 * @silent: CPUs that were not sampled and had no record
 * @returns: rcr_ring_returns when these were read
 */
struct rcr_order {
	struct rcr_merge merge;
	struct cpumask ready;
	struct cpumask silent;
	int returns;
};

/**
 * struct rcr_next - what a reader delivers next
 * @next: the CPU with the oldest record, or -1: there is none, or an older one may come
 * @silent: a silent CPU to be reported before that, or -1
 * @oldest: time of @next's record, or of the oldest that may come, ns; U64_MAX: none
 */
struct rcr_next {
	int next;
	int silent;
	u64 oldest;
};

int rcr_order_alloc(struct rcr_order *o);
void rcr_order_free(struct rcr_order *o);
void rcr_order_begin(struct rcr_stream *s);
void rcr_order_look(struct rcr_stream *s, struct rcr_next *l);
void rcr_order_moved(struct rcr_stream *s, int cpu);

#endif
