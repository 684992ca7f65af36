/* SPDX-License-Identifier: GPL-2.0-or-later */
/* estimates.h - estimates a job's share of the counts of CPUs that it shares with other tasks. */
#ifndef JOBS_ESTIMATES_H
#define JOBS_ESTIMATES_H

#include "estimate.h"
#include "math/rate.h"

/* What a sample interrupted. */
enum estimates_task {
	ESTIMATES_OTHER,
	ESTIMATES_OWN,
	ESTIMATES_UNSURE,	/* the interrupted process had ended before it was looked up */
	ESTIMATES_IDLE,
};

/**
 * struct estimates_cell - one event on one CPU
 * @own: the part of the job
 * @all: all counts
 * @broken: a count is not known
 */
struct estimates_cell {
	struct estimate own;
	struct estimate_cpu all;
	bool broken;
};

/**
 * struct estimates - estimates of a job's share of all events
 * @ncpus: entries of arrays of CPUs
 * @set: the current set, owned by the caller
 * @record: by CPU: its latest sample
 * @task: by CPU: what the latest sample interrupted
 * @earlier: by CPU: what the sample before that interrupted; ESTIMATES_OTHER if there was none
 * @has_record: by CPU: @record is valid
 * @torn: by CPU: records were lost after @record
 * @own: by CPU: samples that interrupted the job
 * @cell: by event of the run: by CPU; NULL: there is none
 * @failed: memory ran out
 */
struct estimates {
	unsigned int ncpus;
	const struct rcr_set *set;
	char *record;
	enum estimates_task *task;
	enum estimates_task *earlier;
	bool *has_record;
	bool *torn;
	uint64_t *own;
	struct estimates_cell *cell[RATE_EVENTS];
	bool failed;
};

/* Why there is no estimate. */
enum estimates_reason {
	ESTIMATES_KNOWN,
	ESTIMATES_SHARED,	/* CPUs share the counter, or it is read outside of the tick */
	ESTIMATES_UNSEEN,	/* no sample interrupted the job */
	ESTIMATES_BROKEN,	/* a counter was not ok all the time */
	ESTIMATES_ERROR,	/* its error is too large */
};

/**
 * struct estimates_sum - estimate of an event over the CPUs of the run
 * @reason: ESTIMATES_KNOWN, or why there is no estimate
 * @count: the estimate
 * @error: its standard error, set for ESTIMATES_ERROR, too
 */
struct estimates_sum {
	enum estimates_reason reason;
	double count;
	double error;
};

bool estimates_has(const struct rate_event *e);
int estimates_init(struct estimates *s, unsigned int ncpus);
void estimates_free(struct estimates *s);
int estimates_set(struct estimates *s, const struct rcr_set *set);
void estimates_add(struct estimates *s, const struct rate_run *r, const struct rcr_item *item,
		   enum estimates_task task);
struct estimates_sum estimates_sum(const struct estimates *s, const struct rate_run *r,
				   unsigned int event);
const char *estimates_reason_text(enum estimates_reason reason);

#endif
