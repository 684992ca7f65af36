// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * names.c - names of the metrics, rebuilt whenever the set or the meters change.
 *
 * PCP stores the item of each event's PMID in a file, so that a name keeps its PMID across restarts
 * of the agent, in archives and for a running pmlogger.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "pmda/names.h"

/* Items of a cluster, by the layout of a PMID. */
#define ITEMS		1024
/* Added to the cluster of energy events, so that access rules can deny them. */
#define CLUSTER_ENERGY	64

#define NAME_LEN	160
#define COUNT		PMDA_PMUNITS(0, 0, 1, 0, 0, PM_COUNT_ONE)
#define PER_SECOND	PMDA_PMUNITS(0, -1, 1, 0, PM_TIME_SEC, PM_COUNT_ONE)
#define NANOSECONDS	PMDA_PMUNITS(0, 1, 0, 0, PM_TIME_NSEC, 0)
#define NO_UNIT		PMDA_PMUNITS(0, 0, 0, 0, 0, 0)

#define OF_AGENT(VALUE, NAME, TYPE, SEM, UNITS, HELP) \
	{ VALUE, NAME, HELP, 0, TYPE, INDOM_NONE, SEM, UNITS }
#define OF_JOB(VALUE, LEAF, TYPE, UNITS, HELP) \
	{ VALUE, "rcr.job." LEAF, HELP, 17, TYPE, INDOM_JOB, PM_SEM_DISCRETE, UNITS }
#define OF_SUM(CLUSTER, KIND, INDOM) \
	{ VALUE_SUM, "rcr." KIND ".%s", "total of %s, of each part of that kind", CLUSTER, \
	  PM_TYPE_U64, INDOM, PM_SEM_COUNTER, COUNT }
#define OF_SPREAD(VALUE, CLUSTER, LEAF, UNITS, HELP) \
	{ VALUE, "rcr.spread.%s." LEAF, HELP, CLUSTER, PM_TYPE_DOUBLE, INDOM_NONE, \
	  PM_SEM_INSTANT, UNITS }
#define OF_MINUTE(VALUE, CLUSTER, LEAF, TYPE, UNITS, HELP) \
	{ VALUE, "rcr.within.%s." LEAF, HELP, CLUSTER, TYPE, INDOM_MINUTE, PM_SEM_INSTANT, UNITS }

static const pmUnits no_unit = NO_UNIT;

/* The item of an OF_AGENT() row is its enum agent_value: only append new values. */
static const struct agent_row rows[] = {
	OF_AGENT(VALUE_TICK_TIME, "rcr.tick.time", PM_TYPE_U64, PM_SEM_INSTANT, NANOSECONDS,
		 "time of the grid tick, since 1970: use it for rates, not the time of a fetch"),
	OF_AGENT(VALUE_TICK_NUMBER, "rcr.tick.number", PM_TYPE_U64, PM_SEM_INSTANT, NO_UNIT,
		 "number of the grid tick"),
	OF_AGENT(VALUE_TICK_LATE, "rcr.tick.late", PM_TYPE_U32, PM_SEM_INSTANT, NANOSECONDS,
		 "delay of the latest timer of that tick"),
	OF_AGENT(VALUE_SLOW_TIME, "rcr.slow.time", PM_TYPE_U64, PM_SEM_INSTANT, NANOSECONDS,
		 "time of the latest reading of slow counters, since 1970: use it for rates"),
	OF_AGENT(VALUE_SET_STATE, "rcr.set.state", PM_TYPE_STRING, PM_SEM_DISCRETE, NO_UNIT,
		 "sampling, or why there are no values"),
	OF_AGENT(VALUE_SET_GENERATION, "rcr.set.generation", PM_TYPE_U32, PM_SEM_DISCRETE, NO_UNIT,
		 "generation of the set: totals restart at 0 with each new one"),
	OF_AGENT(VALUE_SET_PERIOD, "rcr.set.period", PM_TYPE_U64, PM_SEM_DISCRETE, NANOSECONDS,
		 "sampling period"),
	OF_AGENT(VALUE_SET_GRID, "rcr.set.grid", PM_TYPE_U64, PM_SEM_DISCRETE, NANOSECONDS,
		 "time between two grid ticks"),
	OF_AGENT(VALUE_SET_EVENTS, "rcr.set.events", PM_TYPE_U32, PM_SEM_DISCRETE, NO_UNIT,
		 "events of the set"),
	OF_AGENT(VALUE_SET_FAMILY, "rcr.set.family", PM_TYPE_STRING, PM_SEM_DISCRETE, NO_UNIT,
		 "kind of performance counters of the processor"),
	OF_AGENT(VALUE_SET_SOURCE, "rcr.set.source", PM_TYPE_STRING, PM_SEM_DISCRETE, NO_UNIT,
		 "how the module accesses the performance counters"),
	OF_AGENT(VALUE_LOST_RECORDS, "rcr.lost.records", PM_TYPE_U64, PM_SEM_COUNTER, COUNT,
		 "records that were overwritten before the agent had read them"),
	OF_AGENT(VALUE_LOST_OVERRUNS, "rcr.lost.overruns", PM_TYPE_U64, PM_SEM_COUNTER, COUNT,
		 "ticks of a CPU that were missed, since the agent started"),
	OF_AGENT(VALUE_LOST_SKIPPED, "rcr.lost.skipped", PM_TYPE_U64, PM_SEM_COUNTER, COUNT,
		 "ticks of a CPU that were skipped on purpose, since the agent started"),
	OF_AGENT(VALUE_COST_TIME, "rcr.cost.time", PM_TYPE_U64, PM_SEM_COUNTER, NANOSECONDS,
		 "time that the sampler has spent on all CPUs, since the module was loaded"),
	OF_AGENT(VALUE_BOARD_STATE, "rcr.board.state", PM_TYPE_STRING, PM_SEM_DISCRETE, NO_UNIT,
		 "present, or why there are no meters"),
	OF_AGENT(VALUE_LOST_MARKS, "rcr.lost.marks", PM_TYPE_U64, PM_SEM_COUNTER, COUNT,
		 "marks that were overwritten before the agent had read them"),
	OF_SUM(1, "machine", INDOM_NONE),
	OF_SUM(2, "node", INDOM_NODE),
	OF_SUM(3, "package", INDOM_NODE + 1),
	OF_SUM(4, "die", INDOM_NODE + 2),
	OF_SUM(5, "llc", INDOM_NODE + 3),
	OF_SUM(6, "core", INDOM_NODE + 4),
	OF_SUM(7, "cpu", INDOM_CPU),
	{ VALUE_NOTOK, "rcr.notok.%s", "CPUs on which %s is not counted, by status", 8, PM_TYPE_U32,
	  INDOM_STATUS, PM_SEM_INSTANT, NO_UNIT },
	OF_SPREAD(VALUE_SPREAD_CV, 9, "cv", NO_UNIT,
		  "standard deviation of the rates of %s over the CPUs, divided by their mean"),
	OF_SPREAD(VALUE_SPREAD_MIN, 10, "min", PER_SECOND, "least rate of %s of a CPU"),
	OF_SPREAD(VALUE_SPREAD_MAX, 11, "max", PER_SECOND, "greatest rate of %s of a CPU"),
	OF_MINUTE(VALUE_WITHIN_MIN, 12, "min", PM_TYPE_DOUBLE, PER_SECOND,
		  "least rate of %s of the machine within a minute"),
	OF_MINUTE(VALUE_WITHIN_MAX, 13, "max", PM_TYPE_DOUBLE, PER_SECOND,
		  "greatest rate of %s of the machine within a minute"),
	OF_MINUTE(VALUE_WITHIN_SUMSQ, 14, "sumsq", PM_TYPE_DOUBLE,
		  PMDA_PMUNITS(0, -2, 2, 0, PM_TIME_SEC, PM_COUNT_ONE),
		  "sum of the squared rates of %s of the machine within a minute"),
	OF_MINUTE(VALUE_WITHIN_COUNT, 15, "count", PM_TYPE_U32, NO_UNIT,
		  "number of the rates of %s within a minute"),
	{ VALUE_METER, "rcr.board.meter.%s", "the meter %s of the module", 16, PM_TYPE_DOUBLE,
	  INDOM_PLACE, PM_SEM_INSTANT, NO_UNIT },
	OF_JOB(VALUE_JOB_BEGIN, "begin", PM_TYPE_U64, NANOSECONDS, "begin of the job, since 1970"),
	OF_JOB(VALUE_JOB_END, "end", PM_TYPE_U64, NANOSECONDS, "end of the job, since 1970"),
	OF_JOB(VALUE_JOB_STATE, "state", PM_TYPE_STRING, NO_UNIT,
	       "running, uncertain, ended, begun again, dropped or restarted"),
	OF_JOB(VALUE_JOB_UID, "uid", PM_TYPE_U32, NO_UNIT, "user id of the job, if it is known"),
	OF_JOB(VALUE_JOB_CPUS, "cpus", PM_TYPE_U32, NO_UNIT,
	       "CPUs of the job, if its control group is known; else totals are the machine's"),
	OF_JOB(VALUE_JOB_SHARED, "shared", PM_TYPE_U32, NO_UNIT,
	       "other jobs that ran meanwhile: counts of shared units include theirs"),
	OF_JOB(VALUE_JOB_COMPLETE, "complete", PM_TYPE_DOUBLE, NO_UNIT,
	       "share of the job's time for which its least complete event was counted"),
	{ VALUE_JOB_TOTAL, "rcr.job.total.%s", "total of %s of each job", 18, PM_TYPE_U64,
	  INDOM_JOB, PM_SEM_COUNTER, COUNT },
	{ VALUE_JOB_COMPLETENESS, "rcr.job.completeness.%s",
	  "share of each job's time for which %s was counted", 19, PM_TYPE_DOUBLE,
	  INDOM_JOB, PM_SEM_INSTANT, NO_UNIT },
	{ VALUE_JOB_ESTIMATE, "rcr.job.estimate.%s",
	  "part of each job's own tasks in its total of %s, estimated from samples", 20,
	  PM_TYPE_U64, INDOM_JOB, PM_SEM_INSTANT, COUNT },
	{ VALUE_JOB_ERROR, "rcr.job.error.%s", "standard error of the estimated part of %s", 21,
	  PM_TYPE_U64, INDOM_JOB, PM_SEM_INSTANT, COUNT },
};

/* Fills in the members that never change. */
void names_prepare(struct agent_names *n, unsigned int domain)
{
	unsigned int i;

	n->domain = domain;
	for (i = INDOM_NODE; i < INDOMS; i++)
		n->indom[i].it_indom = pmInDom_build(domain, i);
	pmdaCacheOp(pmInDom_build(domain, INDOM_ITEMS), PMDA_CACHE_LOAD);
}

/* Converts an event's name to a component of a metric's name: letters, digits and '_' only. */
static void write_leaf(char leaf[NAME_LEN], const char *name)
{
	char *to = leaf;

	if (*name >= '0' && *name <= '9')
		*to++ = '_';
	for (; *name && to < leaf + NAME_LEN - 1; name++)
		*to++ = (*name >= '0' && *name <= '9') || (*name >= 'a' && *name <= 'z') ||
			(*name >= 'A' && *name <= 'Z') ? *name : '_';
	*to = 0;
	if (*leaf == '_') {
		memmove(leaf + 1, leaf, strnlen(leaf, NAME_LEN - 2) + 1);
		*leaf = 'e';
		leaf[NAME_LEN - 1] = 0;
	}
}

/* Returns the persistent item number of an event or meter; -1 if all numbers are in use. */
static int item_of(const struct agent_names *n, const char *name, const char *what)
{
	pmInDom indom = pmInDom_build(n->domain, INDOM_ITEMS);
	char key[NAME_LEN];
	int item;

	/* No space: PCP ends the name of an instance there. */
	snprintf(key, sizeof(key), "%s:%s", what, name);
	item = pmdaCacheStore(indom, PMDA_CACHE_ADD, key, NULL);
	return item < ITEMS ? item : -1;
}

static bool has_metric(const struct agent_event *e, const struct agent_row *row)
{
	if (row->value == VALUE_SUM)
		return e->whole[row->indom == INDOM_NONE ? RCR_PLACE_MACHINE : row->indom];
	if (row->value >= VALUE_SPREAD_MIN && row->value <= VALUE_SPREAD_MAX)
		return e->has_rates;
	return row->value == VALUE_NOTOK || e->has_rates;
}

static int add_metric(struct agent_names *n, const struct agent_row *row, unsigned int index,
		      unsigned int item, const char *leaf, const struct agent_event *e)
{
	pmdaMetric *metric = reallocarray(n->metric, n->metrics + 1, sizeof(*metric));
	struct agent_metric *user = reallocarray(n->user, n->metrics + 1, sizeof(*user));
	unsigned int cluster = row->cluster + (e && e->energy ? CLUSTER_ENERGY : 0);
	bool gauge = (row->value == VALUE_SUM || row->value == VALUE_JOB_TOTAL) && e && e->gauge;
	pmDesc desc = {
		.pmid = pmID_build(n->domain, cluster, item),
		.type = row->type,
		.indom = row->indom == INDOM_NONE ? PM_INDOM_NULL :
						    pmInDom_build(n->domain, row->indom),
		.sem = gauge ? PM_SEM_INSTANT : row->sem,
		.units = gauge ? no_unit : row->units,
	};
	char name[2 * NAME_LEN];

	n->metric = metric ? metric : n->metric;
	n->user = user ? user : n->user;
	if (!metric || !user)
		return -1;
	user[n->metrics] = (struct agent_metric){ .row = row, .index = index };
	metric[n->metrics++].m_desc = desc;
	snprintf(name, sizeof(name), row->name, leaf);
	pmdaTreeInsert(n->tree, desc.pmid, name);
	return 0;
}

/* If an earlier event has the same leaf, appends the index of this one. */
static void leaf_of_event(char leaf[NAME_LEN], const struct agent *a, unsigned int i)
{
	char other[NAME_LEN];
	unsigned int n;

	write_leaf(leaf, a->event[i].counter.name);
	for (n = 0; n < i; n++) {
		write_leaf(other, a->event[n].counter.name);
		if (!strcmp(leaf, other)) {
			snprintf(leaf + strnlen(leaf, NAME_LEN - 8), 8, "__%u", i);
			return;
		}
	}
}

static int add_event_metrics(struct agent_names *n, const struct agent *a, unsigned int i)
{
	const struct agent_event *e = &a->event[i];
	int item = item_of(n, e->counter.name, e->gauge ? "gauge" : e->energy ? "energy" : "event");
	const struct agent_row *row;
	char leaf[NAME_LEN];

	if (item < 0) {
		note("no PMID is left for event %s: it has no metrics", e->counter.name);
		return 0;
	}
	leaf_of_event(leaf, a, i);
	for (row = rows; row->value != VALUE_METER; row++)
		if (row->value >= VALUE_SUM && has_metric(e, row) &&
		    add_metric(n, row, i, item, leaf, e))
			return -1;
	return 0;
}

/* Returns the first row of @value or a later one. */
static const struct agent_row *first_row(enum agent_value value)
{
	const struct agent_row *row = rows;

	while (row->value < value)
		row++;
	return row;
}

static int add_meter_metric(struct agent_names *n, const struct agent *a, unsigned int i)
{
	const struct agent_row *row = first_row(VALUE_METER);
	int item = item_of(n, a->description[i].name, "meter");
	char leaf[NAME_LEN];

	write_leaf(leaf, a->description[i].name);
	return item < 0 ? 0 : add_metric(n, row, i, item, leaf, NULL);
}

/* True if an earlier event has the same leaf: the later one then has no metric. */
static bool has_job_leaf(const struct agent *a, unsigned int i, const char *leaf)
{
	char other[NAME_LEN];

	while (i-- > 0) {
		write_leaf(other, a->jobs.event[i].name);
		if (!strcmp(leaf, other))
			return true;
	}
	return false;
}

static int add_job_event_metrics(struct agent_names *n, const struct agent *a, unsigned int i)
{
	const struct job_event *j = &a->jobs.event[i];
	struct agent_event e = { .gauge = j->gauge, .energy = j->energy };
	int item = item_of(n, j->name, j->gauge ? "gauge" : j->energy ? "energy" : "event");
	const struct agent_row *row;
	char leaf[NAME_LEN];

	write_leaf(leaf, j->name);
	if (item < 0 || has_job_leaf(a, i, leaf))
		return 0;
	for (row = first_row(VALUE_JOB_TOTAL); row < rows + sizeof(rows) / sizeof(rows[0]); row++)
		if ((row->value < VALUE_JOB_ESTIMATE || j->has_parts) &&
		    add_metric(n, row, i, item, leaf, &e))
			return -1;
	return 0;
}

static int add_job_metrics(struct agent_names *n, const struct agent *a)
{
	const struct agent_row *row;
	unsigned int i;

	for (row = first_row(VALUE_JOB_BEGIN); row->value < VALUE_JOB_TOTAL; row++)
		if (add_metric(n, row, 0, row->value - VALUE_JOB_BEGIN, "", NULL))
			return -1;
	for (i = 0; i < a->jobs.events; i++)
		if (add_job_event_metrics(n, a, i))
			return -1;
	return 0;
}

static void add_instance(pmdaIndom *d, int inst, const char *name)
{
	pmdaInstid *set = reallocarray(d->it_set, d->it_numinst + 1, sizeof(*set));

	if (!set)
		return;
	d->it_set = set;
	set[d->it_numinst].i_inst = inst;
	set[d->it_numinst].i_name = strdup(name);
	d->it_numinst += set[d->it_numinst].i_name ? 1 : 0;
}

static void clear_instances(pmdaIndom *d)
{
	while (d->it_numinst > 0)
		free(d->it_set[--d->it_numinst].i_name);
}

static void add_places(struct agent_names *n, const struct agent *a)
{
	pmdaIndom *d = &n->indom[INDOM_PLACE];
	const struct rcr_board_place *p;
	const struct rcr_board_entry *e;
	unsigned int i;
	char name[PART_NAME];
	int known;

	for (i = 0; i < a->meters; i++) {
		for (known = 0; known < d->it_numinst; known++)
			if (d->it_set[known].i_inst == a->meter[i].inst)
				break;
		e = rcr_board_entry(a->board, a->meter[i].handle.entry);
		p = e ? rcr_board_place(a->board, e->place) : NULL;
		if (known < d->it_numinst || !p)
			continue;
		if (p->kind == RCR_PLACE_MACHINE)
			strcpy(name, "machine");
		else
			snprintf(name, sizeof(name), "%s%u", rcr_place_kind_name(p->kind),
				 p->number);
		add_instance(d, a->meter[i].inst, name);
	}
}

/**
 * names_list_jobs() - list the jobs as instances
 * @n: after names_prepare()
 * @a: the agent
 */
void names_list_jobs(struct agent_names *n, const struct agent *a)
{
	char name[RUN_NAME_LEN];
	unsigned int i;

	clear_instances(&n->indom[INDOM_JOB]);
	for (i = 0; i < a->jobs.runs.count; i++) {
		run_name(name, a->jobs.runs.run[i]);
		add_instance(&n->indom[INDOM_JOB], a->jobs.runs.run[i]->serial, name);
	}
}

static void build_instances(struct agent_names *n, const struct agent *a)
{
	unsigned int i, kind;

	for (i = INDOM_NODE; i < INDOMS; i++)
		clear_instances(&n->indom[i]);
	for (kind = RCR_PLACE_NODE; kind < PART_KINDS; kind++)
		for (i = 0; i < a->parts[kind].count; i++)
			add_instance(&n->indom[kind], a->parts[kind].part[i].inst,
				     a->parts[kind].part[i].name);
	for (i = 0; i < AGENT_STATUSES; i++)
		if (i == AGENT_STATUSES - 1)
			add_instance(&n->indom[INDOM_STATUS], i, "unknown");
		else if (i > RCR_STATUS_OK && i != RCR_STATUS_ELSEWHERE)
			add_instance(&n->indom[INDOM_STATUS], i, rcr_status_name(i));
	add_instance(&n->indom[INDOM_MINUTE], 0, "current");
	add_instance(&n->indom[INDOM_MINUTE], 1, "last");
	add_places(n, a);
	names_list_jobs(n, a);
}

static int build_metrics(struct agent_names *n, const struct agent *a)
{
	unsigned int i;

	for (i = 0; rows[i].value < VALUE_SUM; i++)
		if (add_metric(n, &rows[i], 0, rows[i].value, "", NULL))
			return -1;
	for (i = 0; i < a->events; i++)
		if (add_event_metrics(n, a, i))
			return -1;
	for (i = 0; i < a->descriptions; i++)
		if (add_meter_metric(n, a, i))
			return -1;
	if (add_job_metrics(n, a))
		return -1;
	for (i = 0; i < n->metrics; i++)
		n->metric[i].m_user = &n->user[i];
	return 0;
}

/**
 * names_build() - build all names from the set and the meters
 * @n: after names_prepare(); @n->metric is replaced, and the caller frees the old array once
 *	libpcp_pmda uses the new one
 * @a: the agent
 *
 * Returns 0, or -1 if memory ran out.
 */
int names_build(struct agent_names *n, const struct agent *a)
{
	if (n->tree)
		pmdaTreeRelease(n->tree);
	free(n->user);
	n->tree = NULL;
	n->user = NULL;
	n->metric = NULL;
	n->metrics = 0;
	if (pmdaTreeCreate(&n->tree) < 0)
		return -1;
	build_instances(n, a);
	if (build_metrics(n, a))
		return -1;
	pmdaTreeRebuildHash(n->tree, n->metrics);
	pmdaCacheOp(pmInDom_build(n->domain, INDOM_ITEMS), PMDA_CACHE_SAVE);
	return 0;
}

static const struct agent_metric *find_metric(const struct agent_names *n, pmID pmid)
{
	unsigned int i;

	for (i = 0; i < n->metrics; i++)
		if (n->metric[i].m_desc.pmid == pmid)
			return &n->user[i];
	return NULL;
}

/* Writes the help text of a metric; returns false if there is no such metric. */
bool names_help(const struct agent_names *n, const struct agent *a, pmID pmid, char *text,
		size_t size)
{
	const struct agent_metric *m = find_metric(n, pmid);
	const struct rcr_board_meter *meter;
	int len;

	if (!m)
		return false;
	if (m->row->value < VALUE_SUM) {
		snprintf(text, size, "%s", m->row->help);
	} else if (m->row->value < VALUE_METER) {
		len = snprintf(text, size, m->row->help, a->event[m->index].counter.name);
		if (a->event[m->index].energy)
			snprintf(text + len, size - len, ", nJ");
		else if (a->event[m->index].gauge)
			snprintf(text + len, size - len, ", millidegree Celsius");
	} else if (m->row->value >= VALUE_JOB_TOTAL) {
		snprintf(text, size, m->row->help, a->jobs.event[m->index].name);
	} else if (m->row->value >= VALUE_JOB_BEGIN) {
		snprintf(text, size, "%s", m->row->help);
	} else {
		meter = &a->description[m->index];
		len = snprintf(text, size, m->row->help, meter->name);
		if (*meter->unit)
			snprintf(text + len, size - len, ", %s", meter->unit);
	}
	return true;
}
