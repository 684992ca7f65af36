/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * crossing.h - when a value has crossed a bound, and the crossings that wait to be
 * read. Pure: the same file is compiled into a unit test.
 */
#ifndef RCR_CROSSING_H
#define RCR_CROSSING_H

#include <linux/types.h>
#include <linux/rcrboard.h>

/**
 * struct rcr_crossing_state - where a value is, seen from a bound
 * @since: the first tick of those without a break at which it was beyond the bound
 * @count: how often it has crossed
 * @beyond: it was beyond the bound at the latest tick
 * @fired: it has crossed, and has not been back since
 *
 * All 0 at first: what is beyond the bound already is on its way over it.
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
 * @written: how many there were ever
 * @next: the one to be read next, counted from 0
 * @slot: number n stands in slot n % RCR_CROSSINGS
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
