/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_cpus.h - finds the CPUs of a job by its control group. */
#ifndef JOBS_JOB_CPUS_H
#define JOBS_JOB_CPUS_H

#include <stdbool.h>
#include <stdint.h>

#include "parse/cpulist.h"

/* Where control groups are mounted. */
#define JOB_CGROUPS "/sys/fs/cgroup"

bool job_cpus_find(const char *root, const char *id, bool cpu[CPU_LIMIT], uint32_t *uid,
		   bool *has_uid);

#endif
