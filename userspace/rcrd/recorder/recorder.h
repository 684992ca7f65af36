/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recorder.h - the flight recorder: keeps what was sampled before something happened.
 */
#ifndef RCRD_RECORDER_H
#define RCRD_RECORDER_H

#include "control.h"
#include "crossing.h"
#include "loop.h"
#include "oom.h"
#include "rcr.h"
#include "run.h"
#include "state.h"

/**
 * struct recorder - the recorder
 * @dir: descriptor of its directory
 * @reader: stream of sets and marks
 * @oom: kills; @oom.fd is -1 where the kernel's cannot be heard
 * @no_oom: why, then
 * @crossings: bounds that are watched
 * @state: what survives a restart
 * @loop: the loop that it runs in
 * @stream: source of @reader
 * @kills: source of @oom
 * @save: timer: writes @state
 * @expire: timer: closes @before
 * @armed_ns: CLOCK_MONOTONIC of the arming
 * @run: the set that is counted; NULL: its rings could not be mapped
 * @before: the one before it, while a window may span both; or NULL
 * @ready: the next trigger is taken
 * @recovers: marks are read that were made while no rcrd was running
 * @failed: the stream cannot be read any more
 * @reason: why nothing is recorded, if so
 */
struct recorder {
	int dir;
	struct rcr_reader *reader;
	struct oom oom;
	struct why no_oom;
	struct crossings crossings;
	struct state state;
	struct loop *loop;
	struct loop_source stream;
	struct loop_source kills;
	struct loop_source save;
	struct loop_source expire;
	uint64_t armed_ns;
	struct run *run;
	struct run *before;
	bool ready;
	bool recovers;
	bool failed;
	struct why reason;
};

/*
 * Begins: the caller has filled in @dir, @reader, @oom and @no_oom, and @state as it was
 * read. What was armed is armed again, and marks that are still there trigger. Returns 0,
 * or -1 with the reason.
 */
int recorder_begin(struct recorder *r, struct loop *loop, struct why *why);

/* Writes what is not written yet, when the loop has ended. */
void recorder_end(struct recorder *r);

/* A control_take, with the recorder as @arg. */
int recorder_take(void *recorder, const struct caller *caller, const struct request *q,
		  struct answer *answer, struct why *why);

#endif
