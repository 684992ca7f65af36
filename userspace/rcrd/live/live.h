/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live.h - judges the samples of this machine. While nothing is contended, it reads the rings once
 * a second, or when the module reports that a meter has reached its contention level.
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
 * @soon: reads the rings again while something is contended
 * @crossings: contention levels of meters
 * @machine: nodes and limits
 * @bounds: thresholds
 * @run: whose rings are read; NULL: none
 * @follow: reads them
 * @engine: judges
 * @first: time from which on samples are judged, ns; 0: no set was judged yet
 * @family: of the newest set, for the names of missing events
 * @limits_of: count of changes of the board when limits were taken; odd: take them again
 * @book: verdicts
 * @announce: publishes states
 * @focus: events that are added for a suspected model
 * @where: in which code it is
 * @dir: descriptor of the directory of evidence
 * @evidence: bytes that all of it may have; 0: none is kept
 * @is_kept: by finding and node: the contention that lasts has its file
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
	bool is_kept[FINDINGS][MACHINE_NODES];
};

/*
 * Reads the thresholds, and makes what needs root; with @observes, nothing is posted. The caller
 * has filled in @dir and @evidence. Returns 0, or -1 with @why filled in.
 */
int live_open(struct live *l, struct rcr_control *control, bool observes, struct why *why);

/* @groups: socket to rcrd-set, or -1. Returns 0, or -1 with @why filled in. */
int live_begin(struct live *l, struct loop *loop, int groups, struct why *why);

/* Takes the run of a new set; the one before is still open. @run may be NULL. */
void live_change(void *live, struct run *run);

/* Reads the thresholds again; if they are invalid, that is logged, and the old ones stay. */
void live_reload(void *live);

/* To be called each second. */
void live_beat(struct live *l);

void live_end(struct live *l);

/* A control_take for REQUEST_WHY and REQUEST_VERDICTS. */
int live_answer(struct live *l, const struct caller *caller, const struct request *q,
		struct answer *answer, struct why *why);

#endif
