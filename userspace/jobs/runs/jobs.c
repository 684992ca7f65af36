// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * jobs.c - jobs of this machine: of each grid tick, their totals; their cards; their CPUs, which a
 * scheduler may choose only after it has set the mark.
 */
#include <string.h>

#include "message.h"
#include "runs/job_cpus.h"
#include "runs/jobs.h"

#define SECOND		1000000000ull
/* Runs are kept so long after their end, ns. */
#define KEEP_NS		(3600 * SECOND)
/* The control group of a job is looked for until then, ns after its begin. */
#define GROUP_NS	(60 * SECOND)
/* Without a later record, the records up to an end mark have come by then, ns. */
#define PATIENCE_NS	(2 * SECOND)

/**
 * jobs_set() - begin to read the records of a set
 * @j: with the CPUs that share counters in @j->runs.share
 * @set: the set
 * @wall: wall clock, ns since 1970
 */
void jobs_set(struct jobs *j, const struct rcr_set *set, uint64_t wall)
{
	if (j->failed)
		return;
	if (runs_set(&j->runs, set)) {
		note("no memory for jobs: these are not counted");
		runs_free(&j->runs);
		j->failed = true;
		return;
	}
	if (!j->loaded)
		spool_load(&j->spool, &j->runs, wall);
	j->loaded = true;
}

/* Adds an item of the stream. */
void jobs_add(struct jobs *j, const struct rcr_item *item)
{
	if (!j->failed && j->loaded)
		runs_add(&j->runs, item);
}

/* Takes the CPUs of a job's control group: one that is not sampled is missing in the totals. */
static void find_run_cpus(struct jobs *j, struct run *run)
{
	static bool cpu[CPU_LIMIT];
	unsigned int i, count = 0;
	uint32_t uid;
	bool has_uid;

	if (run->cpus || j->runs.time - run->begin > GROUP_NS ||
	    !job_cpus_find(j->cgroups, run->id, cpu, &uid, &has_uid))
		return;
	for (i = 0; i < run->rate->ncpus; i++)
		count += cpu[i];
	if (!count)
		return;
	for (i = 0; i < run->rate->ncpus; i++)
		run->rate->wanted[i] = cpu[i];
	run->cpus = count;
	run->has_uid = has_uid;
	run->uid = uid;
	run->dirty = true;
}

static void add_job_event(struct jobs *j, const struct run_total *total)
{
	struct job_event *e;
	unsigned int i;

	for (i = 0; i < j->events; i++)
		if (!strcmp(j->event[i].name, total->name) && j->event[i].gauge == total->gauge)
			return;
	if (i == JOB_EVENTS)
		return;
	e = &j->event[j->events++];
	*e = (struct job_event){
		.gauge = total->gauge, .energy = total->unit == RCR_UNIT_NANOJOULE,
	};
	memcpy(e->name, total->name, sizeof(e->name));
	j->renamed = true;
}

/* Events that no run has any more keep their names until the agent ends. */
static void list_job_events(struct jobs *j)
{
	const struct run *run;
	unsigned int i, n;

	for (i = 0; i < j->runs.count; i++) {
		run = j->runs.run[i];
		for (n = 0; n < run->totals; n++)
			add_job_event(j, &run->total[n]);
	}
}

static void note_strays(struct jobs *j)
{
	if (j->runs.strays && !j->warned)
		note("an end mark of a job without a begin mark was ignored, as later ones will be");
	j->warned |= j->runs.strays > 0;
}

/**
 * jobs_tick() - compute the values of a grid tick, and write cards
 * @j: the jobs, with all items up to the tick
 * @wall: wall clock, ns since 1970
 */
void jobs_tick(struct jobs *j, uint64_t wall)
{
	unsigned int i;

	if (j->failed || !j->loaded)
		return;
	if (j->runs.time > PATIENCE_NS)
		runs_flush(&j->runs, j->runs.time - PATIENCE_NS);
	for (i = 0; i < j->runs.opens; i++)
		find_run_cpus(j, j->runs.open[i]);
	runs_sync(&j->runs);
	list_job_events(j);
	spool_save(&j->spool, &j->runs, wall);
	runs_expire(&j->runs, j->runs.time + j->runs.offset - KEEP_NS);
	note_strays(j);
	j->relisted |= j->changes != j->runs.changes;
	j->changes = j->runs.changes;
}

/* The same at the end of the stream: no more records will come. */
void jobs_finish(struct jobs *j, uint64_t wall)
{
	if (j->failed || !j->loaded)
		return;
	runs_flush(&j->runs, UINT64_MAX);
	jobs_tick(j, wall);
}

/* What a run has counted of an event; NULL: nothing, or of two different ones with that name. */
const struct run_total *jobs_total(const struct run *run, const struct job_event *event)
{
	const struct run_total *found = NULL;
	unsigned int i;

	for (i = 0; i < run->totals; i++) {
		if (strcmp(run->total[i].name, event->name) || run->total[i].gauge != event->gauge)
			continue;
		if (found)
			return NULL;
		found = &run->total[i];
	}
	return found;
}
