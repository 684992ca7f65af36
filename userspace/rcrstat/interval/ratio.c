// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ratio.c - instructions per cycle, from two counters of a set.
 *
 * The counters are found by the events that they count, whatever their names. Both must count in
 * the same modes: instructions of user space over all cycles are not what a reader expects.
 *
 * Pure: also compiled into the unit tests.
 */
#include "interval/ratio.h"
#include "problems/bind.h"

/* Finds the first pair of counters that count in the same modes. */
struct ratio ratio_find(const struct rcr_set *set)
{
	unsigned int a, b;

	for (a = 0; a < set->ncounters; a++)
		for (b = 0; b < set->ncounters; b++)
			if (bind_means(set, a, "TOT_INS") && bind_means(set, b, "TOT_CYC") &&
			    bind_covers(set, a, b) && bind_covers(set, b, a))
				return (struct ratio){ .known = true, .above = a, .below = b };
	return (struct ratio){ };
}

/**
 * ratio_cpu() - the ratio on one CPU in the current interval
 * @r: a ratio that is known
 * @v: the intervals
 * @c: the CPU
 * @value: output buffer; set if true is returned
 *
 * Returns false if one of the counters has no rate, or the lower one counted nothing.
 */
bool ratio_cpu(const struct ratio *r, const struct intervals *v,
	       const struct cpu_interval *c, double *value)
{
	double above, below;

	if (intervals_rate(v, c, r->above, &above) != RCR_STATUS_OK ||
	    intervals_rate(v, c, r->below, &below) != RCR_STATUS_OK || below <= 0)
		return false;
	*value = above / below;
	return true;
}

/* The ratio of the sums over a unit; false as for ratio_cpu(). */
bool ratio_unit(const struct ratio *r, const struct intervals *v, const struct view *view,
		const struct unit *u, double *value)
{
	struct stats above, below;

	if (!view_stats(view, v, u, r->above, &above) ||
	    !view_stats(view, v, u, r->below, &below) || !below.sum)
		return false;
	*value = (double)above.sum / below.sum;
	return true;
}
