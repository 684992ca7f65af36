// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * processes.c - which processes are those of the command: its descendants, by their parents in
 * /proc.
 *
 * A process is looked for when a sample has its number for the first time, which is up to a tenth
 * of a second after the sample: if it has ended then, its samples are unsure, unless its cgroup is
 * another than that in which the command was started, where all its processes have been so far. A
 * number that another process has by then is found by the start of the process.
 */
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process.h"
#include "rcrjob/processes.h"

/* Processes with samples, at most: others are unsure. */
#define PROCESSES_MOST	65536
/* Ancestors that are looked for, at most. */
#define DEPTH_MOST	64
#define PATH_LEN	1024

/**
 * struct job_process - a process that had a sample
 * @pid: its number; 0: the slot is free
 * @start: when it was started
 * @pass: when that was read last
 * @task: whether it is one of the command
 */
struct job_process {
	uint64_t pid;
	uint64_t start;
	unsigned int pass;
	enum estimates_task task;
};

/**
 * struct processes - all of these
 * @cgroup: id of the cgroup of all its processes; 0: not known
 * @start: when the command was started; 0: not known
 * @pass: number of the current pass
 * @count: used slots of @slot
 * @slot: a hash table, of which at most half is used
 */
struct processes {
	uint64_t cgroup;
	uint64_t start;
	unsigned int pass;
	unsigned int count;
	struct job_process slot[2 * PROCESSES_MOST];
};

/* The id of this process's cgroup of version 2; 0: not known. */
static uint64_t read_own_cgroup(void)
{
	FILE *mounts = setmntent("/proc/self/mounts", "r"), *in = fopen("/proc/self/cgroup", "re");
	char line[PATH_LEN] = "", path[2 * PATH_LEN] = "";
	struct mntent *m = NULL;
	struct stat st;

	while (in && fgets(line, sizeof(line), in) && strncmp(line, "0::/", 4))
		*line = 0;
	line[strcspn(line, "\n")] = 0;
	while (mounts && (m = getmntent(mounts)) && strcmp(m->mnt_type, "cgroup2"))
		;
	if (m && *line)
		snprintf(path, sizeof(path), "%.1000s%s", m->mnt_dir, line + 3);
	if (mounts)
		endmntent(mounts);
	if (in)
		fclose(in);
	return *path && !stat(path, &st) ? st.st_ino : 0;
}

struct processes *processes_open(void)
{
	struct processes *p = process_has_numbers() ? calloc(1, sizeof(*p)) : NULL;

	if (!p)
		return NULL;
	p->cgroup = read_own_cgroup();
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	return p;
}

void processes_close(struct processes *p)
{
	free(p);
}

/* Takes the orphans that have ended, up to the command. */
static void reap_orphans(pid_t command)
{
	siginfo_t info = { };

	while (!waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid &&
	       info.si_pid != command)
		waitpid(info.si_pid, NULL, WNOHANG);
}

void processes_renew(struct processes *p, pid_t command)
{
	uint64_t parent;

	p->pass++;
	if (!p->start && !process_read(command, &parent, &p->start))
		p->start = 0;
	reap_orphans(command);
}

/* True if a process descends from the command. False in @known: an ancestor has ended. */
static bool is_descendant(const struct processes *p, pid_t command, uint64_t parent, uint64_t start,
			  bool *known)
{
	unsigned int depth;

	*known = true;
	for (depth = 0; parent > 1; depth++) {
		if (parent == (uint64_t)command)
			return true;
		/* Its children are orphans of the command, and those that it had before. */
		if (parent == (uint64_t)getpid())
			return start >= p->start;
		if (depth == DEPTH_MOST || !process_read(parent, &parent, &start)) {
			*known = false;
			return false;
		}
	}
	return false;
}

/* What a process is that had no sample before, or has another start than before. */
static enum estimates_task judge_process(const struct processes *p, pid_t command, uint64_t pid,
					 uint64_t cgroup, uint64_t *start)
{
	unsigned int tries = 3;
	uint64_t parent;
	bool known;

	*start = 0;
	if (pid == (uint64_t)command)
		return ESTIMATES_OWN;
	/* An ancestor that ends meanwhile leaves its children to another one. */
	while (tries-- && process_read(pid, &parent, start)) {
		if (is_descendant(p, command, parent, *start, &known))
			return ESTIMATES_OWN;
		if (known)
			return ESTIMATES_OTHER;
	}
	*start = 0;
	return p->cgroup && cgroup && cgroup != p->cgroup ? ESTIMATES_OTHER : ESTIMATES_UNSURE;
}

static struct job_process *find_process_slot(struct processes *p, uint64_t pid)
{
	unsigned int at = pid * 0x9e3779b1u % (2 * PROCESSES_MOST);

	while (p->slot[at].pid && p->slot[at].pid != pid)
		at = (at + 1) % (2 * PROCESSES_MOST);
	return &p->slot[at];
}

/* True if the number has gone to another process since it was judged. */
static bool is_reused(struct processes *p, struct job_process *s)
{
	uint64_t parent, start;

	if (s->pass == p->pass)
		return false;
	s->pass = p->pass;
	return process_read(s->pid, &parent, &start) && start != s->start;
}

/* What the process of a sample is, by all that is known of it. */
static enum estimates_task find_process(struct processes *p, pid_t command,
					const struct rcr_record *record)
{
	struct job_process *s = find_process_slot(p, record->tgid);
	enum estimates_task before = s->task;

	if (!s->pid) {
		if (p->count == PROCESSES_MOST)
			return ESTIMATES_UNSURE;
		p->count++;
		s->pid = record->tgid;
		s->pass = p->pass;
		s->task = judge_process(p, command, s->pid, record->cgroup, &s->start);
	} else if (is_reused(p, s)) {
		s->task = judge_process(p, command, s->pid, record->cgroup, &s->start);
		/* Samples of both may have come. */
		return s->task == before ? before : ESTIMATES_UNSURE;
	}
	return s->task;
}

enum estimates_task processes_find(struct processes *p, pid_t command,
				   const struct rcr_record *record)
{
	enum estimates_task task;

	if (record->item.flags & RCR_RECORD_IDLE)
		return ESTIMATES_IDLE;
	/* A task outside of all processes that have numbers here. */
	if (!record->tgid)
		return ESTIMATES_UNSURE;
	task = find_process(p, command, record);
	/* From then on, others may be in it, too. */
	if (task == ESTIMATES_OWN && record->cgroup != p->cgroup)
		p->cgroup = 0;
	return task;
}
