// SPDX-License-Identifier: GPL-2.0-or-later
/* portion.c - shares and their errors. */
#include <math.h>

#include "where/portion.h"

#define NORMAL_95	1.959964

void tally_add(struct tally *to, const struct tally *from)
{
	to->samples += from->samples;
	to->weight += from->weight;
	to->squares += from->squares;
}

/*
 * If all n ticks interrupted the same code, the variance is 0 but the error is not: use the bound
 * of E. B. Wilson's interval for a share of 0 or 1. For unequal counts, n is the effective number
 * of ticks.
 */
static double least_error(const struct tally *all)
{
	double n = all->weight * all->weight / all->squares;

	return NORMAL_95 * NORMAL_95 / (n + NORMAL_95 * NORMAL_95);
}

struct portion portion_of(const struct tally *part, const struct tally *all)
{
	double p, variance, linear;

	if (!(all->weight > 0))
		return (struct portion){ 0, 1 };
	p = fmin(part->weight / all->weight, 1);
	variance = part->squares * (1 - p) * (1 - p) + (all->squares - part->squares) * p * p;
	linear = NORMAL_95 * sqrt(variance > 0 ? variance : 0) / all->weight;
	return (struct portion){
		p, fmax(linear, least_error(all)),
	};
}
