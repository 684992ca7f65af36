/* SPDX-License-Identifier: GPL-2.0-or-later */
/* focus.h - asks rcrd-set to count the events of a model that is suspected. */
#ifndef RCRD_FOCUS_H
#define RCRD_FOCUS_H

#include "loop.h"
#include "model/engine.h"

/* Time between two changes of the set, ns. */
#define FOCUS_NS	10000000000ull

/* After a refusal, ns. */
#define FOCUS_AGAIN_NS	60000000000ull

enum focus_state {
	FOCUS_NONE,		/* nothing is held */
	FOCUS_ASKED,
	FOCUS_HELD,
	FOCUS_RELEASED,		/* asked to release it */
};

/**
 * struct focus - the group that is held
 * @source: socket to rcrd-set; fd is -1 without it
 * @loop: event loop
 * @state: whether a group is held
 * @model: of the group
 * @next_ns: CLOCK_MONOTONIC from which on the set may be changed again, ns
 * @again_ns: likewise, from which on the group of a model that was refused is asked for again
 * @wanted_ns: when @model was last suspected, ns
 * @refusal: why it has refused the latest group of a model, or empty
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

/* A model is suspected: asks for its group, unless one is held, or it is too early. */
void focus_want(struct focus *f, enum model model);

/* Releases the group when its model was not suspected for FOCUS_NS. */
void focus_step(struct focus *f);

#endif
