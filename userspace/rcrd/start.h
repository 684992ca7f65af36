/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * start.h - from root with nothing open to the user rcrtool with all that rcrd needs.
 */
#ifndef RCRD_START_H
#define RCRD_START_H

#include "loop.h"
#include "post/post.h"
#include "recorder/recorder.h"
#include "threads/verdicts.h"

/**
 * struct daemon - rcrd
 * @loop: its loop
 * @signals: that end it
 * @recorder: the flight recorder
 * @post: network meters, the public board and formulas
 * @verdicts: page for the clients of blackboard 2
 */
struct daemon {
	struct loop loop;
	struct loop_source signals;
	struct recorder recorder;
	struct post post;
	struct verdicts verdicts;
};

/*
 * Everything before the loop runs. Returns 0, or -1 with the reason: then the caller must
 * exit, and nothing that others see has changed.
 */
int start_daemon(struct daemon *d, struct why *why);

#endif
