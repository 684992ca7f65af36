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
/* Runs are kept so long after their end, ns, and as long as the rings may have records of them. */
#define KEEP_NS		(3600 * SECOND)
/* The control group of a job is looked for until then, ns after its begin. */
#define GROUP_NS	(60 * SECOND)
/* Its CPUs may change until then, ns after it was found. */
#define SETTLE_NS	(2 * SECOND)
/* Without a later record, the records up to an end mark have come by then, ns. */
#define PATIENCE_NS	(2 * SECOND)

static enum estimates_task task_of_sample(void *groups, uint64_t group,
					  const struct rcr_record *record)
{
	return groups_task(groups, group, record);
}

/* Else a run whose marks are read again would be another one. */
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
		note("no memory for jobs: these are not counted");
		runs_free(&j->runs);
		j->failed = true;
		return;
	}
	if (!j->loaded)
		spool_load(&j->spool, &j->runs, wall - keep_time(j));
	j->loaded = true;
}

/*
 * Takes the CPUs of a job's control group: one that is not sampled is missing in the totals. Of the
 * samples that have been read none was one of its tasks if the group was not there when they were.
 *
 * A group that has just been made has all CPUs until its scheduler sets them, and one of an earlier
 * job of that id may be there until it makes another one.
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

/* Finds control groups of jobs, before the records that have come are added. */
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
	/* The latest one. */
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

/* Events that no run has any more keep their names until the agent ends. */
static void list_job_events(struct jobs *j)
{
	const struct run *run;
	unsigned int i, n;

	for (i = 0; i < j->runs.count; i++) {
		run = j->runs.run[i];
		/* Those of a run that is over were listed. */
		if (!run->rate && j->changes == j->runs.changes)
			continue;
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
