// SPDX-License-Identifier: GPL-2.0-or-later
/* slope.c - regression of L3 misses on the number of busy CPUs. */
#include <math.h>
#include <stdio.h>

#include "model/slope.h"

#define MUCH_VARIATION	0.02	/* relative change of the busy CPUs that is not noise */
#define MUCH_CHANGE	0.3	/* relative change of the misses that is worth acting on */
#define MOST_ERROR	(MUCH_CHANGE / 2)	/* highest standard error of a flat slope */
#define KEEP_SLOPE_NS	1000000000ull	/* time to keep a slope without many misses */
#define OLD_NS		100000000ull	/* interval of snapshots */

static void end_stay(struct slope *s)
{
	const struct stay *stay = &s->now;

	s->stays++;
	s->w += stay->w;
	s->ww += stay->w * stay->w;
	s->x += stay->x;
	s->y += stay->y;
	s->xx += stay->x * stay->x / stay->w;
	s->xy += stay->x * stay->y / stay->w;
	s->yy += stay->y * stay->y / stay->w;
	s->now = (struct stay){ };
}

/* The number of busy CPUs differs from that of the stay. */
static bool is_other_stay(const struct stay *now, double busy)
{
	double mean = now->x / now->w;

	return now->w > 0 && fabs(busy - mean) > MUCH_VARIATION * mean;
}

void slope_take(struct slope *s, const struct window *w, const struct window_node *n)
{
	unsigned int i;

	for (i = 0; i < w->slices; i++) {
		const struct window_slice *each = &n->slice[i];

		if (each->whole < 0.99 || !(each->requests > 0))
			continue;
		if (is_other_stay(&s->now, each->busy))
			end_stay(s);
		s->n++;
		s->now.w += each->requests;
		s->now.x += each->requests * each->busy;
		s->now.y += each->misses;
	}
}

enum slope_kind slope_kind(const struct slope *s, double errors)
{
	double x = s->x / s->w, y = s->y / s->w;
	double xx = s->xx / s->w - x * x, xy = s->xy / s->w - x * y, yy = s->yy / s->w - y * y;
	double error, change, scale, n = s->w * s->w / s->ww;

	if (s->n < SLOPE_LEAST)
		return SLOPE_WAIT;
	if (s->stays < SLOPE_STAYS)
		return SLOPE_UNKNOWN;
	if (!(n > 2))
		return SLOPE_WAIT;
	if (!(xx > MUCH_VARIATION * MUCH_VARIATION * x * x))
		return SLOPE_UNKNOWN;
	/* @n is the effective sample size (Kish): stays with few requests count for little. */
	error = sqrt((yy - xy * xy / xx > 0 ? yy - xy * xy / xx : 0) / (n - 2) / xx);
	/* Elasticity: relative change of the miss ratio per relative change of the busy CPUs. */
	scale = x / y;
	change = xy / xx * scale;
	error *= scale;
	if (fabs(change) < MUCH_CHANGE)
		return error < MOST_ERROR ? SLOPE_FLAT : SLOPE_WAIT;
	/* NaN without any misses, or if the sums of a file overflow. */
	if (!(fabs(change) >= errors * error))
		return SLOPE_WAIT;
	return change > 0 ? SLOPE_UP : SLOPE_DOWN;
}

static const struct overflow *newest_old(const struct overflows *o)
{
	return &o->old[(o->next + SLOPE_OLD - 1) % SLOPE_OLD];
}

/* Misses were unknown for so long that another overflow may have begun. */
static bool is_forgotten(const struct overflow *o, const struct window *w)
{
	return w->begin >= o->judged + FORGET_NS;
}

void overflows_prepare(struct overflows *o, const struct window *w)
{
	if (o->given.time && w->begin >= o->given.time) {
		o->now = o->given;
		o->given.time = 0;
	}
	if (is_forgotten(&o->now, w))
		o->now.slope = (struct slope){ };
	/* The first windows of a new set may be older than the last ones of the one before. */
	if (w->begin < newest_old(o)->time + OLD_NS)
		return;
	o->now.time = w->begin;
	o->old[o->next] = o->now;
	o->next = (o->next + 1) % SLOPE_OLD;
}

/*
 * For KEEP_SLOPE_NS, windows with fewer misses still belong to the overflow. Time in which misses
 * were unknown does not count.
 */
void overflows_take(struct overflows *o, const struct window *w, unsigned int node, bool many)
{
	struct overflow *now = &o->now;
	bool lasts = now->slope.n > 0;

	if (w->begin > now->judged)
		now->newest += w->begin - now->judged;
	now->judged = w->begin + w->length;
	if (many) {
		if (!lasts)
			now->begin = w->begin;
		if (w->begin > now->newest)
			now->newest = w->begin;
	} else if (!lasts || w->begin >= now->newest + KEEP_SLOPE_NS) {
		now->slope = (struct slope){ };
		return;
	}
	slope_take(&now->slope, w, &w->node[node]);
}

/* The first snapshot in a recording that begins at @time, or NULL. */
static const struct overflow *first_since(const struct overflows *o, uint64_t time)
{
	const struct overflow *each;
	unsigned int i;

	for (i = 0; i < SLOPE_OLD; i++) {
		each = &o->old[(o->next + i) % SLOPE_OLD];
		if (each->time && each->time >= time)
			return each;
	}
	return NULL;
}

bool overflows_write(const struct overflows *o, unsigned int node, uint64_t time,
		     char line[FACT_LINE])
{
	const struct overflow *first = first_since(o, time);
	const struct slope *s;
	int end;

	if (!first || !(first->slope.n > 0) || first->begin >= time)
		return false;
	s = &first->slope;
	end = snprintf(line, FACT_LINE, "slope.%u=%llu %llu %llu %llu", node,
		       (unsigned long long)first->time, (unsigned long long)first->begin,
		       (unsigned long long)first->newest, (unsigned long long)first->judged);
	snprintf(line + end, FACT_LINE - end,
		 " %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g", s->n,
		 s->stays, s->w, s->ww, s->x, s->y, s->xx, s->xy, s->yy, s->now.w, s->now.x,
		 s->now.y);
	return true;
}

static bool is_sum(double value)
{
	return isfinite(value) && value >= 0;
}

static bool are_sums(const struct slope *s)
{
	return is_sum(s->n) && is_sum(s->stays) && is_sum(s->w) && is_sum(s->ww) && is_sum(s->x) &&
	       is_sum(s->y) && is_sum(s->xx) && is_sum(s->xy) && is_sum(s->yy) &&
	       is_sum(s->now.w) && is_sum(s->now.x) && is_sum(s->now.y);
}

bool overflows_parse(struct overflows *o, unsigned int nodes, const char *line)
{
	unsigned long long time, begin, newest, judged;
	unsigned int node;
	struct slope s;
	int end = 0;

	if (sscanf(line, "slope.%2u=%llu %llu %llu %llu %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf%n",
		   &node, &time, &begin, &newest, &judged, &s.n, &s.stays, &s.w, &s.ww, &s.x, &s.y,
		   &s.xx, &s.xy, &s.yy, &s.now.w, &s.now.x, &s.now.y, &end) != 17 ||
	    !end || line[end] || node >= nodes || begin > newest || newest > judged ||
	    judged > time || !are_sums(&s))
		return false;
	o[node].given = (struct overflow){
		.time = time, .begin = begin, .newest = newest, .judged = judged, .slope = s,
	};
	return true;
}
