/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * where.h - in which code a contention is. While something is contended ticks write which address
 * they interrupt; else there is only the table of what processes have mapped.
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

/* Which counts a profile has. */
enum where_measure {
	MEASURE_TIME,		/* the set does not count requests: TSC cycles */
	MEASURE_REQUESTS,	/* requests to the L3 */
	MEASURE_MODIFIED,	/* lines that another core had modified */
	MEASURES
};

/**
 * struct where - the profiles of this machine
 * @track: reports what processes map
 * @uevents: of @track
 * @mappings: their mappings
 * @machine: nodes of CPUs
 * @reader: has ticks write places; NULL: they do not
 * @cpus: entries of @places and @last
 * @places: by CPU
 * @last: newest sample of each CPU, of the set with @generation
 * @signals: of that set
 * @generation: of that set
 * @again_ns: after a failure, when places are asked for again
 * @missing: why there are no places, or empty
 * @serial: of the newest profile
 * @profile: the newest ones
 * @measure: of each profile
 * @active: by finding and node: the profile of a contention that lasts, as the number of its entry
 *	and 1; 0: none
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

/* As root: has the kernel report mappings, and reads those that there are. It cannot fail. */
void where_open(struct where *w, const struct machine *machine, struct loop *loop);

/* Takes the next item of the stream, after the engine. */
void where_item(struct where *w, const struct rcr_set *set, const struct rcr_item *item);

/* To be called when the samples up to now were judged; @e is NULL: none can be. */
void where_step(struct where *w, struct engine *e);

/* The set has changed: its samples have other rings. */
void where_change(struct where *w);

/* To be called each second: forgets processes that have ended. */
void where_beat(struct where *w);

/* A control_take for REQUEST_WHERE. */
int where_answer(struct where *w, const struct caller *caller, const struct request *q,
		 struct answer *answer, struct why *why);

#endif
