// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * jobs.c - the jobs of this machine: computes their totals at each grid tick, writes their cards,
 * and finds their CPUs, which a scheduler may choose only after it has put the begin mark.
 */
#include <string.h>

#include "message.h"
#include "runs/job_cpus.h"
#include "runs/jobs.h"

#define SECOND		1000000000ull
/* How long a run is kept after its end, ns, in addition to the time that the rings cover. */
#define KEEP_NS		(3600 * SECOND)
/* How long to search for the control group of a job, ns after its begin. */
#define GROUP_NS	(60 * SECOND)
/* How long to follow changes of a group's CPUs, ns after the group was found. */
#define SETTLE_NS	(2 * SECOND)
/* How long after an end mark to wait for the last records of the run, ns. */
#define PATIENCE_NS	(2 * SECOND)

static enum estimates_task task_of_sample(void *groups, uint64_t group,
					  const struct rcr_record *record)
{
	return groups_task(groups, group, record);
}

/* Marks in the rings may be read again: a run that was forgotten would then be counted anew. */
static uint64_t keep_time(const struct jobs *j)
{
	return KEEP_NS + j->runs.set->ring_records * j->runs.set->period_ns;
}

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
	j->runs.task = task_of_sample;
	j->runs.context = &j->groups;
	if (runs_set(&j->runs, set)) {
		note("no memory for jobs: jobs are no longer counted");
		runs_free(&j->runs);
		j->failed = true;
		return;
	}
	if (!j->loaded)
		spool_load(&j->spool, &j->runs, wall - keep_time(j));
	j->loaded = true;
}

/*
 * Searches for the control group of a job, and takes its CPUs, even those that are not sampled: the
 * totals lack these. Samples that were read before the group appeared are of no task in it.
 *
 * The search goes on for SETTLE_NS after a group was found: a new group has all CPUs until the
 * scheduler sets them, and a group that an earlier job with the same id left may be replaced.
 */
static void find_run_group(struct jobs *j, struct run *run)
{
	static struct job_group group;
	unsigned int i, count = 0;

	if (run->end != UINT64_MAX || j->runs.time - run->begin > GROUP_NS ||
	    !job_group_find(j->groups.root, run->id, &group))
		return;
	if (!run->found || group.id != run->group)
		run->found = j->runs.time;
	if (group.id != run->group)
		runs_set_group(&j->runs, run, group.id);
	if (j->runs.time - run->found > SETTLE_NS)
		return;
	for (i = 0; i < run->rate->ncpus; i++)
		count += group.cpu[i];
	if (!count || (run->cpus == count &&
		       !memcmp(run->rate->wanted, group.cpu, run->rate->ncpus * sizeof(bool))))
		return;
	for (i = 0; i < run->rate->ncpus; i++)
		run->rate->wanted[i] = group.cpu[i];
	run->cpus = count;
	run->has_uid = group.has_uid;
	run->uid = group.uid;
	run->dirty = true;
}

/* Searches for the control groups of jobs; call before new records are added. */
void jobs_find_groups(struct jobs *j)
{
	unsigned int i;

	groups_renew(&j->groups);
	for (i = 0; i < j->runs.opens; i++)
		find_run_group(j, j->runs.open[i]);
}

/* Adds an item of the stream. */
void jobs_add(struct jobs *j, const struct rcr_item *item)
{
	if (j->failed || !j->loaded)
		return;
	runs_add(&j->runs, item);
	/* The mark has opened the latest run. */
	if (item->type == RCR_ITEM_MARK && j->runs.opens > 0 &&
	    ((const struct rcr_mark *)item)->kind == RCR_MARK_BEGIN)
		find_run_group(j, j->runs.open[j->runs.opens - 1]);
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
		.has_parts = !total->gauge && !total->slow && !total->shared,
	};
	memcpy(e->name, total->name, sizeof(e->name));
	j->renamed = true;
}

/* Adds new events of runs; those of forgotten runs keep their names until the agent ends. */
static void list_job_events(struct jobs *j)
{
	const struct run *run;
	unsigned int i, n;

	for (i = 0; i < j->runs.count; i++) {
		run = j->runs.run[i];
		/* The events of a run that is over are already in the list. */
		if (!run->rate && j->changes == j->runs.changes)
			continue;
		for (n = 0; n < run->totals; n++)
			add_job_event(j, &run->total[n]);
	}
}

static void note_strays(struct jobs *j)
{
	if (j->runs.strays && !j->warned)
		note("ignored an end mark of a job without a begin mark; later ones are not logged");
	j->warned |= j->runs.strays > 0;
}

/**
 * jobs_tick() - compute the values of a grid tick, and write cards
 * @j: the jobs, with all items up to the tick
 * @wall: wall clock, ns since 1970
 */
void jobs_tick(struct jobs *j, uint64_t wall)
{
	if (j->failed || !j->loaded)
		return;
	if (j->runs.time > PATIENCE_NS)
		runs_flush(&j->runs, j->runs.time - PATIENCE_NS);
	runs_sync(&j->runs);
	list_job_events(j);
	spool_save(&j->spool, &j->runs, wall);
	runs_expire(&j->runs, j->runs.time + j->runs.offset - keep_time(j));
	note_strays(j);
	j->relisted |= j->changes != j->runs.changes;
	j->changes = j->runs.changes;
}

/* Like jobs_tick(), at the end of the stream: also ends runs whose end mark was read. */
void jobs_finish(struct jobs *j, uint64_t wall)
{
	if (j->failed || !j->loaded)
		return;
	runs_flush(&j->runs, UINT64_MAX);
	jobs_tick(j, wall);
}

/* Returns the total of an event; NULL if there is none, or two events have that name. */
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
