/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * msr_fast.h - counters that are two registers and nothing else, as most are: what a tick
 * has to know of them, and nothing else, so that few cache lines hold all of them.
 */
#ifndef RCR_PLAIN_H
#define RCR_PLAIN_H

#include <linux/types.h>

struct rcr_counter_set;
struct rcr_cpu_counters;

/**
 * struct rcr_plain - the registers of a plain counter
 * @control: address of its control register; 0: there is none
 * @counter: address of its count register
 * @select: what the control holds, in the bits of @mask, while it counts for us
 * @mask: the bits of the control that are its own
 * @width: the bits that a count has
 * @most: what it counts in a cycle at most
 */
struct rcr_plain {
	u32 control;
	u32 counter;
	u64 select;
	u64 mask;
	u64 width;
	u64 most;
};

/**
 * struct rcr_plain_global - what has to be in the core's global control
 * @address: of that; 0: no plain counter needs it
 * @mask: the bits of all plain counters
 * @on: what they are while all of these count
 */
struct rcr_plain_global {
	u32 address;
	u64 mask;
	u64 on;
};

void rcr_plain_build(struct rcr_counter_set *set);
u32 rcr_plain_take(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
		   u32 which, u64 elapsed);

#endif
