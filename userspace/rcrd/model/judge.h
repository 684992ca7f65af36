/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * judge.h - the models: judge the facts of a window. They use no clock, input or state of their
 * own, so that the same facts always give the same levels.
 */
#ifndef RCRD_JUDGE_H
#define RCRD_JUDGE_H

#include "model/bounds.h"
#include "model/facts.h"
#include "model/finding.h"
#include "model/past.h"
#include "model/slope.h"

/**
 * struct judgement - input of a model
 * @machine: the machine
 * @facts: facts of each node
 * @node: the node to judge
 * @window: the window
 * @pasts: history of the processes
 * @slope: slope of the node's L3 misses
 * @bounds: thresholds
 * @ease: factor applied to the thresholds: 1, or less to check whether contention has ended
 */
struct judgement {
	const struct machine *machine;
	const struct facts *facts;
	unsigned int node;
	const struct window *window;
	struct pasts *pasts;
	const struct slope *slope;
	const struct bounds *bounds;
	double ease;
};

/* True if misses, miss ratio and busy CPUs are high enough for an overflow of the L3. */
bool judge_overflows(const struct judgement *j);

/* Set the enum verdict_state of the model's findings in level[FINDINGS], which must be zeroed. */
void judge_memory(const struct judgement *j, uint8_t *level);
void judge_cache(const struct judgement *j, uint8_t *level);

/* True if @value is known and reaches the threshold @bound times @ease. */
bool judge_reaches(const struct judgement *j, double value, enum bound bound);

#endif
