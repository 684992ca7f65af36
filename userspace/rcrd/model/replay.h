/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replay.h - judge a recording, for rcrd --replay. */
#ifndef RCRD_REPLAY_H
#define RCRD_REPLAY_H

#include <stdbool.h>

#include "model/bounds.h"
#include "model/machine.h"

/**
 * struct replay - options of a replay
 * @path: file with a stream of 'rcrstat -f raw' or 'rcrctl record fetch'
 * @bounds: thresholds
 * @capacity: maximum memory bandwidth of each node, bytes per second; 0: not given
 * @latency: memory read latency without load, cycles; 0: not given
 * @json: print JSON
 */
struct replay {
	const char *path;
	struct bounds bounds;
	double capacity, latency;
	bool json;
};

/* Prints the verdicts. Returns the exit status. */
int replay_file(const struct replay *r);

#endif
