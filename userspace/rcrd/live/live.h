/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live.h - judge the samples of this machine. Without contention, the rings are read once a second,
 * and when the module reports that a meter has reached its contention level.
 */
#ifndef RCRD_LIVE_H
#define RCRD_LIVE_H

#include "control.h"
#include "live/announce.h"
#include "live/book.h"
#include "live/evidence.h"
#include "live/focus.h"
#include "live/follow.h"
#include "loop.h"
#include "trigger/crossing.h"
#include "where/where.h"

/**
 * struct live - the models on this machine
 * @loop: event loop
 * @control: connection to the module
 * @soon: timer that reads the rings while the engine is alert
 * @crossings: meters that cross their contention levels
 * @machine: nodes and limits of the machine
 * @bounds: thresholds
 * @run: current run; NULL: none
 * @follow: reader of its rings; NULL: none
 * @engine: models
 * @first: time from which on samples are judged, ns; 0: no set was judged yet
 * @family: CPU family of the newest set, for the names of missing events
 * @limits_of: count of changes of the board when the limits were read; odd: read them again
 * @book: newest verdicts
 * @announce: published states
 * @focus: events that are added for a suspected model
 * @where: code that takes part in a contention
 * @dir: descriptor of the directory of evidence
 * @evidence: maximum size of all evidence, bytes; 0: keep none
 * @kept: by finding and node: @since of the contention of which evidence was saved, or could not be
 */
struct live {
	struct loop *loop;
	struct rcr_control *control;
	struct loop_source soon;
	struct crossings crossings;
	struct machine machine;
	struct bounds bounds;
	struct run *run;
	struct follow *follow;
	struct engine *engine;
	uint64_t first;
	char family[32];
	uint32_t limits_of;
	struct book book;
	struct announce announce;
	struct focus focus;
	struct where where;
	int dir;
	uint64_t evidence;
	uint64_t kept[FINDINGS][MACHINE_NODES];
};

/*
 * Reads the thresholds and, unless @observes, creates the meters to post to, which needs root. The
 * caller must have set @dir and @evidence. Returns 0, or -1 with @why filled in.
 */
int live_open(struct live *l, struct rcr_control *control, bool observes, struct why *why);

/* Begins to judge; @groups: socket to rcrd-set, or -1. Returns 0, or -1 with @why filled in. */
int live_begin(struct live *l, struct loop *loop, int groups, struct why *why);

/* Changes to the run of a new set, or to none (NULL). The last run must still be open. */
void live_change(void *live, struct run *run);

/* Reads the thresholds again. Logs the result; if they are invalid, keeps the old ones. */
void live_reload(void *live);

/* Must be called each second. */
void live_beat(struct live *l);

/* Posts all states as unknown. */
void live_end(struct live *l);

/* Answers REQUEST_WHY and REQUEST_VERDICTS; see control_take. */
int live_answer(struct live *l, const struct caller *caller, const struct request *q,
		struct answer *answer, struct why *why);

#endif
