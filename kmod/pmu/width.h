/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * width.h - arithmetic of counters that are narrower than 64 bits.
 */
#ifndef RCR_WIDTH_H
#define RCR_WIDTH_H

#include <linux/types.h>

static inline u64 rcr_width_mask(unsigned int width)
{
	return ~0ull >> (64 - width);
}

/**
 * rcr_width_delta() - how far a counter went, through at most one wrap
 * @now: what it reads
 * @before: what it read before
 * @width: its bits, 1 to 64
 */
static inline u64 rcr_width_delta(u64 now, u64 before, unsigned int width)
{
	return (now - before) & rcr_width_mask(width);
}

/* How much faster than its time stamp counter a core may run: turbo modes. */
#define RCR_TURBO	8ull

/**
 * rcr_width_limit() - what a counter cannot have exceeded
 * @elapsed: TSC ticks, from before the earlier read to after the later one
 * @most: what it counts in a cycle at most; 0: any number, but none steps back: a PMU of
 *	the kernel whose event has a value, and no count, sets it as it likes
 */
static inline u64 rcr_width_limit(u64 elapsed, u32 most)
{
	return most ? elapsed * RCR_TURBO * most : S64_MAX;
}

#endif
