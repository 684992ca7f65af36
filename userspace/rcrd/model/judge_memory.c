// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * judge_memory.c - the memory model (RCRTool Design Document, sections 6.1 and 8.3): decides
 * whether memory is the bottleneck, and why.
 */
#include "model/judge.h"

/* Nodes are evenly loaded if none exceeds the mean utilization by this factor. */
#define EVEN		1.3
/* Below SOME_LOAD, conflicts do not matter; from HIGH_LOAD on, a queue explains any latency. */
#define SOME_LOAD	0.1
#define MIDDLE_LOAD	0.3
#define HIGH_LOAD	0.85
/* With a higher latency than this multiple, reads queue rather than wait for each other. */
#define CHASE_LATENCY	1.5

bool judge_reaches(const struct judgement *j, double value, enum bound bound)
{
	return value >= 0 && value >= j->bounds->value[bound] * j->ease;
}

static bool is_memory_loaded(const struct judgement *j, const struct facts *f)
{
	if (j->machine->knee > 0 && f->utilization >= j->machine->knee * j->ease)
		return true;
	return judge_reaches(j, f->utilization, BOUND_BUSY_ALONE) ||
	       (judge_reaches(j, f->utilization, BOUND_UTILIZATION) &&
		judge_reaches(j, f->latency, BOUND_LATENCY));
}

static enum verdict_state load_level(const struct judgement *j, const struct facts *f)
{
	if (judge_reaches(j, f->utilization, BOUND_BUSY_ALONE) ||
	    (judge_reaches(j, f->utilization, BOUND_BUSY_UTILIZATION) &&
	     judge_reaches(j, f->latency, BOUND_BUSY_LATENCY)))
		return VERDICT_BUSY;
	return VERDICT_CONTENTION;
}

/* Highest utilization of the other nodes; NOT_KNOWN if one of these is unknown. */
static double others_utilization(const struct judgement *j)
{
	double most = NOT_KNOWN;
	unsigned int i;

	for (i = 0; i < j->machine->nodes; i++) {
		if (i == j->node)
			continue;
		if (j->facts[i].utilization < 0)
			return NOT_KNOWN;
		if (j->facts[i].utilization > most)
			most = j->facts[i].utilization;
	}
	return most;
}

/* The memory of all other nodes has much less load, and their CPUs use the memory of this node. */
static bool is_imbalance(const struct judgement *j, const struct facts *f)
{
	double others = others_utilization(j);
	unsigned int i;

	if (others < 0 || others > f->utilization * j->bounds->value[BOUND_IMBALANCE])
		return false;
	if (j->window->at_home)
		return judge_reaches(j, f->remote, BOUND_REMOTE);
	for (i = 0; i < j->machine->nodes; i++)
		if (i != j->node && !judge_reaches(j, j->facts[i].remote, BOUND_REMOTE))
			return false;
	return true;
}

/* Latency as a multiple of that of an M/M/1 queue, which queueing in memory stays below. */
static double beyond_queue(const struct facts *f)
{
	return f->latency < 0 || f->utilization < 0 ? NOT_KNOWN : f->latency * (1 - f->utilization);
}

static bool has_conflicts(const struct judgement *j, const struct facts *f)
{
	return f->utilization >= SOME_LOAD && f->utilization < HIGH_LOAD &&
	       judge_reaches(j, f->latency, BOUND_LATENCY) &&
	       judge_reaches(j, beyond_queue(f), BOUND_SLOWER) &&
	       judge_reaches(j, f->conflicts, BOUND_CONFLICTS);
}

/* Each node accesses the memory of others, or others access its own, and all are evenly loaded. */
static enum verdict_state remote_level(const struct judgement *j)
{
	enum verdict_state level = VERDICT_BUSY;
	double sum = 0, most = 0;
	unsigned int i;

	for (i = 0; i < j->machine->nodes; i++) {
		const struct facts *f = &j->facts[i];

		if (f->utilization < SOME_LOAD || !judge_reaches(j, f->remote, BOUND_REMOTE))
			return VERDICT_OK;
		if (!judge_reaches(j, f->remote, BOUND_BUSY_REMOTE))
			level = VERDICT_CONTENTION;
		sum += f->utilization;
		most = f->utilization > most ? f->utilization : most;
	}
	return j->machine->nodes > 1 && most * j->machine->nodes < EVEN * sum ? level : VERDICT_OK;
}

/* Fraction of their cycles that the processes of a node lose, compared with their quiet CPI. */
static double stalled_part(const struct judgement *j)
{
	double waits = 0, all = 0;
	unsigned int i;

	for (i = 0; i < j->window->processes; i++) {
		const struct window_process *w = &j->window->process[i];
		const struct past *p = pasts_find(j->pasts, w->tgid, w->node);

		if (w->node != j->node || !p || p->quiet.n < PAST_LEAST)
			continue;
		all += w->sum[SIGNAL_CYCLES];
		waits += w->sum[SIGNAL_CYCLES] - w->sum[SIGNAL_INSTRUCTIONS] * p->quiet.mean;
	}
	return all > 0 ? waits / all : NOT_KNOWN;
}

/* Processes mostly wait for one read at a time, while memory has little load. */
static bool is_chase(const struct judgement *j, const struct facts *f)
{
	double waits = stalled_part(j);

	return f->utilization >= 0 && f->utilization < MIDDLE_LOAD && f->latency >= 0 &&
	       f->latency < CHASE_LATENCY && judge_reaches(j, waits, BOUND_STALLED) &&
	       f->concurrency >= waits / 2 &&
	       f->concurrency < waits * j->bounds->value[BOUND_CONCURRENCY];
}

static bool is_slower(const struct judgement *j, const struct facts *f)
{
	return f->utilization >= 0 && f->utilization < SOME_LOAD &&
	       judge_reaches(j, f->latency, BOUND_LATENCY) &&
	       judge_reaches(j, beyond_queue(f), BOUND_SLOWER);
}

void judge_memory(const struct judgement *j, uint8_t *level)
{
	const struct facts *f = &j->facts[j->node];
	enum verdict_state remote = remote_level(j);

	if (has_conflicts(j, f))
		level[FINDING_CONFLICTS] = judge_reaches(j, f->latency, BOUND_BUSY_LATENCY) ?
					   VERDICT_BUSY : VERDICT_CONTENTION;
	else if (is_memory_loaded(j, f) && judge_reaches(j, f->devices, BOUND_DEVICES))
		level[FINDING_DEVICE] = load_level(j, f);
	else if (is_memory_loaded(j, f) && is_imbalance(j, f))
		level[FINDING_IMBALANCE] = load_level(j, f);
	else if (remote)
		level[FINDING_REMOTE] = remote;
	else if (is_memory_loaded(j, f))
		level[FINDING_BANDWIDTH] = load_level(j, f);
	else if (is_slower(j, f))
		level[FINDING_SLOWER] = VERDICT_LOG;
	else if (is_chase(j, f))
		level[FINDING_CHASE] = VERDICT_LOG;
}
