/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * announce.h - publishes verdicts: a meter of blackboard 1 for each model, and a mark in the stream
 * for each change.
 */
#ifndef RCRD_ANNOUNCE_H
#define RCRD_ANNOUNCE_H

#include "model/engine.h"
#include "rcr_control.h"
#include "why.h"

/**
 * struct announce - published states
 * @control: connection to the module
 * @nodes: of the machine
 * @since_ns: CLOCK_MONOTONIC of the newest post, ns
 * @posted: enum verdict_state of each meter for the machine (entry 0) and node n (entry n + 1)
 * @is_gone: root has removed the meter
 * @failed: the latest post has failed, which is logged once
 */
struct announce {
	struct rcr_control *control;
	unsigned int nodes;
	uint64_t since_ns;
	enum verdict_state posted[MODELS][MACHINE_NODES + 1];
	bool is_gone[MODELS];
	bool failed;
};

/*
 * Makes the meters, and sets their limits, for which root is needed. Returns 0, or -1 with @why
 * filled in.
 */
int announce_open(struct announce *a, struct rcr_control *control, unsigned int nodes,
		  struct why *why);

/* Posts the states of the engine, those that have changed and, at times, all of them. */
void announce_states(struct announce *a, const struct engine *e);

/* Adds the mark of a verdict to the stream. */
void announce_mark(struct announce *a, const struct verdict *v);

/* Posts that there are no states: rcrd ends, or cannot read samples. */
void announce_unknown(struct announce *a);

#endif
