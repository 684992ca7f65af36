/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * msr_fast.h - counters that are two registers and nothing else, as most are: what a tick
 * has to know of them, and nothing else, so that few cache lines hold all of them.
 *
 * While nothing happens in them but counts, they are looked at and added up in one go.
 * Whatever is not as usual is left to those who know what it means (msr_read.c, total.c),
 * who read the registers again.
 */
#ifndef RCR_MSR_FAST_H
#define RCR_MSR_FAST_H

#include <linux/types.h>
#include <linux/rcrtool.h>

struct rcr_counter_set;

/**
 * struct rcr_reading - what one CPU keeps of one counter
 * @last: what the register read last
 * @total: counted since it came into the set, 64 bits, never steps back
 */
struct rcr_reading {
	u64 last;
	u64 total;
};

/**
 * struct rcr_plain - the registers of a plain counter
 * @control: address of its control register; 0: there is none
 * @counter: address of its count register
 * @select: what the control holds, in the bits of @mask, while it counts for us
 * @mask: the bits of the control that are its own
 * @width: the bits that a count has
 * @most: what it counts in a TSC tick at most
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

#endif
