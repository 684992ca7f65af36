// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * processes.c - finds the processes of the command: its descendants, by their parents in /proc.
 *
 * A process is looked up when its pid first appears in a sample, up to a tenth of a second after
 * the sample was taken. If it has ended by then, its samples are unsure. The exception is a process
 * in another cgroup, as long as all processes of the command were seen in the cgroup in which it
 * was started: it belongs to others. A reused pid is recognized by the start time of its process.
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

/* Most processes that are remembered: samples of further ones are unsure. */
#define PROCESSES_MOST	65536
/* Most ancestors of a process that are looked up. */
#define DEPTH_MOST	64
#define PATH_LEN	1024

/**
 * struct job_process - a process that had a sample
 * @pid: process id; 0: the slot is free
 * @start: start time; 0: not known
 * @pass: pass in which @start was last checked
 * @task: whether it belongs to the command
 */
struct job_process {
	uint64_t pid;
	uint64_t start;
	unsigned int pass;
	enum estimates_task task;
};

/**
 * struct processes - all processes that had a sample
 * @cgroup: id of the cgroup of all processes of the command; 0: not known, or more than one
 * @start: start time of the command; 0: not known
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

/* Returns the id of this process's cgroup of version 2; 0 if it is not known. */
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

/* Reaps orphans that have ended, but not the command: its exit status is still needed. */
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

/* True if a process descends from the command; clears @known if an ancestor has ended. */
static bool is_descendant(const struct processes *p, pid_t command, uint64_t parent, uint64_t start,
			  bool *known)
{
	unsigned int depth;

	*known = true;
	for (depth = 0; parent > 1; depth++) {
		if (parent == (uint64_t)command)
			return true;
		/* A child of ours is an orphan of the command, unless we had it before. */
		if (parent == (uint64_t)getpid())
			return start >= p->start;
		if (depth == DEPTH_MOST || !process_read(parent, &parent, &start)) {
			*known = false;
			return false;
		}
	}
	return false;
}

/* Decides whether a new process belongs to the command. */
static enum estimates_task judge_process(const struct processes *p, pid_t command, uint64_t pid,
					 uint64_t cgroup, uint64_t *start)
{
	unsigned int tries = 3;
	uint64_t parent;
	bool known;

	*start = 0;
	if (pid == (uint64_t)command)
		return ESTIMATES_OWN;
	/* Retry if an ancestor ends meanwhile: its children then have another parent. */
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

/* True if the pid now belongs to another process than the one that was judged. */
static bool is_reused(struct processes *p, struct job_process *s)
{
	uint64_t parent, start;

	if (s->pass == p->pass)
		return false;
	s->pass = p->pass;
	return process_read(s->pid, &parent, &start) && start != s->start;
}

/* Looks up the process of a sample, and judges it if it is new. */
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
		/* The sample may be of the old process or of the new one. */
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
	/* The task has no pid in this namespace. */
	if (!record->tgid)
		return ESTIMATES_UNSURE;
	task = find_process(p, command, record);
	/* The command has left its cgroup, so the cgroup no longer identifies other processes. */
	if (task == ESTIMATES_OWN && record->cgroup != p->cgroup)
		p->cgroup = 0;
	return task;
}
