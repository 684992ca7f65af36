/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recorder.h - the flight recorder: keeps the samples from before an event. */
#ifndef RCRD_RECORDER_H
#define RCRD_RECORDER_H

#include "control.h"
#include "trigger/crossing.h"
#include "loop.h"
#include "trigger/oom.h"
#include "rcr.h"
#include "run.h"
#include "state.h"

/**
 * struct recorder - the flight recorder
 * @dir: descriptor of its directory
 * @reader: stream of sets and marks
 * @oom: OOM kills; @oom.fd is -1 if the tracepoint is not available
 * @no_oom: the reason in that case
 * @crossings: watched bounds
 * @state: state that survives a restart
 * @loop: event loop
 * @stream: source of @reader
 * @kills: source of @oom
 * @save: timer that writes @state
 * @expire: timer that closes @before
 * @armed_ns: CLOCK_MONOTONIC of the arming
 * @run: the current set; NULL: its rings could not be mapped
 * @before: the previous set while a window may span both; or NULL
 * @ready: the next trigger is recorded
 * @recovers: marks from before the start of rcrd are being read
 * @failed: the stream can no longer be read
 * @reason: why nothing is recorded, or empty
 * @changed: called with the run of each set before that of the set before is closed; NULL: its
 *	rings could not be mapped
 * @changed_arg: first argument of @changed
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
	void (*changed)(void *arg, struct run *run);
	void *changed_arg;
};

/*
 * Starts the recorder. The caller has filled in @dir, @reader, @oom, @no_oom, @changed,
 * @changed_arg, and @state as read from the file. An armed recorder is armed again, and marks that
 * are still in the stream trigger it. Returns 0, or -1 with @why filled in.
 */
int recorder_begin(struct recorder *r, struct loop *loop, struct why *why);

/* Writes the pending state after the loop has ended. */
void recorder_end(struct recorder *r);

/* A control_take, with the recorder as @arg. */
int recorder_take(void *recorder, const struct caller *caller, const struct request *q,
		  struct answer *answer, struct why *why);

#endif
