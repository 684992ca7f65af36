/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * crossing.h - detection of crossings of a bound, and the queue of crossings that were not
 * read yet. Has no kernel state: also compiled into a unit test.
 */
#ifndef RCR_CROSSING_H
#define RCR_CROSSING_H

#include <linux/types.h>
#include <linux/rcrboard.h>

/**
 * struct rcr_crossing_state - a value relative to a bound
 * @since: time at which the value went beyond the bound, ns; valid while @beyond
 * @count: number of crossings
 * @beyond: the latest value was beyond the bound
 * @fired: the bound was crossed, and the value has not returned since
 *
 * Initially 0: a first value beyond the bound counts as a crossing.
 */
struct rcr_crossing_state {
	u64 since;
	u64 count;
	bool beyond;
	bool fired;
};

int rcr_crossing_check(const struct rcr_watch *w);
bool rcr_crossing_update(struct rcr_crossing_state *s, const struct rcr_watch *w,
			 s64 value, u64 time);
void rcr_crossing_absent(struct rcr_crossing_state *s);

/**
 * struct rcr_crossing_queue - the latest crossings of a watcher
 * @written: number of crossings queued since open
 * @next: number of the next crossing to read, from 0
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
