/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recorder.h - the flight recorder: save the samples before a trigger. */
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
 * @dir: descriptor of STORE_PATH
 * @reader: stream of sets and marks
 * @oom: OOM kills; @oom.fd is -1 if the tracepoint is not available
 * @no_oom: why the tracepoint is not available
 * @crossings: watched bounds
 * @state: state that survives a restart
 * @loop: event loop
 * @stream: event source of @reader
 * @kills: event source of @oom
 * @save: timer that writes @state
 * @expire: timer that closes @before
 * @armed_ns: time when the recorder was armed, CLOCK_MONOTONIC, ns
 * @run: run of the current set; NULL: its rings could not be mapped
 * @before: run of the previous set, while a window may span both; or NULL
 * @ready: the next trigger will be recorded
 * @recovers: the triggers being read are from before the start of rcrd
 * @failed: the stream can no longer be read
 * @reason: why nothing is recorded, or empty
 * @changed: called with @run when the set has changed, while @before is still open
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
 * Starts the recorder. The caller must have set @dir, @reader, @oom, @no_oom, @changed and
 * @changed_arg, and read @state from its file. If the recorder was armed, it remains armed, and
 * marks that are still in the stream trigger it. Returns 0, or -1 with @why filled in.
 */
int recorder_begin(struct recorder *r, struct loop *loop, struct why *why);

/* Writes the pending state after the loop has ended. */
void recorder_end(struct recorder *r);

/* Answers the requests of 'rcrctl record'; see control_take. @recorder: struct recorder. */
int recorder_take(void *recorder, const struct caller *caller, const struct request *q,
		  struct answer *answer, struct why *why);

#endif
