/* SPDX-License-Identifier: GPL-2.0-or-later */
/* align.h - picks the samples of instants that are the same on all machines. */
#ifndef JOBS_ALIGN_H
#define JOBS_ALIGN_H

#include <stdbool.h>
#include <stdint.h>

#include "rcr.h"

/**
 * struct align_sample - a sample of a CPU
 * @valid: the other members are set
 * @tick: number of the tick
 * @time: of the tick, CLOCK_MONOTONIC, ns
 * @tsc: TSC before the first counter was read
 * @slow_tsc: TSC in the middle of the latest reading of slow counters; 0: there was none
 * @late: from the tick to its timer, ns
 * @changes: number of changes of a status, as in the record
 * @spent: TSC cycles that the sampler has spent on this CPU
 * @total: by counter
 * @status: by counter: enum rcr_status
 */
struct align_sample {
	bool valid;
	uint64_t tick;
	uint64_t time;
	uint64_t tsc;
	uint64_t slow_tsc;
	uint32_t late;
	uint64_t changes;
	uint64_t spent;
	uint64_t total[RCR_MAX_COUNTERS];
	uint8_t status[RCR_MAX_COUNTERS];
};

/**
 * struct align_tick - the samples at an instant
 * @valid: the other members are set
 * @tick: number of the tick
 * @time: of the tick, on the wall clock, ns since 1970
 * @cpu: by CPU number: its latest sample up to @time; of @tick, unless the CPU skipped it
 */
struct align_tick {
	bool valid;
	uint64_t tick;
	uint64_t time;
	struct align_sample *cpu;
};

/**
 * struct align - finds the samples of grid ticks in a stream
 * @grid: distance of two grid ticks, ns
 * @ncpus: entries of arrays of CPUs
 * @set: the current set, owned by the caller
 * @offset: wall clock minus CLOCK_MONOTONIC, ns
 * @due: the next multiple of @grid, on the wall clock, ns since 1970
 * @open: the tick of @next is known, and samples of it are being collected
 * @opened: time of that tick, CLOCK_MONOTONIC, ns
 * @missing: CPUs whose sample of the open tick has yet to arrive
 * @before: the grid tick before @now
 * @now: the latest grid tick
 * @next: the grid tick to come
 * @lost: records that the reader lost
 * @overruns: ticks that were missed
 * @skipped: ticks skipped on purpose, for example by idle CPUs
 */
struct align {
	uint64_t grid;
	unsigned int ncpus;
	const struct rcr_set *set;
	int64_t offset;
	uint64_t due;
	bool open;
	uint64_t opened;
	unsigned int missing;
	struct align_tick before;
	struct align_tick now;
	struct align_tick next;
	uint64_t lost;
	uint64_t overruns;
	uint64_t skipped;
};

/**
 * struct align_step - the count of a CPU from one grid tick to the next
 * @count: the count
 * @seconds: the time
 */
struct align_step {
	uint64_t count;
	double seconds;
};

int align_set(struct align *a, const struct rcr_set *set);
void align_free(struct align *a);
bool align_ends(const struct align *a, const struct rcr_item *item);
void align_add(struct align *a, const struct rcr_item *item);
bool align_is_due(const struct align *a, uint64_t wall, uint64_t patience);
void align_close(struct align *a);
bool align_has_tick(const struct align_tick *t, unsigned int cpu);
bool align_step(const struct align *a, unsigned int cpu, unsigned int counter,
		struct align_step *step);
uint64_t align_slow_time(const struct align *a);

#endif
