// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * job_cpus.c - finds the control group of a job, and its CPUs.
 *
 * To support another scheduler, add its path to the table. Ids of jobs are untrusted: those with
 * characters that no scheduler uses are rejected, before they become part of a path.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "file.h"
#include "runs/job_cpus.h"

#define PATH_LEN 1024

/* %s is the id of the job. Version 1 has a hierarchy for each controller: cpuset has the CPUs. */
static const char *const patterns[] = {
	/* Slurm, cgroup version 2; Debian's prepends the name of the node. */
	"/system.slice/slurmstepd.scope/job_%s",
	"/system.slice/*_slurmstepd.scope/job_%s",
	/* Slurm, version 1. */
	"/cpuset/slurm/uid_*/job_%s",
	"/cpuset/slurm_*/uid_*/job_%s",
	/* OpenPBS: versions 2 and 1. */
	"/pbs_jobs.service/jobid/%s",
	"/cpuset/pbs_jobs.service/jobid/%s",
	"/cpuset/pbspro.slice/pbspro-%s.slice",
};

static const char *const cpu_files[] = {
	"cpuset.cpus.effective", "cpuset.effective_cpus", "cpuset.cpus",
};

static bool is_plain_id(const char *id)
{
	return *id && *id != '.' && strlen(id) < 128 &&
	       !id[strspn(id, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-.")];
}

static bool read_cpu_list(const char *group, bool cpu[CPU_LIMIT])
{
	char path[PATH_LEN], list[CPULIST_TEXT];
	unsigned int i;

	for (i = 0; i < sizeof(cpu_files) / sizeof(cpu_files[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", group, cpu_files[i]);
		if (file_line(path, list, sizeof(list)) && cpulist_parse(list, cpu))
			return true;
		memset(cpu, 0, CPU_LIMIT * sizeof(*cpu));
	}
	return false;
}

/* Reads the user from the path: only Slurm with version 1 has it. */
static bool read_group_uid(const char *group, uint32_t *uid)
{
	const char *at = strstr(group, "/uid_");
	unsigned long value;
	char *end;

	if (!at || at[5] < '0' || at[5] > '9')
		return false;
	value = strtoul(at + 5, &end, 10);
	*uid = value;
	return *end == '/' && value < UINT32_MAX;
}

static bool read_job_group(const char *path, bool is_version_2, struct job_group *group)
{
	struct stat st;

	*group = (struct job_group){ };
	if (stat(path, &st) || !S_ISDIR(st.st_mode))
		return false;
	group->id = is_version_2 ? st.st_ino : 0;
	group->has_cpus = read_cpu_list(path, group->cpu);
	group->has_uid = read_group_uid(path, &group->uid);
	return group->id || group->has_cpus;
}

/**
 * job_group_find() - find the control group of a job
 * @root: JOB_CGROUPS, or a tree like it
 * @id: of the job
 * @group: filled in
 *
 * Returns false if the job has no control group, more than one, or one of an unknown layout.
 */
bool job_group_find(const char *root, const char *id, struct job_group *group)
{
	char under[PATH_LEN], path[2 * PATH_LEN];
	bool found = false;
	unsigned int i;
	glob_t paths;

	for (i = 0; is_plain_id(id) && !found && i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		snprintf(under, sizeof(under), patterns[i], id);
		snprintf(path, sizeof(path), "%s%s", root, under);
		if (glob(path, GLOB_NOSORT, NULL, &paths))
			continue;
		found = paths.gl_pathc == 1 &&
			read_job_group(paths.gl_pathv[0], strncmp(patterns[i], "/cpuset/", 8),
				       group);
		globfree(&paths);
	}
	return found;
}
