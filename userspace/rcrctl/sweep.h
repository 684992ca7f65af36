/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sweep.h - asks a resource for more and more, and closes in on its knee.
 */
#ifndef RCRCTL_SWEEP_H
#define RCRCTL_SWEEP_H

#include <stdbool.h>

#include "knee.h"

#define SWEEP_ROUNDS	3
#define SWEEP_STEPS_MIN	6	/* of a round */
#define SWEEP_STEPS_MAX	(KNEE_POINTS / SWEEP_ROUNDS)

/**
 * struct sweep - a sweep over the load
 * @steps: of each round
 * @measure: asks for a load, up to 1, and says how the resource fares; false
 *	ends the sweep
 * @to: its first argument
 * @count: entries of @point
 * @point: how it fared, in the order in which it was asked
 * @answer: what is known of the knee
 * @knee: where it is
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

/* False where it was ended. The first four of @s are given. */
bool sweep_run(struct sweep *s);

#endif
