/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * where.h - find the code that takes part in a contention. During a contention, ticks record the
 * addresses that they interrupt. The mappings of processes are tracked all the time.
 */
#ifndef RCRD_WHERE_H
#define RCRD_WHERE_H

#include "control.h"
#include "loop.h"
#include "model/engine.h"
#include "rcr.h"
#include "recorder/run.h"
#include "where/profile.h"
#include "where/track.h"

/* Counts that a profile sums. */
enum where_measure {
	MEASURE_TIME,		/* TSC cycles, if the set does not count requests */
	MEASURE_REQUESTS,	/* L3 requests */
	MEASURE_MODIFIED,	/* lines that another core had modified */
	MEASURES
};

/**
 * struct where - profiles of this machine
 * @track: changes of mappings
 * @uevents: event source for the uevents of @track
 * @mappings: mappings of all processes
 * @machine: nodes of the CPUs
 * @reader: while it is open, ticks record places; NULL: closed
 * @cpus: number of entries in @places and @last
 * @places: ring of places of each CPU
 * @last: newest sample of each CPU
 * @signals: signals of the set that @places and @last belong to
 * @generation: generation of that set
 * @again_ns: after a failure, time of the next attempt to open @places, ns
 * @missing: why there are no places, or empty
 * @serial: serial number of the newest profile
 * @profile: the newest profiles
 * @measure: measure of each profile
 * @active: by finding and node: entry of the profile of a contention that lasts, plus 1; 0: none
 */
struct where {
	struct track track;
	struct loop_source uevents;
	struct mappings mappings;
	const struct machine *machine;
	struct rcr_reader *reader;
	unsigned int cpus;
	struct rcr_places **places;
	struct rcr_record **last;
	struct signals signals;
	uint32_t generation;
	uint64_t again_ns;
	struct why missing;
	uint64_t serial;
	struct profile profile[PROFILES];
	enum where_measure measure[PROFILES];
	uint8_t active[FINDINGS][MACHINE_NODES];
};

/* Begins to track mappings, which needs root. Failures are logged, and leave code unnamed. */
void where_open(struct where *w, const struct machine *machine, struct loop *loop);

/* Adds the next item of the stream; the engine must have judged it. */
void where_item(struct where *w, const struct rcr_set *set, const struct rcr_item *item);

/* Begins and ends profiles. Call it after samples were judged; @e: NULL if they cannot be. */
void where_step(struct where *w, struct engine *e);

/* Closes the rings of places of the old set after the set has changed. */
void where_change(struct where *w);

/* Forgets processes that have ended. Must be called each second. */
void where_beat(struct where *w);

/* Answers REQUEST_WHERE; see control_take. */
int where_answer(struct where *w, const struct caller *caller, const struct request *q,
		 struct answer *answer, struct why *why);

#endif
