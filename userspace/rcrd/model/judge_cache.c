// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * judge_cache.c - the cache model (RCRTool Design Document, sections 6.2 and 8.2): which process
 * has more than its part of the L3, would fewer threads help, and are lines contested?
 *
 * Would fewer threads help? Ticks in which fewer CPUs of an L3 are busy are an experiment that
 * nobody had to make: if misses rise with the busy CPUs, only the sum of their working sets is too
 * big.
 */
#include <math.h>

#include "model/judge.h"

#define MUCH_VARIATION	0.02	/* of the busy CPUs: with less there is no slope */
#define MUCH_CHANGE	0.3	/* of misses: less helps nobody, however certain it is */

void slope_take(struct slope *s, const struct window *w, const struct window_node *n)
{
	unsigned int i;

	for (i = 0; i < w->slices; i++) {
		const struct window_slice *each = &n->slice[i];
		double ratio;

		if (each->whole < 0.99 || !(each->requests > 0))
			continue;
		ratio = each->misses / each->requests;
		s->n++;
		s->x += each->busy;
		s->y += ratio;
		s->xx += each->busy * each->busy;
		s->xy += each->busy * ratio;
		s->yy += ratio * ratio;
	}
}

enum slope_kind slope_kind(const struct slope *s, double errors)
{
	double xx = s->xx - s->x * s->x / s->n, xy = s->xy - s->x * s->y / s->n;
	double yy = s->yy - s->y * s->y / s->n, mean = s->x / s->n, error, change;

	if (s->n < SLOPE_LEAST)
		return SLOPE_WAIT;
	if (!(xx / s->n > MUCH_VARIATION * MUCH_VARIATION * mean * mean))
		return SLOPE_UNKNOWN;
	error = sqrt((yy - xy * xy / xx > 0 ? yy - xy * xy / xx : 0) / (s->n - 2) / xx);
	/* By how many times the part of a CPU that comes or goes do misses change? */
	change = xy / xx * mean / (s->y / s->n);
	if (fabs(xy / xx) < errors * error || fabs(change) < MUCH_CHANGE)
		return SLOPE_FLAT;
	return change > 0 ? SLOPE_UP : SLOPE_DOWN;
}

static double fair_share(const struct facts *f)
{
	return f->processes ? 1.0 / f->processes : 1;
}

/* A process other than the one with the most requests is worse off than in its quiet time. */
static bool has_victim(const struct judgement *j, const struct facts *f)
{
	unsigned int i;

	for (i = 0; i < j->window->processes; i++) {
		const struct window_process *w = &j->window->process[i];

		if ((int)i != f->top && w->node == j->node &&
		    past_suffers(pasts_find(j->pasts, w->tgid, w->node), w,
				 j->bounds->value[BOUND_VICTIM]))
			return true;
	}
	return false;
}

static bool is_one(const struct judgement *j, const struct facts *f)
{
	double bound = j->bounds->value[BOUND_ONE_SHARE] * fair_share(f);

	if (bound > j->bounds->value[BOUND_ONE_MOST])
		bound = j->bounds->value[BOUND_ONE_MOST];
	return f->processes > 1 && f->top_share >= bound * j->ease &&
	       judge_reaches(j, f->others_ratio, BOUND_MISS_RATIO) && has_victim(j, f);
}

/* What overflows the cache when no process has much more than the others. */
static void judge_all(const struct judgement *j, uint8_t *level, enum verdict_state high)
{
	switch (slope_kind(j->slope, j->bounds->value[BOUND_SLOPE])) {
	case SLOPE_WAIT:
		break;
	case SLOPE_UNKNOWN:
		level[FINDING_OVERFLOW] = VERDICT_LOG;
		break;
	case SLOPE_DOWN:
		level[FINDING_SHARING] = VERDICT_LOG;
		break;
	case SLOPE_FLAT:
		level[FINDING_EACH] = high;
		break;
	case SLOPE_UP:
		level[FINDING_SUM] = high;
		break;
	}
}

/*
 * The part of a process's cycles that lines took which another core had modified; 0 if these are
 * few of its requests.
 */
static double contested_time(const struct judgement *j, const struct window_process *w)
{
	double requests = w->sum[SIGNAL_REQUESTS], cycles = w->sum[SIGNAL_CYCLES];

	if (!(requests > 0) || !(cycles > 0) ||
	    !judge_reaches(j, w->sum[SIGNAL_MODIFIED] / requests, BOUND_MODIFIED))
		return 0;
	return w->sum[SIGNAL_MODIFIED] * j->bounds->value[BOUND_MODIFIED_CYCLES] / cycles;
}

/* One process is enough: it may have threads on several cores. */
static void judge_lines(const struct judgement *j, uint8_t *level)
{
	const struct window_node *n = &j->window->node[j->node];
	double most = 0, part;
	unsigned int i;

	if (n->invalid & finding_needs(FINDING_LINES))
		return;
	for (i = 0; i < j->window->processes; i++) {
		if (j->window->process[i].node != j->node)
			continue;
		part = contested_time(j, &j->window->process[i]);
		most = part > most ? part : most;
	}
	if (judge_reaches(j, most, BOUND_BUSY_MODIFIED_TIME))
		level[FINDING_LINES] = VERDICT_BUSY;
	else if (judge_reaches(j, most, BOUND_MODIFIED_TIME))
		level[FINDING_LINES] = VERDICT_CONTENTION;
}

void judge_cache(const struct judgement *j, uint8_t *level)
{
	const struct facts *f = &j->facts[j->node];
	enum verdict_state high = judge_reaches(j, f->miss_ratio, BOUND_BUSY_MISS_RATIO) ?
				  VERDICT_BUSY : VERDICT_CONTENTION;

	judge_lines(j, level);
	if (!judge_reaches(j, f->misses, BOUND_MISSES) ||
	    !judge_reaches(j, f->miss_ratio, BOUND_MISS_RATIO))
		return;
	if (is_one(j, f))
		level[FINDING_ONE] = high;
	else
		judge_all(j, level, high);
}
