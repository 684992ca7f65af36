/* SPDX-License-Identifier: GPL-2.0-or-later */
/* groups.h - finds out whether a control group is below that of a job. */
#ifndef JOBS_GROUPS_H
#define JOBS_GROUPS_H

#include "math/estimates.h"

/* Most control groups that are remembered; when full, all are forgotten and read again. */
#define GROUPS_MOST	16384
#define GROUPS_ANSWERS	64

/**
 * struct group_entry - a control group
 * @id: its id, which is never used again; 0: the slot is free
 * @parent: id of the one above it; 0: it is the root
 */
struct group_entry {
	uint64_t id;
	uint64_t parent;
};

/**
 * struct group_answer - cached answer of groups_task()
 * @id: id of a sample's control group
 * @job: id of a job's control group
 * @task: whether @id is below @job
 */
struct group_answer {
	uint64_t id;
	uint64_t job;
	enum estimates_task task;
};

/**
 * struct groups - the control groups of the machine, version 2
 * @root: where they are mounted
 * @is_read: they were read since groups_renew()
 * @count: used entries of @entry
 * @entry: a hash table, of which at most half is used; NULL: there is none yet
 * @answer: the latest answers, hashed by both ids
 */
struct groups {
	const char *root;
	bool is_read;
	unsigned int count;
	struct group_entry *entry;
	struct group_answer answer[GROUPS_ANSWERS];
};

/* Call before each batch of samples: allows the groups to be read once more. */
void groups_renew(struct groups *g);

/* Returns whether a sample interrupted a task of the job with the control group @job. */
enum estimates_task groups_task(struct groups *g, uint64_t job, const struct rcr_record *record);
void groups_free(struct groups *g);

#endif
