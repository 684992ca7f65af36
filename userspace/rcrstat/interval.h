/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * interval.h - cuts the stream of records into intervals.
 */
#ifndef RCRSTAT_INTERVAL_H
#define RCRSTAT_INTERVAL_H

#include "rcr.h"

struct lint;

/*
 * Counts per second. No counter reaches it: a stream that says so is wrong, and
 * the counter's status is RCR_STATUS_FAULT.
 */
#define RATE_LIMIT 1e14

/**
 * struct point - a CPU's totals at one tick
 * @valid: there is one
 * @time: of the tick, CLOCK_MONOTONIC, ns
 * @tsc: TSC in the middle of the reading of the counters
 * @reading: ticks of the TSC that this took
 * @slow_tsc: as @tsc, of those that no tick reads
 * @slow_reading: as @reading
 * @status: by counter, an enum rcr_status
 * @worst: by counter, likewise: the status of the first sample since the point before
 *	that was not ok, or ok; gap gives way to another one, for it only says
 *	that something was before; a shared counter is elsewhere if it was that
 *	throughout
 * @suspect: by counter: what the first sample since the point before broke that
 *	broke something (lint.h), or 0
 * @total: by counter; the last member, for a copy ends with the set's last counter
 */
struct point {
	bool valid;
	uint64_t time;
	uint64_t tsc;
	uint64_t reading;
	uint64_t slow_tsc;
	uint64_t slow_reading;
	uint8_t status[RCR_MAX_COUNTERS];
	uint8_t worst[RCR_MAX_COUNTERS];
	uint8_t suspect[RCR_MAX_COUNTERS];
	uint64_t total[RCR_MAX_COUNTERS];
};

/**
 * struct cpu_interval - a CPU in the present interval
 * @cpu: its number
 * @from: where the interval begins
 * @to: the last point not behind the interval's end
 * @beyond: the last point behind it
 * @lost: records that this reader lost
 * @overruns: ticks that the sampler missed
 * @torn: records were lost before the next one: nobody knows what was in them
 * @missed: of a CPU that came when others had been there for an interval: the
 *	totals that it came with, by counter
 */
struct cpu_interval {
	unsigned int cpu;
	struct point from;
	struct point to;
	struct point beyond;
	uint64_t lost;
	uint64_t overruns;
	bool torn;
	uint64_t missed[RCR_MAX_COUNTERS];
};

/**
 * struct intervals - all CPUs in the present interval
 * @set: what is counted
 * @lint: what records are held against; NULL: nothing
 * @gauges: bit n: counter n is a value and no count
 * @slow: bit n: counter n is read outside of the tick
 * @length: ns
 * @end: of the present interval, CLOCK_MONOTONIC, ns; 0 before the first record
 * @latest: time of the newest sample of all
 * @offset: realtime minus monotonic, ns
 * @begun: an interval has ended
 * @ahead: how many CPUs have gone beyond the end of the present interval
 * @cpus: entries of @cpu
 * @cpu: the CPUs looked at, in order of number
 * @place: by CPU number, set->ncpus entries: its entry of @cpu, or @cpus
 */
struct intervals {
	const struct rcr_set *set;
	struct lint *lint;
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

#endif
