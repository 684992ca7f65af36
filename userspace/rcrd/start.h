/* SPDX-License-Identifier: GPL-2.0-or-later */
/* start.h - start the daemon: open everything as root, and switch to the user rcrtool. */
#ifndef RCRD_START_H
#define RCRD_START_H

#include "live/live.h"
#include "loop.h"
#include "post/post.h"
#include "recorder/recorder.h"
#include "threads/verdicts.h"

/**
 * struct daemon - all parts of rcrd
 * @loop: event loop
 * @recorder: the flight recorder
 * @post: network meters, the public board and formulas
 * @verdicts: page of verdicts for the clients of blackboard 2
 * @live: models that judge this machine
 */
struct daemon {
	struct loop loop;
	struct recorder recorder;
	struct post post;
	struct verdicts verdicts;
	struct live live;
};

/*
 * Prepares everything for loop_run(); @groups and @observes are as in struct daemon_options.
 * Returns 0, or -1 with @why filled in, after which the caller must exit.
 */
int start_daemon(struct daemon *d, int groups, bool observes, struct why *why);

#endif
