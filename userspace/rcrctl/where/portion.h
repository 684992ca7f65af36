/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * portion.h - shares of counts, with intervals of 95 %.
 *
 * Places are samples of the counts: each tick's count is known exactly, and the place is where the
 * tick found it. With W the sum of all counts, p the share of the places of a line, q and Q the
 * sums of the squares of their counts and of all, the variance of p is
 *
 *	(q (1 - p)^2 + (Q - q) p^2) / W^2
 *
 * (a ratio of two sums, by its linear part; W. G. Cochran, Sampling Techniques, section 6.3). For
 * n equal counts that is p (1 - p) / n. Near 0 and 1 that is too little: half of the interval is
 * z^2 / (n + z^2) at least, with n = W^2 / Q and z = 1.96. It holds for ticks that are independent
 * of the program, and for loops that last longer than a tick.
 */
#ifndef RCRCTL_PORTION_H
#define RCRCTL_PORTION_H

#include <stdint.h>

/**
 * struct tally - counts of some places
 * @samples: ticks
 * @weight: their counts
 * @squares: sum of the squares of their counts
 */
struct tally {
	uint64_t samples;
	double weight, squares;
};

/**
 * struct portion - a share
 * @value: from 0 to 1
 * @error: half of the interval of 95 %
 */
struct portion {
	double value, error;
};

/* The share of @part in @all, which includes it. */
struct portion portion_of(const struct tally *part, const struct tally *all);

void tally_add(struct tally *to, const struct tally *from);

#endif
