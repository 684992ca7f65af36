/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * verdicts.h - the page that clients of blackboard 2 read. It has no verdicts yet: it shows
 * that rcrd is alive.
 */
#ifndef RCRD_VERDICTS_H
#define RCRD_VERDICTS_H

#include "rcr_board2.h"
#include "why.h"

/* From one heartbeat to the next, ns. A test has a shorter one. */
#ifndef VERDICTS_BEAT_NS
#define VERDICTS_BEAT_NS 1000000000ull
#endif

/**
 * struct verdicts - the page
 * @fd: that is passed to clients: reading only, and sealed
 * @page: mapped before it was sealed
 * @began_ns: CLOCK_MONOTONIC when it was made
 * @began_tsc: TSC then
 */
struct verdicts {
	int fd;
	struct rcr_verdicts *page;
	uint64_t began_ns;
	uint64_t began_tsc;
};

/* Makes it; 0, or -1 with the reason. */
int verdicts_open(struct verdicts *v, struct why *why);

/* rcrd is alive. */
void verdicts_beat(struct verdicts *v);

/* How long ago that TSC was, ns; 0 for one that is yet to come. */
uint64_t verdicts_age_ns(const struct verdicts *v, uint64_t tsc);

#endif
