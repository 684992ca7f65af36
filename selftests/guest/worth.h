/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * worth.h - the value of a quantity, of what some CPUs have of it, and by how much it may
 * be otherwise because shares are whole counts.
 */
#ifndef RCR_GUEST_WORTH_H
#define RCR_GUEST_WORTH_H

#include <math.h>

#include "tracks.h"

/* Both ends of a time are whole cycles, the nearest to when the counter was read. */
#define READINGS 1

static inline double hz(void)
{
	return runs[0].set->tsc_khz * 1000.0;
}

/* Of some terms all that was counted; @off: by how much that may be off. */
static double sum_of(const struct share *s, unsigned int from, unsigned int to,
		     double *off)
{
	double sum = 0;
	unsigned int cpu, k;

	*off = 0;
	for (cpu = 0; cpu < CPUS; cpu++) {
		for (k = from; s[cpu].in && k < to; k++) {
			sum += term[k]->times * s[cpu].count[k];
			*off += s[cpu].cycles[k] > 0 ? term[k]->times * s[cpu].cuts : 0;
		}
	}
	return sum;
}

/* What one unit, or CPU, told of a term. */
struct of_unit {
	double count, cycles, cuts;
};

/*
 * CPUs that have read the same unit by turns have told of one together, the first of them.
 * False: this is another, or none has told.
 */
static bool told_of_unit(const struct share *s, unsigned int k, unsigned int cpu,
			 struct of_unit *all)
{
	unsigned int other;

	*all = (struct of_unit){ 0 };
	for (other = 0; other < CPUS; other++) {
		if (!s[other].in || unit[k][other] != unit[k][cpu])
			continue;
		if (other < cpu)
			return false;
		all->count += s[other].count[k];
		all->cycles += s[other].cycles[k];
		all->cuts += s[other].cuts;
	}
	return all->cycles > 0;
}

/* A second of each. */
static double rate_of_term(const struct share *s, unsigned int k, double *off)
{
	double sum = 0, rate;
	struct of_unit all;
	unsigned int cpu;

	for (cpu = 0; cpu < CPUS; cpu++) {
		if (!s[cpu].in || !told_of_unit(s, k, cpu, &all))
			continue;
		rate = all.count / all.cycles;
		sum += rate;
		*off += (all.cuts + rate * (all.cuts + READINGS)) / all.cycles;
	}
	return sum;
}

static double rate_of_all(const struct share *s, double *off)
{
	double sum = 0, one;
	unsigned int k;

	*off = 0;
	for (k = 0; k < terms; k++) {
		one = 0;
		sum += term[k]->times * rate_of_term(s, k, &one);
		*off += term[k]->times * one;
	}
	return sum;
}

static double hottest(const struct share *s)
{
	double high = -INFINITY;
	struct of_unit all;
	unsigned int cpu;

	for (cpu = 0; cpu < CPUS; cpu++)
		if (s[cpu].in && told_of_unit(s, 0, cpu, &all) && all.count / all.cycles > high)
			high = all.count / all.cycles;
	return high;
}

static bool is_told(const struct share *s)
{
	unsigned int cpu;

	for (cpu = 0; cpu < CPUS; cpu++)
		if (s[cpu].in)
			return true;
	return false;
}

/* NAN: it has no value. */
static double value_of(const struct share *s, enum sort as, double *off)
{
	double above, below, off_below = 0;

	*off = 0;
	if (!is_told(s))
		return NAN;
	switch (as) {
	case HOTTEST:
		return hottest(s) == -INFINITY ? NAN : quantity->times * hottest(s);
	case COUNT:
		above = quantity->times * sum_of(s, 0, terms_above, off);
		*off *= quantity->times;
		return above;
	case RATE:
	case UNDER_WAY:
		above = quantity->times * rate_of_all(s, off);
		*off *= quantity->times * (as == RATE ? hz() : 1);
		return above * (as == RATE ? hz() : 1);
	default:
		above = sum_of(s, 0, terms_above, off);
		below = sum_of(s, terms_above, terms, &off_below);
	}
	if (!below)
		return NAN;
	*off = (*off + off_below * above / below) / below;
	*off *= as == CLOCK ? hz() : 1;
	return above / below * (as == CLOCK ? hz() : 1);
}

#endif
