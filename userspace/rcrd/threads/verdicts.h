/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verdicts.h - the page of verdicts that clients of blackboard 2 read. So far it has only a
 * heartbeat.
 */
#ifndef RCRD_VERDICTS_H
#define RCRD_VERDICTS_H

#include "rcr_board2.h"
#include "why.h"

/* Time between heartbeats, ns. Tests use a shorter one. */
#ifndef VERDICTS_BEAT_NS
#define VERDICTS_BEAT_NS 1000000000ull
#endif

/**
 * struct verdicts - the page
 * @fd: read-only, sealed descriptor to pass to clients
 * @page: writable mapping, created before sealing
 * @began_ns: time when the page was created, CLOCK_MONOTONIC, ns
 * @began_tsc: TSC at that time
 */
struct verdicts {
	int fd;
	struct rcr_verdicts *page;
	uint64_t began_ns;
	uint64_t began_tsc;
};

/* Creates the page. Returns 0, or -1 with @why filled in. */
int verdicts_open(struct verdicts *v, struct why *why);

/* Updates the heartbeat. */
void verdicts_beat(struct verdicts *v);

/* Age of a TSC value, ns; 0 if it is in the future. */
uint64_t verdicts_age_ns(const struct verdicts *v, uint64_t tsc);

#endif
