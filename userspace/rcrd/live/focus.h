/* SPDX-License-Identifier: GPL-2.0-or-later */
/* focus.h - ask rcrd-set to count the events of a model that suspects contention. */
#ifndef RCRD_FOCUS_H
#define RCRD_FOCUS_H

#include "loop.h"
#include "model/engine.h"

/* Minimum time between two changes of the set, ns. */
#define FOCUS_NS	10000000000ull

/* Time until a refused group is requested again, ns. */
#define FOCUS_AGAIN_NS	60000000000ull

enum focus_state {
	FOCUS_NONE,		/* no group is held */
	FOCUS_ASKED,		/* waiting for the answer to "hold" */
	FOCUS_HELD,
	FOCUS_RELEASED,		/* waiting for the answer to "release" */
};

/**
 * struct focus - the group of events that rcrd-set holds for a model
 * @source: socket to rcrd-set; fd is -1 if it does not run
 * @loop: event loop
 * @state: state of the group
 * @model: model that the group belongs to
 * @next_ns: earliest time of the next change of the set, CLOCK_MONOTONIC, ns
 * @wanted_ns: when @model was last suspected, CLOCK_MONOTONIC, ns
 * @again_ns: by model: earliest time of the next request after a refusal, CLOCK_MONOTONIC, ns
 * @refusal: by model: reason of the last refusal, or empty
 */
struct focus {
	struct loop_source source;
	struct loop *loop;
	enum focus_state state;
	enum model model;
	uint64_t next_ns, wanted_ns;
	uint64_t again_ns[MODELS];
	char refusal[MODELS][256];
};

/* @fd: socket to rcrd-set, or -1. Returns 0, or -1 with errno. */
int focus_begin(struct focus *f, struct loop *loop, int fd);

/* Requests the group of a suspected model, unless another one is held or it is too early. */
void focus_want(struct focus *f, enum model model);

/* Releases the group if its model has not been suspected for FOCUS_NS. */
void focus_step(struct focus *f);

#endif
