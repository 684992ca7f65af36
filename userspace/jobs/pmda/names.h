/* SPDX-License-Identifier: GPL-2.0-or-later */
/* names.h - names of the metrics of pmdarcr, which follow the events of the set. */
#ifndef JOBS_NAMES_H
#define JOBS_NAMES_H

#include <pcp/pmapi.h>
#include <pcp/pmda.h>

#include "pmda/agent.h"

/* Serial numbers of instance domains. */
enum agent_indom {
	INDOM_NODE = RCR_PLACE_NODE,	/* followed by the other kinds, as in enum rcr_place_kind */
	INDOM_CPU = RCR_PLACE_CPU,
	INDOM_STATUS,
	INDOM_MINUTE,
	INDOM_PLACE,
	INDOM_JOB,
	INDOMS,
	INDOM_NONE = INDOMS,
	INDOM_ITEMS = 100,		/* persistent item numbers of events and meters */
};

/* What a metric is. */
enum agent_value {
	VALUE_TICK_TIME,
	VALUE_TICK_NUMBER,
	VALUE_TICK_LATE,
	VALUE_SLOW_TIME,
	VALUE_SET_STATE,
	VALUE_SET_GENERATION,
	VALUE_SET_PERIOD,
	VALUE_SET_GRID,
	VALUE_SET_EVENTS,
	VALUE_SET_FAMILY,
	VALUE_SET_SOURCE,
	VALUE_LOST_RECORDS,
	VALUE_LOST_OVERRUNS,
	VALUE_LOST_SKIPPED,
	VALUE_COST_TIME,
	VALUE_BOARD_STATE,
	VALUE_LOST_MARKS,
	/* Values of an event. */
	VALUE_SUM,
	VALUE_NOTOK,
	VALUE_SPREAD_CV,
	VALUE_SPREAD_MIN,
	VALUE_SPREAD_MAX,
	VALUE_WITHIN_MIN,
	VALUE_WITHIN_MAX,
	VALUE_WITHIN_SUMSQ,
	VALUE_WITHIN_COUNT,
	/* Value of a meter. */
	VALUE_METER,
	/* Values of a job. */
	VALUE_JOB_BEGIN,
	VALUE_JOB_END,
	VALUE_JOB_STATE,
	VALUE_JOB_UID,
	VALUE_JOB_CPUS,
	VALUE_JOB_SHARED,
	VALUE_JOB_COMPLETE,
	VALUE_JOB_TOTAL,
	VALUE_JOB_COMPLETENESS,
	VALUE_JOB_ESTIMATE,
	VALUE_JOB_ERROR,
};

/**
 * struct agent_row - a metric, or one for each event, meter, or event of a job
 * @value: the value that it publishes
 * @name: "rcr.set.state"; if there is one metric for each event or meter, with %s for its name
 * @help: help text, with %s like @name
 * @cluster: of its PMID
 * @type: PM_TYPE_...
 * @indom: enum agent_indom
 * @sem: PM_SEM_...
 * @units: of its values
 */
struct agent_row {
	enum agent_value value;
	const char *name;
	const char *help;
	unsigned int cluster;
	int type;
	unsigned int indom;
	int sem;
	pmUnits units;
};

/**
 * struct agent_metric - a metric that has a name
 * @row: its row
 * @index: of its event, meter, or event of jobs
 */
struct agent_metric {
	const struct agent_row *row;
	unsigned int index;
};

/**
 * struct agent_names - all metrics that have a name now
 * @domain: of PCP
 * @metrics: entries of @metric and @user
 * @metric: for libpcp_pmda
 * @user: for the agent
 * @tree: the names
 * @indom: instances of each domain
 */
struct agent_names {
	unsigned int domain;
	unsigned int metrics;
	pmdaMetric *metric;
	struct agent_metric *user;
	pmdaNameSpace *tree;
	pmdaIndom indom[INDOMS];
};

void names_prepare(struct agent_names *n, unsigned int domain);
void names_list_jobs(struct agent_names *n, const struct agent *a);
int names_build(struct agent_names *n, const struct agent *a);
bool names_help(const struct agent_names *n, const struct agent *a, pmID pmid, char *text,
		size_t size);

/* values.c: fetches the value of a metric from memory; returns like a pmdaFetchCallBack. */
int value_of_metric(const struct agent *a, const struct agent_metric *m, unsigned int inst,
		    pmAtomValue *atom);

#endif
