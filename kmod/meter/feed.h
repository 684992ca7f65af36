/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * feed.h - what one CPU's samples tell, step by step.
 */
#ifndef RCR_FEED_H
#define RCR_FEED_H

#include <linux/types.h>
#include <linux/rcrtool.h>

#include "history.h"	/* RCR_OPERANDS */

/**
 * struct rcr_feed_layout - what stands in the samples of a run
 * @count: counters
 * @slow: those that have a time of their own, bit n for counter n
 * @gauges: those whose totals are values
 * @slow_offset: see struct rcr_set
 */
struct rcr_feed_layout {
	unsigned int count;
	u32 slow;
	u32 gauges;
	u32 slow_offset;
};

/**
 * struct rcr_step - from one sample of a CPU to the next
 * @from: tick of the first
 * @to: tick of the second: the step stands for the ticks behind @from up to @to
 * @time: of the second, CLOCK_MONOTONIC, ns
 * @tsc: of the second, in the middle of its reading
 * @ok: what was counted in it, bit n for operand n
 * @elsewhere: what another CPU counts
 * @seldom: what is read less often than samples are taken
 * @status: why an operand is in neither
 * @delta: what was counted; of a gauge its value, as often as there are ticks
 * @cycles: in how many TSC cycles; of a gauge the number of ticks. 0 for what is
 *	read less often and was not read: what it told last goes on
 */
struct rcr_step {
	u64 from;
	u64 to;
	u64 time;
	u64 tsc;
	u64 ok;
	u64 elsewhere;
	u64 seldom;
	u8 status[RCR_OPERANDS];
	u64 delta[RCR_OPERANDS];
	u64 cycles[RCR_OPERANDS];
};

/**
 * struct rcr_feed - how far a CPU's samples have been followed
 * @begun: there was a sample
 * @stepped: there was a step
 * @position: of the next record in its ring
 * @lost: records that were overwritten before they were read here
 * @accounted: up to which tick its step is in the meters
 * @tick: of the latest sample, as all below
 * @tsc: in the middle of its reading
 * @slow_tsc: likewise of what is slow
 * @value: by counter
 * @status: by counter
 * @spent: TSC cycles that our ticks have taken
 * @step: from the sample before to the latest one
 */
struct rcr_feed {
	bool begun;
	bool stepped;
	u64 position;
	u64 lost;
	u64 accounted;
	u64 tick;
	u64 tsc;
	u64 slow_tsc;
	u64 value[RCR_MAX_COUNTERS];
	u8 status[RCR_MAX_COUNTERS];
	u64 spent;
	struct rcr_step step;
};

bool rcr_feed_take(struct rcr_feed *f, const struct rcr_feed_layout *l,
		   const struct rcr_record *r);
u64 rcr_step_part(u64 whole, const struct rcr_step *s, u64 tick);

/* How much of @whole, which was in all of the step, was in it up to @tick. */
static inline u64 rcr_step_share(u64 whole, const struct rcr_step *s, u64 tick)
{
	if (tick >= s->to)
		return whole;
	if (tick <= s->from)
		return 0;
	return rcr_step_part(whole, s, tick);
}

#endif
