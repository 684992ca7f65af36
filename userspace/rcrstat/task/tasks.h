/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tasks.h - shares of processes or cgroups in an interval, by the task of each sample. */
#ifndef RCRSTAT_TASKS_H
#define RCRSTAT_TASKS_H

#include <stdbool.h>
#include <stdint.h>

#include "estimate.h"
#include "rcr.h"

struct intervals;

/* Kind of task that a sample is attributed to. */
enum task_kind {
	TASK_NONE,
	TASK_PROCESS,		/* the process that was interrupted */
	TASK_CGROUP,		/* its cgroup */
};

/* Id of a CPU without a task to run. */
#define TASK_IDLE	0

/* Index of the time on CPUs, after the counters of a set. */
#define TASK_TIME	RCR_MAX_COUNTERS
#define TASK_COLUMNS	(RCR_MAX_COUNTERS + 1)

/**
 * struct task_sums - one counter of a task on one CPU in an interval
 * @part: its part in the counts of the CPU
 * @broken: a count is not known
 */
struct task_sums {
	struct estimate part;
	bool broken;
};

/**
 * struct task_entry - a task on one CPU in an interval
 * @id: process id or cgroup id; TASK_IDLE
 * @cpu: index of the CPU
 * @samples: samples that have interrupted it
 * @sums: by column
 */
struct task_entry {
	uint64_t id;
	unsigned int cpu;
	unsigned int samples;
	struct task_sums sums[TASK_COLUMNS];
};

/**
 * struct task_cpu - a CPU in an interval
 * @samples: of it
 * @last: id of the task of the last sample, if there is one
 * @all: by column: all counts
 * @broken: by column: a count is not known
 */
struct task_cpu {
	unsigned int samples;
	uint64_t last;
	struct estimate_cpu all[TASK_COLUMNS];
	bool broken[TASK_COLUMNS];
};

/**
 * struct task_bin - all tasks in one interval
 * @cpu: by index of the CPU
 * @entry: tasks on CPUs
 * @count: used entries of @entry
 * @room: allocated entries of @entry
 * @slot: hash table: indexes into @entry plus 1; 0: free
 * @slots: entries of @slot, a power of two
 */
struct task_bin {
	struct task_cpu *cpu;
	struct task_entry *entry;
	unsigned int count;
	unsigned int room;
	unsigned int *slot;
	unsigned int slots;
};

/**
 * struct task_value - a share of a task
 * @known: the other members are set
 * @rate: counts per second; of TASK_TIME: CPUs
 * @error: its standard error
 */
struct task_value {
	bool known;
	double rate;
	double error;
};

/**
 * struct task_row - a task in an interval
 * @id: process id or cgroup id; TASK_IDLE
 * @samples: samples that have interrupted it
 * @value: by column
 */
struct task_row {
	uint64_t id;
	uint64_t samples;
	struct task_value value[TASK_COLUMNS];
};

/**
 * struct tasks - shares of tasks
 * @kind: kind of task that samples are attributed to
 * @set: the counter set
 * @cpus: number of CPUs
 * @columns: mask of the counters that have shares: those of each CPU, read with each sample
 * @record: by index of the CPU: its latest sample, of the set's record_size
 * @has_record: by index of the CPU
 * @bin: the current interval, and the next one
 * @failed: out of memory
 */
struct tasks {
	enum task_kind kind;
	const struct rcr_set *set;
	unsigned int cpus;
	uint32_t columns;
	char *record;
	bool *has_record;
	struct task_bin bin[2];
	bool failed;
};

int tasks_init(struct tasks *t, const struct intervals *v, enum task_kind kind);
void tasks_free(struct tasks *t);
void tasks_add(struct tasks *t, unsigned int cpu, const struct rcr_record *r, bool beyond);
void tasks_next(struct tasks *t);
unsigned int tasks_rows(const struct tasks *t, struct task_row **rows, struct task_row *whole);

#endif
