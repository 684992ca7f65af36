/* SPDX-License-Identifier: GPL-2.0-or-later */
/* interval.h - divides the stream of records into intervals. */
#ifndef RCRSTAT_INTERVAL_H
#define RCRSTAT_INTERVAL_H

#include "rcr.h"

struct lint;
struct meters;
struct task_names;
struct tasks;

/*
 * Counts per second. No real counter reaches this rate: a record that implies it is wrong, and the
 * counter's status is RCR_STATUS_FAULT.
 */
#define RATE_LIMIT 1e14

/**
 * struct point - a CPU's totals at one tick
 * @valid: the other members are set
 * @time: of the tick, CLOCK_MONOTONIC, ns
 * @tsc: TSC in the middle of reading the counters
 * @reading: duration of the reading, TSC ticks
 * @slow_tsc: as @tsc, for counters that are read outside of the tick
 * @slow_reading: as @reading, for counters that are read outside of the tick
 * @spent: TSC cycles that ticks of this CPU have taken
 * @status: enum rcr_status, by counter
 * @worst: enum rcr_status, by counter: the first status since the previous point that was
 *	not ok, or ok; any other status overrides a gap, which only records an earlier
 *	interruption; a shared counter is "elsewhere" only if it was so throughout
 * @suspect: by counter: number of the first check (lint.h) that a sample failed since the
 *	previous point, or 0
 * @total: by counter; must be the last member: copies end after the set's last counter
 */
struct point {
	bool valid;
	uint64_t time;
	uint64_t tsc;
	uint64_t reading;
	uint64_t slow_tsc;
	uint64_t slow_reading;
	uint64_t spent;
	uint8_t status[RCR_MAX_COUNTERS];
	uint8_t worst[RCR_MAX_COUNTERS];
	uint8_t suspect[RCR_MAX_COUNTERS];
	uint64_t total[RCR_MAX_COUNTERS];
};

/**
 * struct cpu_interval - a CPU in the current interval
 * @cpu: CPU number
 * @from: where the interval begins
 * @to: the last point up to the end of the interval
 * @beyond: the last point after the end of the interval
 * @before: the sample before @to, if the intervals have @keeps_before
 * @before_beyond: the sample before @beyond, likewise
 * @lost: records that this reader lost
 * @overruns: ticks that the sampler missed
 * @skipped: samples before the first point that were left out, see @skips_gaps
 * @torn: records were lost since the last point, so their content is unknown
 * @missed: totals of the first sample, by counter, if the CPU appeared after the first
 *	interval
 */
struct cpu_interval {
	unsigned int cpu;
	struct point from;
	struct point to;
	struct point beyond;
	struct point before;
	struct point before_beyond;
	uint64_t lost;
	uint64_t overruns;
	unsigned int skipped;
	bool torn;
	uint64_t missed[RCR_MAX_COUNTERS];
};

/**
 * struct intervals - all selected CPUs in the current interval
 * @set: the counter set
 * @lint: checks for each sample; NULL: none
 * @meters: meters that are printed; NULL: none
 * @tasks: shares of processes or cgroups; NULL: none
 * @task_names: their names; NULL: none are known
 * @keeps_before: also keep the sample before the last one of each interval
 * @skips_gaps: begin after the first sample of counters that have just been added, which is a gap
 * @chosen: bit n: counter n is printed
 * @gauges: bit n: counter n is a gauge: its total is a value, not a count
 * @slow: bit n: counter n is read outside of the tick
 * @length: ns
 * @end: of the current interval, CLOCK_MONOTONIC, ns; 0 before the first record
 * @latest: time of the newest sample of any CPU
 * @offset: realtime minus monotonic, ns
 * @begun: an interval has ended
 * @ahead: number of CPUs with a point past the end of the current interval
 * @cpus: entries of @cpu
 * @cpu: the selected CPUs in ascending order
 * @place: index into @cpu by CPU number, set->ncpus entries; @cpus for a CPU that is not
 *	selected
 */
struct intervals {
	const struct rcr_set *set;
	struct lint *lint;
	const struct meters *meters;
	struct tasks *tasks;
	struct task_names *task_names;
	bool keeps_before;
	bool skips_gaps;
	uint32_t chosen;
	uint32_t gauges;
	uint32_t slow;
	uint64_t length;
	uint64_t end;
	uint64_t latest;
	int64_t offset;
	bool begun;
	unsigned int ahead;
	unsigned int cpus;
	struct cpu_interval *cpu;
	unsigned int *place;
};

int intervals_init(struct intervals *v, const struct rcr_set *set, uint64_t length,
		   const bool *wanted);
void intervals_free(struct intervals *v);
bool intervals_must_close(const struct intervals *v, const struct rcr_item *item);
void intervals_add(struct intervals *v, const struct rcr_item *item);
void intervals_watch(struct intervals *v, const struct rcr_item *item);
bool intervals_complete(const struct intervals *v);
bool intervals_over(const struct intervals *v, uint64_t patience);
void intervals_next(struct intervals *v);
void intervals_restart(struct intervals *v);
uint64_t intervals_elapsed(const struct intervals *v, const struct cpu_interval *c,
			   unsigned int counter);
uint64_t intervals_lost(const struct intervals *v);
uint64_t intervals_overruns(const struct intervals *v);
uint64_t intervals_wall_time(const struct intervals *v);
enum rcr_status status_worse(enum rcr_status seen, enum rcr_status status);
bool cpu_is_silent(const struct cpu_interval *c);
bool cpu_is_plain(const struct intervals *v, const struct cpu_interval *c);
unsigned int cpu_suspect(const struct cpu_interval *c, unsigned int counter);
enum rcr_status intervals_rate(const struct intervals *v,
			       const struct cpu_interval *c,
			       unsigned int counter, double *rate);
uint32_t intervals_rates(const struct intervals *v, const struct cpu_interval *c,
			 double rate[RCR_MAX_COUNTERS]);

/* True if counter @i is printed. */
static inline bool intervals_has(const struct intervals *v, unsigned int i)
{
	return v->chosen >> i & 1;
}

#endif
