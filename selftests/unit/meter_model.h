/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * meter_model.h - section 9 of Documentation/interface.md done the long way: every tick of
 * every CPU of a bench in a table, sums over it, and formulas in floating point.
 */
#ifndef METER_MODEL_H
#define METER_MODEL_H

#include <math.h>

#include "meter_bench.h"

/* What a formula is made of: of each CPU that counted, by counter. */
struct got {
	long double d[LANES][OPERANDS];
	long double t[LANES][OPERANDS];
	unsigned int lanes;
};

static long double count(const struct got *g, unsigned int k)
{
	long double sum = NAN;
	unsigned int i;

	for (i = 0; i < g->lanes; i++)
		if (g->t[i][k] > 0)
			sum = (isnan(sum) ? 0 : sum) + g->d[i][k];
	return sum;
}

static long double rate(const struct got *g, unsigned int k)
{
	long double sum = NAN;
	unsigned int i;

	for (i = 0; i < g->lanes; i++)
		if (g->t[i][k] > 0)
			sum = (isnan(sum) ? 0 : sum) + g->d[i][k] / g->t[i][k] * TSC_HZ;
	return sum;
}

/* Each CPU has its mean, and they have theirs. */
static long double gauge(const struct got *g, unsigned int k)
{
	long double sum = 0;
	unsigned int i, lanes = 0;

	for (i = 0; i < g->lanes; i++) {
		if (!(g->t[i][k] > 0))
			continue;
		sum += g->d[i][k] / g->t[i][k];
		lanes++;
	}
	return lanes ? sum / lanes : NAN;
}

static long double f_count(const struct got *g) { return count(g, A); }
static long double f_counts(const struct got *g) { return count(g, A) - 2 * count(g, B); }
static long double f_rate(const struct got *g) { return rate(g, A); }
static long double f_rates(const struct got *g) { return 64 * (rate(g, A) + rate(g, B)); }
static long double f_ratio(const struct got *g) { return count(g, A) / count(g, B); }
static long double f_clock(const struct got *g) { return TSC_HZ * count(g, A) / count(g, B); }
static long double f_share(const struct got *g) { return rate(g, A) / TSC_HZ; }
static long double f_node(const struct got *g) { return rate(g, NODE); }
static long double f_mixed(const struct got *g) { return rate(g, NODE) / rate(g, A); }
static long double f_slow(const struct got *g) { return rate(g, SLOW) / 8; }
static long double f_gauge(const struct got *g) { return gauge(g, TEMP) / 1000; }
static long double f_seconds(const struct got *g) { return count(g, A) / TSC_HZ; }
static long double f_each(const struct got *g) { return rate(g, A) / g->lanes; }
static long double f_shared(const struct got *g) { return count(g, A) / g->lanes; }
static long double f_spent(const struct got *g) { return count(g, SPENT); }
static long double f_cost(const struct got *g) { return rate(g, SPENT) / TSC_HZ / g->lanes; }
static long double f_part(const struct got *g) { return count(g, SPENT) / count(g, A); }

static long double f_most(const struct got *g)
{
	long double most = NAN, one;
	unsigned int i;

	for (i = 0; i < g->lanes; i++) {
		if (!(g->t[i][A] > 0))
			continue;
		one = g->d[i][A] / g->d[i][B];
		if (!isfinite(one))	/* it has none */
			continue;
		if (isnan(most) || one > most)
			most = one;
	}
	return most;
}

/* What stands in for a sum: see section 4. The sum of a rate is its integral over time. */
enum kind { COUNT, RATE, NEITHER };

static const struct row {
	long double (*value)(const struct got *g);
	const char *formula;
	enum kind kind;
	unsigned int digits;
	unsigned int uses;
} rows[] = {
	{ f_count, "A", COUNT, 3, 1 << A },
	{ f_counts, "A - 2 x B", COUNT, 0, 1 << A | 1 << B },
	{ f_rate, "rate(A)", RATE, 3, 1 << A },
	{ f_rates, "rate(A + B) x 64", RATE, 0, 1 << A | 1 << B },
	{ f_ratio, "A / B", NEITHER, 9, 1 << A | 1 << B },
	{ f_clock, "tsc_hz x A / B", NEITHER, 3, 1 << A | 1 << B },
	{ f_share, "rate(A) / tsc_hz", RATE, 9, 1 << A },
	{ f_most, "max(A / B)", NEITHER, 6, 1 << A | 1 << B },
	{ f_seconds, "A / tsc_hz", COUNT, 9, 1 << A },
	{ f_each, "rate(A) / cpus", RATE, 3, 1 << A },
	{ f_node, "rate(NODE)", RATE, 3, 1 << NODE },
	{ f_mixed, "rate(NODE) / rate(A)", NEITHER, 6, 1 << NODE | 1 << A },
	{ f_slow, "rate(SLOW) / 8", RATE, 3, 1 << SLOW },
	{ f_gauge, "TEMP / 1000", NEITHER, 3, 1 << TEMP },
	{ f_shared, "A / cpus", COUNT, 3, 1 << A },
	{ f_spent, "sampler_cycles", COUNT, 0, 1 << SPENT },
	{ f_cost, "rate(sampler_cycles) / tsc_hz / cpus", RATE, 9, 1 << SPENT },
	{ f_part, "sampler_cycles / A", NEITHER, 9, 1 << SPENT | 1 << A },
};

/* The machine, both halves of it, every CPU, CPUs that are far apart, three of four. */
static u16 lane_list[] = { 0, 1, 2, 3 };
static u16 core_list[] = { 0, 2, 3, 1 };
static const struct rcr_group groups[] = {
	{ RCR_PLACE_MACHINE, 0, 0, 4, lane_list }, { RCR_PLACE_DIE, 0, 0, 2, lane_list },
	{ RCR_PLACE_DIE, 1, 0, 2, lane_list + 2 }, { RCR_PLACE_CPU, 0, 0, 1, lane_list },
	{ RCR_PLACE_CPU, 1, 0, 1, lane_list + 1 }, { RCR_PLACE_CPU, 2, 0, 1, lane_list + 2 },
	{ RCR_PLACE_CPU, 3, 0, 1, lane_list + 3 }, { RCR_PLACE_CORE, 0, 0, 2, core_list },
	{ RCR_PLACE_CORE, 1, 0, 2, core_list + 2 }, { RCR_PLACE_NODE, 0, 0, 3, lane_list + 1 },
};

#define PLACES ARRAY_SIZE(groups)

/*
 * What samples say of a tick of a CPU, by counter: its share, for how long, and
 * what has been told last of what is read seldom.
 */
struct cell {
	double d[OPERANDS], t[OPERANDS];
	double told, told_t;
	u8 good, elsewhere;	/* masks of counters */
	u8 status[OPERANDS];
};

static struct cell *cells[LANES];
static u8 *in_tick;			/* which CPUs were in time, by tick */
static unsigned int *late[LANES];	/* tick with which a late tick was accounted */
static double *currents[PLACES];	/* by tick */
static unsigned int since;		/* the tick behind which the meter begins */
static u64 seed;

/* No tick is accounted later than that. */
#define LATEST	400u

static u32 chance(u32 below)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (seed >> 33) % below;
}

/* A step as its samples say, in equal shares. */
static void fill_step(const struct bench *b, unsigned int lane, unsigned int from,
		      unsigned int to, const u64 *delta, u64 cycles, u64 slow_cycles)
{
	const struct truth *was = &b->truth[lane][from], *is = &b->truth[lane][to];
	unsigned int t, k, n = to - from;

	for (t = from + 1; t <= to; t++) {
		struct cell *c = &cells[lane][t];

		c->good |= 1 << SPENT;
		c->status[SPENT] = RCR_STATUS_OK;
		c->d[SPENT] = (double)delta[SPENT] / n;
		c->t[SPENT] = (double)cycles / n;
		for (k = 0; k < COUNTERS; k++) {
			bool good = is->status[k] == RCR_STATUS_OK &&
				    (k == TEMP || was->status[k] == RCR_STATUS_OK);

			c->status[k] = is->status[k];
			if (is->status[k] == RCR_STATUS_OK && !good)
				c->status[k] = RCR_STATUS_GAP;
			if (is->status[k] == RCR_STATUS_ELSEWHERE)
				c->elsewhere |= 1 << k;
			if (!good)
				continue;
			c->good |= 1 << k;
			c->d[k] = k == TEMP ? is->count[k] : (double)delta[k] / n;
			c->t[k] = k == TEMP ? 1 : k == SLOW ? (double)slow_cycles / n :
				  (double)cycles / n;
		}
		c->told = delta[SLOW];
		c->told_t = c->good & 1 << SLOW ? slow_cycles : 0;
	}
}

/* What was counted up to tick @t and seen by the reading of what is slow before it. */
static unsigned int slow_tick(unsigned int t)
{
	return t ? (t - 1) / SLOW_TICKS * SLOW_TICKS : 0;
}

static void fill_lane(const struct bench *b, unsigned int lane)
{
	const struct truth *truth = b->truth[lane];
	unsigned int t, from = 1, i, k;

	for (t = 2; t <= b->ticks; t++) {
		u64 delta[OPERANDS] = { }, cycles = 0, slow_cycles = 0;

		if (!truth[t].sampled)
			continue;
		if (b->restart && from < b->restart && t >= b->restart) {
			from = t;
			continue;
		}
		for (i = from + 1; i <= t; i++) {
			for (k = 0; k < SLOW; k++)
				delta[k] += truth[i].count[k];
			delta[SPENT] += truth[i].spent;
			cycles += truth[i].cycles;
		}
		for (i = slow_tick(from) + 1; i <= slow_tick(t); i++) {
			delta[SLOW] += truth[i].count[SLOW];
			slow_cycles += truth[i].cycles;
		}
		fill_step(b, lane, from, t, delta, cycles, slow_cycles);
		from = t;
	}
}

static bool has_part(unsigned int lane, unsigned int t, unsigned int uses)
{
	const struct cell *c = &cells[lane][t];

	return !(uses & ~(c->good | c->elsewhere)) && (uses & c->good);
}

static void add(struct got *g, const struct cell *c, unsigned int uses)
{
	unsigned int k;

	for (k = 0; k < OPERANDS; k++) {
		if (!(uses & 1 << k))
			continue;
		g->d[g->lanes][k] += c->d[k];
		g->t[g->lanes][k] += c->t[k];
	}
}

/* What a CPU told last of what is read seldom, in a tick that it has a part in. */
static void tell_slow(struct got *g, unsigned int lane, unsigned int t, unsigned int uses)
{
	for (; t > since && !(has_part(lane, t, uses) && in_tick[t] & 1 << lane &&
			      cells[lane][t].told_t > 0); t--)
		;
	g->d[g->lanes][SLOW] = t > since ? cells[lane][t].told : 0;
	g->t[g->lanes][SLOW] = t > since ? cells[lane][t].told_t : 0;
}

/* The latest tick, by those who were in time. */
static struct got get_tick(const struct rcr_group *p, unsigned int t, unsigned int uses)
{
	struct got g = { };
	unsigned int i;

	for (i = 0; i < p->lanes; i++) {
		unsigned int lane = p->lane[i];

		if (!(in_tick[t] & 1 << lane) || !has_part(lane, t, uses))
			continue;
		add(&g, &cells[lane][t], uses);
		if (uses & 1 << SLOW)
			tell_slow(&g, lane, t, uses);
		g.lanes++;
	}
	return g;
}

/* Ticks behind @begin up to @end; a late one is in the span in which it was told. */
static struct got get_span(const struct rcr_group *p, unsigned int begin, unsigned int end,
			   unsigned int uses)
{
	unsigned int i, t, first = max(since, begin - min(begin, LATEST)) + 1;
	struct got g = { };

	for (i = 0; i < p->lanes; i++) {
		unsigned int lane = p->lane[i];
		bool any = false;

		for (t = first; t <= end; t++) {
			unsigned int at = late[lane][t] ?: t;

			if (at <= begin || at > end || !has_part(lane, t, uses))
				continue;
			if (!late[lane][t] && !(in_tick[t] & 1 << lane))
				continue;
			add(&g, &cells[lane][t], uses);
			any = true;
		}
		g.lanes += any;
	}
	return g;
}

/* The tick that is accounted last. */
static unsigned int latest(const struct bench *b)
{
	return b->offset + b->span.to;
}

/* The ticks are over: who was in time, who came late, what the ticks read. */
static void note_span(const struct bench *b, const struct row *r)
{
	unsigned int lane, t, place, from = b->offset + b->span.from;

	for (lane = 0; lane < LANES; lane++) {
		if (!b->present[lane])
			continue;
		for (t = b->offset + b->feed[lane].accounted + 1; t < from; t++)
			late[lane][t] = from;
		for (t = from; t <= latest(b); t++)
			in_tick[t] |= 1 << lane;
	}
	for (place = 0; place < PLACES; place++)
		for (t = from; t <= latest(b); t++) {
			struct got g = get_tick(&groups[place], t, r->uses);

			currents[place][t] = g.lanes ? (double)r->value(&g) : NAN;
			if (isinf(currents[place][t]))
				currents[place][t] = NAN;
		}
}

static void make_tables(const struct bench *b)
{
	unsigned int i, t;

	in_tick = calloc(b->ticks + 1, sizeof(*in_tick));
	for (i = 0; i < LANES; i++) {
		cells[i] = calloc(b->ticks + 1, sizeof(*cells[i]));
		late[i] = calloc(b->ticks + 1, sizeof(*late[i]));
		fill_lane(b, i);
	}
	for (i = 0; i < PLACES; i++) {
		currents[i] = calloc(b->ticks + 1, sizeof(*currents[i]));
		for (t = 0; t <= b->ticks; t++)
			currents[i][t] = NAN;
	}
}

static void drop_tables(void)
{
	unsigned int i;

	free(in_tick);
	for (i = 0; i < LANES; i++) {
		free(cells[i]);
		free(late[i]);
	}
	for (i = 0; i < PLACES; i++)
		free(currents[i]);
}

#endif
