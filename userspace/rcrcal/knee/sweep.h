/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sweep.h - measures a resource under increasing load, and then around its knee. */
#ifndef RCRCAL_SWEEP_H
#define RCRCAL_SWEEP_H

#include <stdbool.h>

#include "knee.h"

#define SWEEP_ROUNDS	3
#define SWEEP_STEPS_MIN	6	/* per round */
#define SWEEP_STEPS_MAX	(KNEE_POINTS / SWEEP_ROUNDS)

/**
 * struct sweep - a sweep over the load
 * @steps: measurements per round
 * @measure: measures at @load, up to 1, and fills in @point; returning false ends the sweep
 * @to: first argument of @measure
 * @count: entries of @point
 * @point: measurements in order of time
 * @answer: result of the search for the knee
 * @knee: position of the knee
 */
struct sweep {
	unsigned int steps;
	bool (*measure)(void *to, double load, struct knee_point *point);
	void *to;
	unsigned int count;
	struct knee_point point[KNEE_POINTS];
	enum knee_answer answer;
	struct knee knee;
};

/* Runs a sweep with the first three members of @s set. Returns false if @measure ended it. */
bool sweep_run(struct sweep *s);

#endif
