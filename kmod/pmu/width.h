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
 * rcr_width_delta() - increment of a counter that wrapped at most once
 * @now: current value
 * @before: previous value
 * @width: bits of the counter, 1 to 64
 */
static inline u64 rcr_width_delta(u64 now, u64 before, unsigned int width)
{
	return (now - before) & rcr_width_mask(width);
}

/* Largest ratio of core frequency to TSC frequency, with turbo. */
#define RCR_TURBO	8ull

/**
 * rcr_width_limit() - upper bound of the increment of a counter
 * @elapsed: TSC ticks from before the earlier read to after the later one
 * @most: largest increment per cycle; 0: unknown, only steps backward are excluded, as a
 *	kernel PMU may set the value of its event arbitrarily
 */
static inline u64 rcr_width_limit(u64 elapsed, u32 most)
{
	return most ? elapsed * RCR_TURBO * most : S64_MAX;
}

#endif
