/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * portion.h - shares of counts, with 95 % confidence intervals.
 *
 * The count of each tick is exact, but all of it is attributed to the code that the tick
 * interrupted: a share is an estimate. Let W be the sum of all counts and Q the sum of their
 * squares, and let p be the share of some of the ticks and q the sum of the squares of their
 * counts. Then the variance of p is
 *
 *	(q (1 - p)^2 + (Q - q) p^2) / W^2
 *
 * (a ratio of two sums, linearized; W. G. Cochran, Sampling Techniques, section 6.3). For n equal
 * counts this is p (1 - p) / n. It is too small for p near 0 or 1, so half of the interval is at
 * least z^2 / (n + z^2), where n = W^2 / Q and z = 1.96. The interval is valid if ticks are
 * independent of the program, and loops last longer than a tick.
 */
#ifndef RCRCTL_PORTION_H
#define RCRCTL_PORTION_H

#include <stdint.h>

/**
 * struct tally - counts of some places
 * @samples: number of ticks
 * @weight: sum of their counts
 * @squares: sum of the squares of their counts
 */
struct tally {
	uint64_t samples;
	double weight, squares;
};

/**
 * struct portion - a share
 * @value: from 0 to 1
 * @error: half of the 95 % confidence interval
 */
struct portion {
	double value, error;
};

/* The share of @part in @all, which includes it. */
struct portion portion_of(const struct tally *part, const struct tally *all);

void tally_add(struct tally *to, const struct tally *from);

#endif
