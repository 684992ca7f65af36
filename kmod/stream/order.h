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
 * @merge: the CPUs that had a record when they were looked at; place n is CPU n
 * @waited: those that had none: looked at again before every record
 * @waits: how many these are
 * @gone: those that had none and were given up: looked at again once a read
 */
struct rcr_order {
	struct rcr_merge merge;
	struct cpumask waited;
	unsigned int waits;
	struct cpumask gone;
};

/**
 * struct rcr_next - what a reader sees when it looks over the rings
 * @next: the CPU with the oldest record, or -1
 * @silent: a CPU without one that is to be given up, or -1
 * @wait: a CPU without one has to be waited for
 * @oldest: time of @next's record, ns; U64_MAX without one
 */
struct rcr_next {
	int next;
	int silent;
	bool wait;
	u64 oldest;
};

int rcr_order_alloc(struct rcr_order *o);
void rcr_order_free(struct rcr_order *o);
void rcr_order_begin(struct rcr_stream *s);
void rcr_order_look_again(struct rcr_stream *s);
void rcr_order_look(struct rcr_stream *s, struct rcr_next *l);
void rcr_order_moved(struct rcr_stream *s, int cpu);
void rcr_order_give_up(struct rcr_stream *s, int cpu);
bool rcr_order_is_early(const struct rcr_stream *s);
void rcr_order_glance(const struct rcr_stream *s, struct rcr_next *l);

#endif
