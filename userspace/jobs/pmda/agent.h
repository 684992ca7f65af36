/* SPDX-License-Identifier: GPL-2.0-or-later */
/* agent.h - state of pmdarcr: the latest grid tick and its values. */
#ifndef JOBS_AGENT_H
#define JOBS_AGENT_H

#include <stdbool.h>
#include <stdint.h>

#include "math/align.h"
#include "pmda/parts.h"
#include "rcr_board.h"
#include "runs/jobs.h"

/* Statuses by which CPUs are counted: those of enum rcr_status, and one for all unknown ones. */
#define AGENT_STATUSES	(RCR_STATUS_MISPLACED + 2)

#define AGENT_METERS	256
#define AGENT_STATE_LEN	RCR_SENTENCE_LEN

/**
 * struct agent_rates - rates of an event in a minute, of the whole machine
 * @minute: minutes since 1970
 * @count: number of rates
 * @min: the least, 1/s
 * @max: the greatest, 1/s
 * @sumsq: sum of their squares
 */
struct agent_rates {
	uint64_t minute;
	unsigned int count;
	double min;
	double max;
	double sumsq;
};

/**
 * struct agent_spread - rates of an event over the CPUs, in the latest step of the grid
 * @cpus: CPUs with a rate
 * @cv: standard deviation (n - 1) divided by the mean; NAN: there is none
 * @min: the least, 1/s
 * @max: the greatest, 1/s
 */
struct agent_spread {
	unsigned int cpus;
	double cv;
	double min;
	double max;
};

/**
 * struct agent_event - an event of the set
 * @counter: as in the set
 * @gauge: it is a gauge
 * @energy: it counts energy, which is published at most once a second
 * @has_rates: rates are published: it counts, is read at each tick, and is no energy
 * @whole: by kind: no unit of the event spans two parts of that kind
 * @notok: by status: number of CPUs
 * @spread: rates of the CPUs
 * @rates: of the current and the previous minute
 */
struct agent_event {
	struct rcr_counter counter;
	bool gauge;
	bool energy;
	bool has_rates;
	bool whole[PART_KINDS];
	unsigned int notok[AGENT_STATUSES];
	struct agent_spread spread;
	struct agent_rates rates[2];
};

/**
 * struct agent_sum - an event over a part of the machine
 * @known: @value is valid
 * @value: the sum of the totals; of a gauge, the highest value
 */
struct agent_sum {
	bool known;
	uint64_t value;
};

/**
 * struct agent_meter - a meter of blackboard 1 at a place
 * @board: index in the list of meters
 * @inst: instance number of the place
 * @handle: handle to read the value with
 * @value: the latest value; NAN if there is none
 */
struct agent_meter {
	unsigned int board;
	int inst;
	struct rcr_meter handle;
	double value;
};

/**
 * struct agent - the agent
 * @file: a recording to replay; NULL: the module
 * @sysfs: where the topology is read
 * @reader: stream of records; NULL: it could not be opened
 * @set: copy of the current set
 * @item: replay: the next item, which is not due yet
 * @replay_from: replay: time of the first record, CLOCK_MONOTONIC of the recording, ns
 * @replay_at: replay: when it started, CLOCK_MONOTONIC, ns
 * @ended: replay: when end_recording() last ran, ns; 0: the recording has not ended
 * @state: "sampling", or why there are no values
 * @align: the grid
 * @places: topology of the CPUs
 * @unplaced: CPUs of the latest grid tick whose topology could not be read
 * @parts: parts of the machine
 * @events: entries of @event
 * @event: events of the set
 * @sum: by kind: a row of RCR_MAX_COUNTERS for each part
 * @late: delay of the latest timer of the grid tick, ns
 * @slow_time: latest reading of slow counters, ns since 1970; 0: there was none
 * @lost: records that were lost
 * @overruns: ticks that were missed
 * @skipped: ticks skipped on purpose, for example by idle CPUs
 * @spent: by CPU number: TSC cycles that the sampler has spent on it
 * @spent_ns: time that the sampler has spent on all CPUs, ns
 * @energy_second: second in which energy was last published, since 1970
 * @renamed: the metrics or instances must be built anew
 * @board: blackboard 1; NULL: there is none
 * @board_state: "present", or why there are no meters
 * @descriptions: entries of @description
 * @description: the meters
 * @jobs: the jobs
 * @meters: entries of @meter
 * @meter: meters at places, in the order of the descriptions
 */
struct agent {
	const char *file;
	const char *sysfs;
	struct rcr_reader *reader;
	struct rcr_set *set;
	const struct rcr_item *item;
	uint64_t replay_from;
	uint64_t replay_at;
	uint64_t ended;
	char state[AGENT_STATE_LEN];
	struct align align;
	struct part_places places;
	unsigned int unplaced;
	struct parts parts[PART_KINDS];
	unsigned int events;
	struct agent_event event[RCR_MAX_COUNTERS];
	struct agent_sum *sum[PART_KINDS];
	uint32_t late;
	uint64_t slow_time;
	uint64_t lost;
	uint64_t overruns;
	uint64_t skipped;
	uint64_t spent[CPU_LIMIT];
	uint64_t spent_ns;
	uint64_t energy_second;
	bool renamed;
	struct rcr_blackboard *board;
	char board_state[AGENT_STATE_LEN];
	unsigned int descriptions;
	struct rcr_board_meter description[AGENT_METERS];
	struct jobs jobs;
	unsigned int meters;
	struct agent_meter *meter;
};

/* records.c: reads the stream up to now. */
void records_read(struct agent *a);
int records_pause_ms(const struct agent *a);
void records_close(struct agent *a);

/* publish.c: computes the values of a grid tick. */
int publish_set(struct agent *a);
void publish_tick(struct agent *a);

/* meters.c: meters of blackboard 1. */
void meters_read(struct agent *a);
void meters_close(struct agent *a);

#endif
