/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * judge.h - the models: what the facts of a window mean. They have no clock, read nothing and keep
 * nothing: the same facts give the same levels.
 */
#ifndef RCRD_JUDGE_H
#define RCRD_JUDGE_H

#include "model/bounds.h"
#include "model/facts.h"
#include "model/finding.h"
#include "model/past.h"
#include "model/slope.h"

/**
 * struct judgement - what a judge reads
 * @machine: the machine
 * @facts: of each node
 * @node: the node to judge
 * @window: the window
 * @pasts: of its processes
 * @slope: of the node
 * @bounds: thresholds
 * @ease: factor of the bounds that a load must reach: 1, or less to see whether it is over
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

/* True if a cache overflows, as far as its misses show. */
bool judge_overflows(const struct judgement *j);

/* Each sets the VERDICT_ level of its findings in level[FINDINGS], which is zeroed before. */
void judge_memory(const struct judgement *j, uint8_t *level);
void judge_cache(const struct judgement *j, uint8_t *level);

/* True if a value that is known reaches a bound, with the ease. */
bool judge_reaches(const struct judgement *j, double value, enum bound bound);

#endif
