// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * aggregate.c - statistics of one counter across the CPUs of a unit.
 *
 * Each CPU's rate is rounded once, to tenths of a count per second, which is also the precision it
 * is printed with. All further arithmetic is in integers, so the printed parts add up to the
 * printed whole exactly, however the CPUs are grouped.
 *
 * Pure: no input, no output, no clock. Also compiled into the unit tests.
 */
#include <math.h>

#include "interval/aggregate.h"
#include "interval/shared.h"

const char *const stats_name[STATS] = { "sum", "mean", "min", "max", "dev" };

uint64_t stats_value(const struct stats *s, unsigned int i)
{
	const uint64_t value[STATS] = { s->sum, s->mean, s->min, s->max, s->dev };

	return value[i];
}

/**
 * struct spread - running sums over the values of a unit
 * @squares: sum of the squares of the values: up to 8.2e33
 * @n: number of values, up to 8192, each up to 10 x RATE_LIMIT = 1e15
 * @sum: sum of the values: up to 8.2e18
 * @min: smallest value
 * @max: largest value
 */
struct spread {
	unsigned __int128 squares;
	unsigned int n;
	uint64_t sum;
	uint64_t min;
	uint64_t max;
};

static void add_value(struct spread *s, uint64_t value)
{
	if (!s->n || value < s->min)
		s->min = value;
	if (!s->n || value > s->max)
		s->max = value;
	s->sum += value;
	s->squares += (unsigned __int128)value * value;
	s->n++;
}

/* n squares - sum^2 is n^2 times the variance: exact, and at most 6.8e37. */
static uint64_t standard_deviation(const struct spread *s)
{
	unsigned __int128 scaled = s->squares * s->n -
				   (unsigned __int128)s->sum * s->sum;

	return llrintl(sqrtl(scaled) / s->n);
}

/* Returns false if @spread has no values. */
static bool spread_stats(const struct spread *spread, struct stats *s)
{
	if (!spread->n)
		return false;
	*s = (struct stats){
		.sum = spread->sum,
		.mean = (spread->sum + spread->n / 2) / spread->n,
		.min = spread->min,
		.max = spread->max,
		.dev = standard_deviation(spread),
	};
	return true;
}

/**
 * unit_stats() - statistics of a CPU's own counter over a unit, in the current interval
 * @v: the intervals
 * @u: the unit
 * @counter: index of the counter
 * @s: output buffer; set if true is returned
 *
 * Returns false if a CPU of the unit has no rate: the sum would be that of a smaller unit.
 */
bool unit_stats(const struct intervals *v, const struct unit *u,
		unsigned int counter, struct stats *s)
{
	struct spread spread = { };
	unsigned int i;
	double rate;

	for (i = 0; i < u->cpus; i++) {
		if (intervals_rate(v, &v->cpu[unit_member(u, i)], counter, &rate) !=
		    RCR_STATUS_OK)
			return false;
		add_value(&spread, rate_tenths(rate));
	}
	return spread_stats(&spread, s);
}

/**
 * shared_stats() - statistics of a shared counter over a unit, in the current interval
 * @v: the intervals
 * @u: the unit
 * @shares: the units that share the counter; each is either contained in @u or disjoint
 *	from it
 * @counter: index of the counter
 * @s: output buffer; set if true is returned
 */
bool shared_stats(const struct intervals *v, const struct unit *u,
		  const struct units *shares, unsigned int counter, struct stats *s)
{
	struct spread spread = { };
	enum rcr_status status;
	uint64_t tenths;
	unsigned int i;

	for (i = 0; i < shares->count; i++) {
		if (!unit_holds(u, &shares->unit[i]))
			continue;
		status = shared_rate(v, &shares->unit[i], counter, &tenths);
		if (status && status != RCR_STATUS_OK)
			return false;
		if (status)
			add_value(&spread, tenths);
	}
	return spread_stats(&spread, s);
}

/**
 * unit_is_uneven() - check whether the rates of the CPUs of a unit cover different ticks
 * @v: the intervals
 * @u: the unit
 *
 * They do if a record was lost where the interval begins or ends, or if one CPU is sampled less
 * often. Each rate is correct for its own ticks.
 */
bool unit_is_uneven(const struct intervals *v, const struct unit *u)
{
	const struct cpu_interval *first = NULL, *c;
	unsigned int i;

	for (i = 0; i < u->cpus; i++) {
		c = &v->cpu[unit_member(u, i)];
		if (!c->from.valid || !c->to.valid)
			continue;
		if (first && (c->from.time != first->from.time ||
			      c->to.time != first->to.time))
			return true;
		first = c;
	}
	return false;
}
