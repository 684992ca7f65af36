/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * finding.h - the findings of the models, and the hysteresis that turns them into states.
 */
#ifndef RCRD_FINDING_H
#define RCRD_FINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "model/signals.h"

enum finding {
	/* Memory. */
	FINDING_BANDWIDTH,	/* memory bandwidth is saturated */
	FINDING_IMBALANCE,	/* one node's memory is saturated, the memory of others is not */
	FINDING_REMOTE,		/* the CPUs of each node access the memory of other nodes */
	FINDING_CONFLICTS,	/* accesses keep closing DRAM rows that other accesses need */
	FINDING_DEVICE,		/* devices cause most of the load of a saturated memory */
	FINDING_CHASE,		/* each read waits for the one before: no contention */
	FINDING_SLOWER,		/* latency is high with nearly no load: no contention */
	/* Cache. */
	FINDING_ONE,		/* one process takes the L3 from the others */
	FINDING_SUM,		/* the L3 overflows only if all processes run at once */
	FINDING_EACH,		/* each process overflows the L3, even alone */
	FINDING_OVERFLOW,	/* SUM or EACH: the busy CPUs vary too little to decide */
	FINDING_SHARING,	/* the more CPUs run, the fewer misses: no contention */
	FINDING_LINES,		/* cores modify the same lines */
	FINDINGS
};

enum model {
	MODEL_MEMORY,
	MODEL_CACHE,
	MODELS,
};

enum verdict_state {
	VERDICT_OK,
	VERDICT_LOG,		/* logged, but not contention */
	VERDICT_CONTENTION,
	VERDICT_BUSY,
	VERDICT_UNKNOWN,	/* not judged; see engine_state() */
};

/* True for the states in which the finding holds. */
static inline bool verdict_is_raised(enum verdict_state state)
{
	return state != VERDICT_OK && state != VERDICT_UNKNOWN;
}

enum model finding_model(enum finding finding);

/* "memory", "bandwidth", "ok" */
const char *model_name(enum model model);
const char *finding_name(enum finding finding);
const char *verdict_state_name(enum verdict_state state);

/* Bit mask of the signals (SIGNAL_BIT) that a finding cannot be judged without. */
uint32_t finding_needs(enum finding finding);

/* True for a finding that is logged but is not contention. */
bool finding_is_note(enum finding finding);

#define STATE_WINDOWS	5	/* newest windows that decide on a state */
#define STATE_AGREE	3	/* of them must reach a state to set it */

/**
 * struct finding_state - state of a finding on a node; zero-initialized: ok
 * @state: current state
 * @since: begin of the first window in which the finding held, ns
 * @until: end of the newest judged window that was not clean, ns; set by the engine
 * @judged: end of the newest window in which the finding was judged, ns
 * @changed: end of the window that set @state, ns
 * @hold: minimum time from @changed until the state may fall, ns
 * @level: enum verdict_state of the newest windows, newest first
 * @clean: by window, as @level: nothing was found, even with the bounds reduced by a fifth
 * @begin: by window, as @level: begin of the window, ns
 */
struct finding_state {
	enum verdict_state state;
	uint64_t since, until, judged, changed, hold;
	uint8_t level[STATE_WINDOWS];
	bool clean[STATE_WINDOWS];
	uint64_t begin[STATE_WINDOWS];
};

/**
 * finding_step() - update the state with the level of the next window
 * @s: the state
 * @begin: begin of the window, ns
 * @end: end of the window, ns
 * @level: level of the window: VERDICT_OK, _LOG, _CONTENTION or _BUSY
 * @clean: the level is VERDICT_OK even with the bounds reduced by a fifth
 *
 * A state rises when three of the newest five windows reach it, and falls to ok after five clean
 * windows. It lasts at least a second; each time that the finding comes back soon, this doubles,
 * up to 16 seconds.
 *
 * Return: true if the state has changed.
 */
bool finding_step(struct finding_state *s, uint64_t begin, uint64_t end,
		  enum verdict_state level, bool clean);

#endif
