/* SPDX-License-Identifier: GPL-2.0-or-later */
/* runs.h - executions of jobs, from the marks and samples of a stream. */
#ifndef JOBS_RUNS_H
#define JOBS_RUNS_H

#include "math/estimates.h"
#include "parse/cpulist.h"

/* Most open runs: beyond this one is dropped. */
#define RUNS_OPEN	512
/* Most runs that are kept: beyond this the oldest one that has ended is forgotten. */
#define RUNS_KEPT	2048

#define RUN_REASON_LEN	96
#define RUN_NAME_LEN	256

enum run_state {
	RUN_RUNNING,
	RUN_ENDED,		/* by a mark */
	RUN_BEGUN_AGAIN,	/* by another begin of the same job */
	RUN_DROPPED,		/* there were too many */
	RUN_RESTARTED,		/* by a restart of the machine */
	RUN_STATES,
};

/**
 * struct run_total - what an event has counted in a run
 * @name: of the event
 * @unit: enum rcr_unit
 * @gauge: it is a gauge
 * @slow: it is read outside of the tick
 * @shared: CPUs of several cores share its unit: the count is that of the machine
 * @known: @count is valid
 * @count: the count; of a gauge, the highest value
 * @completeness: share of the time that was counted, from 0 to 1
 * @reason: why @completeness is less than 1; else empty
 * @has_estimate: @estimate and @error are valid
 * @estimate: estimated part of @count that belongs to the run's own tasks
 * @error: standard error of @estimate
 * @estimate_reason: why there is no estimate; else empty
 */
struct run_total {
	char name[RCR_NAME_LEN];
	unsigned int unit;
	bool gauge;
	bool slow;
	bool shared;
	bool known;
	uint64_t count;
	double completeness;
	char reason[RUN_REASON_LEN];
	bool has_estimate;
	uint64_t estimate;
	uint64_t error;
	char estimate_reason[RUN_REASON_LEN];
};

/**
 * struct run - an execution of a job
 * @id: of the job
 * @number: of the runs with this id, from 1 on
 * @serial: unique number
 * @state: enum run_state
 * @uncertain: marks were lost, one of which may have been its end
 * @begin: time of the mark, CLOCK_MONOTONIC, ns
 * @end: likewise; UINT64_MAX: there was none
 * @begin_wall: on the wall clock, ns since 1970
 * @end_wall: likewise
 * @shared: number of runs that overlap it in time
 * @cpus: number of its CPUs; 0: not known, all sampled CPUs are counted
 * @has_uid: @uid is known
 * @uid: user id of the job
 * @restored: it was read from a card
 * @generation: restored: generation of the set when the card was written
 * @mark: restored: number of the next mark when the card was written
 * @dirty: the card must be written
 * @changed: statuses were changed since it was written
 * @saved: when it was written, in time of the stream
 * @group: id of its control group; 0: not known
 * @found: when the control group was found, in time of the stream; 0: it was not
 * @rate: its counts; NULL once its last card is written
 * @estimates: estimates of the share of its own tasks in @rate; NULL: there are none
 * @totals: entries of @total
 * @total: as of the latest runs_sync(), or of its end
 */
struct run {
	char id[RCR_MARK_LEN];
	unsigned int number;
	unsigned int serial;
	enum run_state state;
	bool uncertain;
	uint64_t begin;
	uint64_t end;
	uint64_t begin_wall;
	uint64_t end_wall;
	unsigned int shared;
	unsigned int cpus;
	bool has_uid;
	uint32_t uid;
	bool restored;
	uint32_t generation;
	uint64_t mark;
	bool dirty;
	bool changed;
	uint64_t saved;
	uint64_t group;
	uint64_t found;
	struct rate_run *rate;
	struct estimates *estimates;
	unsigned int totals;
	struct run_total *total;
};

/**
 * struct run_slot - the two latest records of a CPU
 * @valid: by index: there is a record
 * @newest: index of the latest record
 */
struct run_slot {
	bool valid[2];
	unsigned int newest;
};

/**
 * struct runs - all runs, and the records that they are counted from
 * @set: copy of the current set
 * @ncpus: entries of @slot
 * @offset: wall clock minus CLOCK_MONOTONIC, ns
 * @share: by scope and CPU: the lowest CPU that shares a counter with it; set by the caller
 * @task: whether a sample interrupted a task of the control group; set by the caller
 * @context: first argument of @task
 * @sampled: by CPU: it is sampled
 * @has_gauges: the set has gauges, so that runs need every record
 * @slot: by CPU
 * @record: by CPU: two records
 * @has_samples: there was a record
 * @time: of the newest record or mark, CLOCK_MONOTONIC, ns
 * @mark: number of the next mark of the set
 * @lost_marks: marks that were lost
 * @strays: ends of jobs that had not begun
 * @serial: number of the next run
 * @changes: counts the runs that began, ended or were forgotten
 * @opens: entries of @open
 * @open: runs that are counted
 * @count: entries of @run
 * @run: all runs, by @serial
 */
struct runs {
	struct rcr_set *set;
	unsigned int ncpus;
	int64_t offset;
	unsigned int share[RATE_SCOPES][CPU_LIMIT];
	enum estimates_task (*task)(void *context, uint64_t group, const struct rcr_record *record);
	void *context;
	bool sampled[CPU_LIMIT];
	bool has_gauges;
	struct run_slot *slot;
	char *record;
	bool has_samples;
	uint64_t time;
	uint64_t mark;
	uint64_t lost_marks;
	uint64_t strays;
	unsigned int serial;
	uint64_t changes;
	unsigned int opens;
	struct run *open[RUNS_OPEN];
	unsigned int count;
	struct run *run[RUNS_KEPT];
};

int runs_set(struct runs *r, const struct rcr_set *set);
void runs_add(struct runs *r, const struct rcr_item *item);
void runs_sync(struct runs *r);
void runs_update(struct runs *r, struct run *run);
bool runs_is_over(const struct runs *r, const struct run *run);
void runs_flush(struct runs *r, uint64_t before);
void runs_expire(struct runs *r, uint64_t before);
void runs_free(struct runs *r);
struct run *runs_find(const struct runs *r, unsigned int serial);
struct run *runs_make(struct runs *r, const char *id);
bool runs_open(struct runs *r, struct run *run);
void runs_release(struct run *run);
void runs_set_group(struct runs *r, struct run *run, uint64_t group);
void runs_end(struct runs *r, struct run *run, uint64_t end, enum run_state state);
void runs_forget(struct runs *r, struct run *run);
double run_completeness(const struct run *run);
const char *run_state_name(const struct run *run);
void run_name(char name[RUN_NAME_LEN], const struct run *run);

#endif
