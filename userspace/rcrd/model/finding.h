/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * finding.h - what models can find on a node, and how long it must last to be a state.
 */
#ifndef RCRD_FINDING_H
#define RCRD_FINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "model/signals.h"

enum finding {
	/* Memory. */
	FINDING_BANDWIDTH,	/* more is asked of memory than it can do */
	FINDING_IMBALANCE,	/* of one memory, while others could do more */
	FINDING_REMOTE,		/* processes read memory of other nodes */
	FINDING_CONFLICTS,	/* rows are closed for each other */
	FINDING_DEVICE,		/* a device fills memory */
	FINDING_CHASE,		/* one read waits for the other: no contention */
	FINDING_SLOWER,		/* memory is slower than it was: no contention */
	/* Cache. */
	FINDING_ONE,		/* one process takes the cache from others */
	FINDING_SUM,		/* only together they need more than the cache */
	FINDING_EACH,		/* each needs more than the cache */
	FINDING_OVERFLOW,	/* one of the two: CPUs were idle too seldom to know which */
	FINDING_SHARING,	/* the more run, the fewer misses: no contention */
	FINDING_LINES,		/* processes or threads write lines of each other */
	FINDINGS
};

enum model {
	MODEL_MEMORY,
	MODEL_CACHE,
	MODELS,
};

enum verdict_state {
	VERDICT_OK,
	VERDICT_LOG,		/* worth a line: nobody suffers from it */
	VERDICT_CONTENTION,
	VERDICT_BUSY,
	VERDICT_UNKNOWN,	/* the set does not count an event that it needs */
};

/* Is something found? */
static inline bool verdict_is_raised(enum verdict_state state)
{
	return state != VERDICT_OK && state != VERDICT_UNKNOWN;
}

enum model finding_model(enum finding finding);

/* "memory", "bandwidth", "ok" */
const char *model_name(enum model model);
const char *finding_name(enum finding finding);
const char *verdict_state_name(enum verdict_state state);

/* Signals without which a finding is unknown. */
uint32_t finding_needs(enum finding finding);

/* No contention, whatever it costs. */
bool finding_is_note(enum finding finding);

#define STATE_WINDOWS	5	/* that are remembered */
#define STATE_AGREE	3	/* of these make a state */

/**
 * struct finding_state - state of a finding on a node; zeroed: ok
 * @state: the state
 * @since: begin of the first window of the state above VERDICT_OK, ns
 * @until: end of the newest window that was not clean, ns
 * @changed: when @state was set, ns
 * @hold: least time of a state before it falls, ns
 * @level: VERDICT_ values of the newest windows, newest first
 * @clean: the newest windows were below the bounds by a fifth, likewise
 * @begin: their begin, likewise, ns
 */
struct finding_state {
	enum verdict_state state;
	uint64_t since, until, changed, hold;
	uint8_t level[STATE_WINDOWS];
	bool clean[STATE_WINDOWS];
	uint64_t begin[STATE_WINDOWS];
};

/**
 * finding_step() - take the level of the next window
 * @s: the state
 * @begin: begin of the window, ns
 * @end: its end
 * @level: VERDICT_OK, _LOG, _CONTENTION or _BUSY by the bounds
 * @clean: VERDICT_OK by four fifths of the bounds
 *
 * A state rises when three of five windows agree. It falls to ok after five clean windows, and
 * lasts for a second at least: for up to 16 if it comes and goes.
 *
 * Return: true if the state has changed.
 */
bool finding_step(struct finding_state *s, uint64_t begin, uint64_t end,
		  enum verdict_state level, bool clean);

#endif
