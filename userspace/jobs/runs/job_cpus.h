/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_cpus.h - finds the control group of a job, and its CPUs. */
#ifndef JOBS_JOB_CPUS_H
#define JOBS_JOB_CPUS_H

#include <stdbool.h>
#include <stdint.h>

#include "parse/cpulist.h"

/* Where control groups are mounted. */
#define JOB_CGROUPS "/sys/fs/cgroup"

/**
 * struct job_group - the control group of a job
 * @id: cgroup id, as in records; 0 for version 1, whose ids are not recorded
 * @has_cpus: @cpu is known
 * @cpu: its CPUs
 * @has_uid: @uid is known
 * @uid: its user
 */
struct job_group {
	uint64_t id;
	bool has_cpus;
	bool cpu[CPU_LIMIT];
	bool has_uid;
	uint32_t uid;
};

bool job_group_find(const char *root, const char *id, struct job_group *group);

#endif
