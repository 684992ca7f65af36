/* SPDX-License-Identifier: GPL-2.0-or-later */
/* start.h - the transition from root to the user rcrtool with everything open. */
#ifndef RCRD_START_H
#define RCRD_START_H

#include "live/live.h"
#include "loop.h"
#include "post/post.h"
#include "recorder/recorder.h"
#include "threads/verdicts.h"

/**
 * struct daemon - rcrd
 * @loop: event loop
 * @recorder: the flight recorder
 * @post: network meters, the public board and formulas
 * @verdicts: page for the clients of blackboard 2
 * @live: the models
 */
struct daemon {
	struct loop loop;
	struct recorder recorder;
	struct post post;
	struct verdicts verdicts;
	struct live live;
};

/*
 * Prepares everything before the loop runs; @groups and @observes as in struct daemon_options.
 * Returns 0, or -1 with @why filled in: then the caller must exit.
 */
int start_daemon(struct daemon *d, int groups, bool observes, struct why *why);

#endif
