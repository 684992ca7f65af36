// SPDX-License-Identifier: GPL-2.0-or-later
/* counters.c - checks which other processes hold counters, and the state of the set. */
#include <dirent.h>
#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "doctor/doctor.h"
#include "file.h"
#include "rcr.h"

/**
 * struct users - processes that use counters without the module
 * @text: their names and process ids
 * @count: number of processes in @text
 * @unseen: processes that could not be examined
 */
struct users {
	char text[128];
	unsigned int count;
	unsigned int unseen;
};

/*
 * True if the process has an event of perf or, with *@msr set, an MSR device open. Counts it in
 * *@unseen if its open files cannot be read.
 */
static bool uses_counters(const struct doctor *d, const char *pid, bool *msr, unsigned int *unseen)
{
	char path[512], link[64];
	struct dirent *each;
	bool found = false;
	ssize_t len;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/proc/%s/fd", d->root, pid);
	dir = opendir(path);
	/* A process that has ended holds nothing. */
	*unseen += !dir && errno != ENOENT && errno != ESRCH;
	while (dir && !found && (each = readdir(dir))) {
		len = readlinkat(dirfd(dir), each->d_name, link, sizeof(link) - 1);
		if (len < 0)
			continue;
		link[len] = 0;
		*msr = !strncmp(link, "/dev/cpu/", 9);
		found = *msr || !strcmp(link, "anon_inode:[perf_event]");
	}
	if (dir)
		closedir(dir);
	return found;
}

static void add_user(const struct doctor *d, struct users *u, const char *pid)
{
	char path[512], name[32] = "?";
	size_t len = strlen(u->text);

	snprintf(path, sizeof(path), "%s/proc/%s/comm", d->root, pid);
	file_line(path, name, sizeof(name));
	snprintf(u->text + len, sizeof(u->text) - len, "%s%s (%s)", u->count ? ", " : "",
		 name, pid);
	u->count++;
}

/* True for rcrd, whose events of perf use no counters: they report what processes execute. */
static bool is_recorder(const struct doctor *d, const char *pid)
{
	const struct passwd *user;
	char path[512], name[32] = "";
	struct stat st;

	snprintf(path, sizeof(path), "%s/proc/%s/comm", d->root, pid);
	if (!file_line(path, name, sizeof(name)) || strcmp(name, "rcrd"))
		return false;
	/* getpwnam() reads files: do not call it for every process. */
	user = getpwnam("rcrtool");
	*strrchr(path, '/') = 0;
	return user && !stat(path, &st) && st.st_uid == user->pw_uid;
}

static void find_users(const struct doctor *d, struct users *perf, struct users *registers)
{
	struct dirent *each;
	char path[512];
	bool msr;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/proc", d->root);
	dir = opendir(path);
	perf->unseen += !dir;
	while (dir && (each = readdir(dir)))
		if (each->d_name[0] >= '1' && each->d_name[0] <= '9' &&
		    atoi(each->d_name) != getpid() && !is_recorder(d, each->d_name) &&
		    uses_counters(d, each->d_name, &msr, &perf->unseen))
			add_user(d, msr ? registers : perf, each->d_name);
	if (dir)
		closedir(dir);
}

static void check_users(struct doctor *d)
{
	struct users perf = { .count = 0 }, registers = { .count = 0 };

	find_users(d, &perf, &registers);
	if (perf.count)
		doctor_add_private(d, FINDING_NOTE, "users", "events of perf are held by %s",
				   perf.text);
	if (registers.count)
		doctor_add_private(d, FINDING_NOTE, "users", "registers may be written directly by %s",
				   registers.text);
	if (perf.unseen && geteuid())
		doctor_add(d, FINDING_NOTE, "users", "not known: the open files of other users' processes cannot be read: run this as root");
	else if (perf.unseen)
		doctor_add(d, FINDING_NOTE, "users", "not known: the open files of some processes cannot be read in /proc");
	else if (!perf.count && !registers.count)
		doctor_add(d, FINDING_OK, "users", "no other process uses counters");
}

static void check_core(struct doctor *d, const struct rcr_state *s)
{
	unsigned int busy = s->core_used + s->core_others + (s->core_watchdog == RCR_WATCHDOG_ON);

	if (s->error)
		doctor_add(d, FINDING_FIX, "set", "nothing is counted: %s", s->reason);
	if (s->core_counters)
		doctor_add(d, FINDING_OK, "counters", "of %u in each core the set uses %u, others hold %u, %u are free",
			   s->core_counters, s->core_used, busy - s->core_used,
			   s->core_counters > busy ? s->core_counters - busy : 0);
	if (s->held)
		doctor_add_private(d, FINDING_NOTE, "set", "held by %s", s->holders);
}

static void check_counted_set(struct doctor *d, const struct rcr_state *s)
{
	const struct rcr_counter_state *c;
	unsigned int i, running = 0, well = 0;

	for (i = 0; i < s->ncounters; i++) {
		c = &s->counter[i];
		if (!c->running)
			continue;
		running++;
		switch (c->status) {
		case RCR_STATUS_OK:
			well++;
			break;
		case RCR_STATUS_FOREIGN:
			doctor_add(d, FINDING_FIX, "set", "%s was changed by another program on CPU %s: stop it, then run 'rcrctl repair %s'",
				   c->name, c->cpus, c->name);
			break;
		case RCR_STATUS_HALTED:
			doctor_add(d, FINDING_NOTE, "set", "%s is paused: 'rcrctl resume %s' reads it again",
				   c->name, c->name);
			break;
		default:
			doctor_add(d, FINDING_FIX, "set", "%s has status %s on CPU %s: see STATUS in rcrstat(1)",
				   c->name, rcr_status_name(c->status), c->cpus);
		}
	}
	if (running && running == well)
		doctor_add(d, FINDING_OK, "set", "all %u counters are ok on all CPUs", running);
}

void doctor_check_counters(struct doctor *d)
{
	check_users(d);
	if (!d->has_state) {
		if (!*d->root && doctor_exists(d, "/sys/module/rcrtool"))
			doctor_add(d, FINDING_NOTE, "set", "not known: %s",
				   d->session->control ? rcr_control_reason(d->session->control) :
							 "the module does not answer");
		return;
	}
	check_core(d, &d->session->state);
	check_counted_set(d, &d->session->state);
}
