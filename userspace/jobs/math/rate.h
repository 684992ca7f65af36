/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rate.h - computes the counts of a set of CPUs between two points in time from the samples of the
 * stream.
 */
#ifndef JOBS_RATE_H
#define JOBS_RATE_H

#include <stdbool.h>
#include <stdint.h>

#include "rcr.h"

/* Events of a run, over all of its sets. */
#define RATE_EVENTS	(2 * RCR_MAX_COUNTERS)

/* Rows of a run: samples after the last one are in none. */
#define RATE_ROWS	100000

/* Scopes of counters: those of enum rcr_scope, and one for all unknown scopes. */
#define RATE_SCOPES	(RCR_SCOPE_CORE + 2)

/**
 * struct rate_tick - a sample of a CPU, without its totals
 * @valid: the other members are set
 * @tick: number of the tick
 * @time: of the tick, CLOCK_MONOTONIC, ns
 * @tsc: TSC before the first counter was read
 * @tsc_end: TSC after the last one was read
 * @slow_tsc: TSC in the middle of the latest reading of slow counters
 * @changes: number of changes of a status, as in the record
 * @spent: TSC cycles that the sampler has spent on this CPU
 */
struct rate_tick {
	bool valid;
	uint64_t tick;
	uint64_t time;
	uint64_t tsc;
	uint64_t tsc_end;
	uint64_t slow_tsc;
	uint64_t changes;
	uint64_t spent;
};

/**
 * struct rate_cpu - samples of a CPU
 * @first: the first sample of the run
 * @last: the latest one
 * @has_before: there is a sample of the current set, so the next sample completes a step
 * @torn: records were lost since then
 * @total: by counter of the current set: total of the latest sample
 * @status: by counter of the current set: enum rcr_status of the latest sample
 */
struct rate_cpu {
	struct rate_tick first;
	struct rate_tick last;
	bool has_before;
	bool torn;
	uint64_t total[RCR_MAX_COUNTERS];
	uint8_t status[RCR_MAX_COUNTERS];
};

/**
 * struct rate_cell - one event on one CPU
 * @count: the count between the first and the last sample; of a gauge, the highest value
 * @unclear: part of @count that was counted outside of @time
 * @time: TSC cycles in which it was counted
 * @lag: of a slow counter: TSC cycles from its first to its last reading, minus those from the
 *	CPU's first to its last sample
 * @status: the first enum rcr_status that was neither ok nor elsewhere; 0: there was none
 */
struct rate_cell {
	uint64_t count;
	uint64_t unclear;
	uint64_t time;
	int64_t lag;
	uint8_t status;
};

/**
 * struct rate_event - one event
 * @counter: as in the set
 * @scope: below RATE_SCOPES: which CPUs share it
 * @gauge: it is a gauge
 * @slow: it is read outside of the tick
 * @cell: by CPU number
 */
struct rate_event {
	struct rcr_counter counter;
	unsigned int scope;
	bool gauge;
	bool slow;
	struct rate_cell *cell;
};

/**
 * struct rate_groups - divides the CPUs into groups
 * @first: by CPU number: the lowest CPU of its group
 */
struct rate_groups {
	unsigned int *first;
};

/**
 * struct rate_run - the counts of a run
 * @ncpus: entries of arrays of CPUs
 * @wanted: by CPU number: it belongs to the run
 * @machine: by CPU number: counters that this CPU shares across cores belong to the run even if it
 *	is not in @wanted; owned by the caller; NULL: use @wanted
 * @shares: by scope: the CPUs that share a counter
 * @edge: longest time without a sample at either end of the run that is not missed, ns
 * @begin: samples before it are ignored, CLOCK_MONOTONIC, ns
 * @end: samples after it are ignored, CLOCK_MONOTONIC, ns
 * @set: the current set, owned by the caller
 * @in_set: @set had a sample
 * @sets: sets that had a sample
 * @latest: time of the newest sample of any CPU, in the run or after it
 * @lost: records that the reader lost
 * @cpu: by CPU number
 * @count: entries of @event
 * @event: in the order of the sets
 * @of_counter: by counter of the current set: index of its event; RATE_EVENTS: there is no room
 * @row_ns: length of a row, ns; 0: there are no rows
 * @rows: number of rows
 * @row: @rows times RATE_EVENTS counts; row i ends at @begin + (i + 1) * @row_ns
 */
struct rate_run {
	unsigned int ncpus;
	bool *wanted;
	const bool *machine;
	struct rate_groups shares[RATE_SCOPES];
	uint64_t edge;
	uint64_t begin;
	uint64_t end;
	const struct rcr_set *set;
	bool in_set;
	unsigned int sets;
	uint64_t latest;
	uint64_t lost;
	struct rate_cpu *cpu;
	unsigned int count;
	struct rate_event event[RATE_EVENTS];
	unsigned int of_counter[RCR_MAX_COUNTERS];
	uint64_t row_ns;
	unsigned int rows;
	uint64_t *row;
};

/**
 * struct rate_sum - one event over the CPUs of a place
 * @places: CPUs, or units that share the counter, that are completely in the place
 * @counted: how many of @places have counted
 * @count: the count; of a gauge, the highest value
 * @per_second: counts per second of the time that was counted
 * @completeness: share of the time that was counted, from 0 to 1
 * @status: enum rcr_status: why @completeness is less than 1; 0: no sample, or no counter in a set
 * @cpu: the first CPU with that status
 */
struct rate_sum {
	unsigned int places;
	unsigned int counted;
	uint64_t count;
	double per_second;
	double completeness;
	uint8_t status;
	unsigned int cpu;
};

int rate_init(struct rate_run *r, unsigned int ncpus);
void rate_free(struct rate_run *r);
int rate_set(struct rate_run *r, const struct rcr_set *set);
void rate_add(struct rate_run *r, const struct rcr_item *item);
bool rate_is_shared(const struct rate_event *e);
bool rate_has(const struct rate_run *r, unsigned int event, unsigned int cpu);
uint64_t rate_span(const struct rate_run *r, unsigned int cpu);
bool rate_sum(const struct rate_run *r, unsigned int event, const struct rate_groups *groups,
	      unsigned int first, struct rate_sum *sum);

#endif
