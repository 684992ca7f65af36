/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * order.h - whose record a reader of all rings takes next.
 */
#ifndef RCR_ORDER_H
#define RCR_ORDER_H

#include <linux/cpumask.h>
#include <linux/types.h>
#include "merge.h"

struct rcr_stream;

/**
 * struct rcr_order - whose record comes next, as far as the reader has looked
 * @merge: by CPU: the time of its next record, or a time before which it has none;
 *	RCR_MERGE_NONE for one that is not followed, or is silent. Place n is CPU n
 * @ready: those whose record it is
 * @silent: those that were not sampled, and had none
 * @returns: rcr_ring_returns when these were looked at
 */
struct rcr_order {
	struct rcr_merge merge;
	struct cpumask ready;
	struct cpumask silent;
	int returns;
};

/**
 * struct rcr_next - what a reader sees when it looks over the rings
 * @next: the CPU with the oldest record, or -1: there is none, or an older one may come
 * @silent: a silent CPU of which the reader is to be told before that, or -1
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
