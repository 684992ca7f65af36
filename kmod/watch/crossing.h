/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * crossing.h - crossings of a bound, and the queue of those to be read. Pure: the same file is
 * compiled into a unit test.
 */
#ifndef RCR_CROSSING_H
#define RCR_CROSSING_H

#include <linux/types.h>
#include <linux/rcrboard.h>

/**
 * struct rcr_crossing_state - position of a value relative to a bound
 * @since: time from which the value has been beyond the bound without interruption
 * @count: number of crossings so far
 * @beyond: the latest value was beyond the bound
 * @fired: it has crossed, and has not been back since
 *
 * Initially all 0: a value that is beyond the bound from the start crosses it.
 */
struct rcr_crossing_state {
	u64 since;
	u64 count;
	bool beyond;
	bool fired;
};

int rcr_crossing_check(const struct rcr_watch *w);
bool rcr_crossing_see(struct rcr_crossing_state *s, const struct rcr_watch *w,
		      s64 value, u64 time);
void rcr_crossing_absent(struct rcr_crossing_state *s);

/**
 * struct rcr_crossing_queue - the latest crossings
 * @written: number of crossings ever queued
 * @next: number of the next one to be read, from 0
 * @slot: crossing n is in slot n % RCR_CROSSINGS
 */
struct rcr_crossing_queue {
	u64 written;
	u64 next;
	struct rcr_crossing slot[RCR_CROSSINGS];
};

void rcr_crossing_push(struct rcr_crossing_queue *q, const struct rcr_crossing *c);
bool rcr_crossing_peek(const struct rcr_crossing_queue *q, struct rcr_crossing *c,
		       u64 *number);
void rcr_crossing_drop(struct rcr_crossing_queue *q, u64 number);

#endif
