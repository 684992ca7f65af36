// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * judge_cache.c - the cache model (RCRTool Design Document, sections 6.2 and 8.2): decides whether
 * the L3 overflows, which process causes it, and whether cores contend for lines.
 *
 * Ticks that find fewer CPUs busy show whether fewer threads would help: if misses rise with the
 * number of busy CPUs, the working sets fit the L3 one by one, but not together.
 */
#include "model/judge.h"

static double fair_share(const struct facts *f)
{
	return f->processes ? 1.0 / f->processes : 1;
}

/* A process other than the one with the most requests is slower than in its quiet windows. */
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

/* The L3 overflows, and no process makes far more requests than the others. */
static void judge_by_slope(const struct judgement *j, uint8_t *level, enum verdict_state high)
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
 * Fraction of a process's cycles that it takes to fetch lines that another core has modified; 0 if
 * only a few of its requests find such a line.
 */
static double contested_fraction(const struct judgement *j, const struct window_process *w)
{
	double requests = w->sum[SIGNAL_REQUESTS], cycles = w->sum[SIGNAL_CYCLES];

	if (!(requests > 0) || !(cycles > 0) ||
	    !judge_reaches(j, w->sum[SIGNAL_MODIFIED] / requests, BOUND_MODIFIED))
		return 0;
	return w->sum[SIGNAL_TRANSFER] * j->bounds->value[BOUND_MODIFIED_CYCLES] / cycles;
}

/* A single process is sufficient: it may have threads on several cores. */
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
		part = contested_fraction(j, &j->window->process[i]);
		most = part > most ? part : most;
	}
	if (judge_reaches(j, most, BOUND_BUSY_MODIFIED_TIME))
		level[FINDING_LINES] = VERDICT_BUSY;
	else if (judge_reaches(j, most, BOUND_MODIFIED_TIME))
		level[FINDING_LINES] = VERDICT_CONTENTION;
}

bool judge_overflows(const struct judgement *j)
{
	const struct facts *f = &j->facts[j->node];

	return judge_reaches(j, f->misses, BOUND_MISSES) &&
	       judge_reaches(j, f->miss_ratio, BOUND_MISS_RATIO) &&
	       judge_reaches(j, f->busy, BOUND_BUSY_CPUS);
}

void judge_cache(const struct judgement *j, uint8_t *level)
{
	const struct facts *f = &j->facts[j->node];
	enum verdict_state high = judge_reaches(j, f->miss_ratio, BOUND_BUSY_MISS_RATIO) ?
				  VERDICT_BUSY : VERDICT_CONTENTION;

	judge_lines(j, level);
	if (!judge_overflows(j))
		return;
	if (is_one(j, f))
		level[FINDING_ONE] = high;
	else
		judge_by_slope(j, level, high);
}
