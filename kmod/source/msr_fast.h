/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * msr_fast.h - counters that are two registers and nothing else, as most are: what a tick
 * has to know of them, and nothing else, so that few cache lines hold all of them.
 */
#ifndef RCR_MSR_FAST_H
#define RCR_MSR_FAST_H

#include <linux/types.h>
#include <linux/rcrtool.h>

struct rcr_counter_set;
struct rcr_reading;

/**
 * struct rcr_plain - the registers of a plain counter
 * @control: address of its control register; 0: there is none
 * @counter: address of its count register
 * @select: what the control holds, in the bits of @mask, while it counts for us
 * @mask: the bits of the control that are its own
 * @beyond: the bits that no count has
 * @most: what it counts in a TSC tick at most
 */
struct rcr_plain {
	u32 control;
	u32 counter;
	u64 select;
	u64 mask;
	u64 beyond;
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

/**
 * struct rcr_msr_fast - the plain counters of one set, for the ticks of one CPU
 * @plain: which of those that this CPU reads they are, bit n for the set's counter n
 * @global: what has to be in the core's global control for them
 * @reg: by counter: the registers of a plain one
 *
 * Made from the set by rcr_msr_fast_build(), and fixed from then on.
 */
struct rcr_msr_fast {
	u32 plain;
	struct rcr_plain_global global;
	struct rcr_plain reg[RCR_MAX_COUNTERS];
};

void rcr_msr_fast_build(struct rcr_msr_fast *fast, const struct rcr_counter_set *set, u32 mine);
u32 rcr_msr_fast_read(const struct rcr_msr_fast *fast, struct rcr_reading *r, u32 which,
		      u64 elapsed, u64 *value);

#endif
