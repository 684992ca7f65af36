// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sweep.c - selects the loads to measure: equally spaced in the logarithm of the load, first over
 * the whole range, then twice around the estimated knee.
 *
 * Pure: also compiled into the unit tests.
 */
#include <math.h>

#include "sweep.h"

#define LOWEST (1. / 64)	/* fraction of the full load */

static bool measure_step(struct sweep *s, double load)
{
	return s->measure(s->to, load, &s->point[s->count++]);
}

static bool round_between(struct sweep *s, double from, double to)
{
	unsigned int i;

	for (i = 0; i < s->steps; i++)
		if (!measure_step(s, from * pow(to / from, i / (s->steps - 1.))))
			return false;
	return true;
}

/* Covers the same factor on both sides, limited by full load. */
static bool round_about(struct sweep *s, double centre, double times)
{
	return round_between(s, centre / times, fmin(centre * times, 1));
}

bool sweep_run(struct sweep *s)
{
	double coarse = pow(LOWEST, -1 / (s->steps - 1.)), times;

	s->count = 0;
	if (!round_between(s, LOWEST, 1))
		return false;
	/* The knee is within one step of the guess; the fit needs points on both sides. */
	times = fmax(1.5, coarse * 1.1);
	if (!round_about(s, knee_guess(s->point, s->count), times))
		return false;
	s->answer = knee_find(s->point, s->count, &s->knee);
	if (!round_about(s, s->answer == KNEE_FOUND ? s->knee.load :
			 knee_guess(s->point, s->count), 1.45))
		return false;
	s->answer = knee_find(s->point, s->count, &s->knee);
	return true;
}
