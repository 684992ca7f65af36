/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * announce.h - publish verdicts: a meter of blackboard 1 for each model, and a mark in the stream
 * for each change of a state.
 */
#ifndef RCRD_ANNOUNCE_H
#define RCRD_ANNOUNCE_H

#include "model/engine.h"
#include "rcr_control.h"
#include "why.h"

/**
 * struct announce - published states
 * @control: connection to the module; NULL: publish nothing
 * @nodes: number of nodes of the machine
 * @since_ns: when all states were last posted, CLOCK_MONOTONIC, ns
 * @posted: by model: posted state of the machine (entry 0) and of node n (entry n + 1)
 * @is_gone: by model: root has removed the meter
 * @failed: the last post failed, and this has been logged
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
 * Creates the meters and sets their limits, which needs root. Returns 0, or -1 with @why filled in.
 */
int announce_open(struct announce *a, struct rcr_control *control, unsigned int nodes,
		  struct why *why);

/* Posts the states that have changed and, at regular intervals, all states. */
void announce_states(struct announce *a, const struct engine *e);

/* Adds the mark of a verdict to the stream. */
void announce_mark(struct announce *a, const struct verdict *v);

/* Posts all states as unknown, because rcrd ends or cannot read samples. */
void announce_unknown(struct announce *a);

#endif
