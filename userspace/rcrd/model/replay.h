/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replay.h - judges a recording: rcrd --replay. */
#ifndef RCRD_REPLAY_H
#define RCRD_REPLAY_H

#include <stdbool.h>

#include "model/bounds.h"
#include "model/machine.h"

/**
 * struct replay - a recording, and facts that it does not have
 * @path: the file, a stream as 'rcrstat -f raw' or 'rcrctl record fetch' save it
 * @bounds: thresholds
 * @capacity: bytes that the memory of each node moves at most in a second; 0: not known
 * @latency: cycles of a read without load; 0: not known
 * @json: print JSON
 */
struct replay {
	const char *path;
	struct bounds bounds;
	double capacity, latency;
	bool json;
};

/* Prints the verdicts; returns the exit status. */
int replay_file(const struct replay *r);

#endif
