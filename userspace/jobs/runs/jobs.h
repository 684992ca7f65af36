/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jobs.h - jobs of this machine, for the agent: runs, their cards and their CPUs. */
#ifndef JOBS_JOBS_H
#define JOBS_JOBS_H

#include "runs/groups.h"
#include "runs/spool.h"

/* Most events of all runs: further ones have no metrics. */
#define JOB_EVENTS 128

/**
 * struct job_event - an event of a run
 * @name: its name
 * @gauge: it is a gauge
 * @energy: it is energy
 * @has_parts: counted by each CPU at each tick, so that shares of tasks can be estimated
 */
struct job_event {
	char name[RCR_NAME_LEN];
	bool gauge;
	bool energy;
	bool has_parts;
};

/**
 * struct jobs - the jobs
 * @runs: their runs
 * @spool: where cards are
 * @groups: the control groups of the machine
 * @loaded: cards were read
 * @failed: memory ran out
 * @warned: an end mark without a begin mark was logged
 * @events: entries of @event
 * @event: events of all runs since the agent started
 * @renamed: an event was added
 * @relisted: a run was added or removed
 * @changes: @runs.changes when @relisted was last set
 */
struct jobs {
	struct runs runs;
	struct spool spool;
	struct groups groups;
	bool loaded;
	bool failed;
	bool warned;
	unsigned int events;
	struct job_event event[JOB_EVENTS];
	bool renamed;
	bool relisted;
	uint64_t changes;
};

void jobs_set(struct jobs *j, const struct rcr_set *set, uint64_t wall);
void jobs_find_groups(struct jobs *j);
void jobs_add(struct jobs *j, const struct rcr_item *item);
void jobs_tick(struct jobs *j, uint64_t wall);
void jobs_finish(struct jobs *j, uint64_t wall);
const struct run_total *jobs_total(const struct run *run, const struct job_event *event);

#endif
