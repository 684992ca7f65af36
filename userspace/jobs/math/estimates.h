/* SPDX-License-Identifier: GPL-2.0-or-later */
/* estimates.h - the part of a job in the counts of CPUs that it shares with others. */
#ifndef JOBS_ESTIMATES_H
#define JOBS_ESTIMATES_H

#include "estimate.h"
#include "math/rate.h"

/* Whether a sample interrupted the job. */
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
 * struct estimates - the parts of a job
 * @ncpus: entries of arrays of CPUs
 * @set: the current set, which the caller keeps
 * @record: by CPU: its latest sample
 * @task: by CPU: what that interrupted
 * @earlier: by CPU: what the sample before it interrupted; OTHER: there is none
 * @has_record: by CPU: there is one
 * @torn: by CPU: records were lost since then
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
 * struct estimates_sum - an estimate of an event over the CPUs of the run
 * @reason: why it is not known
 * @count: the estimate
 * @error: its standard error, also of one that is too large
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
