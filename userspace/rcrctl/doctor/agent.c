// SPDX-License-Identifier: GPL-2.0-or-later
/* agent.c - checks PCP's agent: installed, added to pmcd, running, and able to open the device. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "doctor/doctor.h"
#include "rcr.h"

#define AGENT		"pmdarcr"
#define AGENT_FOLDER	"/var/lib/pcp/pmdas/rcr"
#define AGENT_LOG	"/var/log/pcp/pmcd/rcr.log"
#define PMCD_CONF	"/etc/pcp/pmcd/pmcd.conf"

/**
 * struct agent_process - a process, from its status in /proc
 * @name: its name
 * @parent: process id of its parent
 * @uid: effective user id
 * @groups: effective group, and the others, each followed by a blank
 */
struct agent_process {
	char name[32];
	unsigned int parent;
	unsigned int uid;
	char groups[512];
};

static bool read_process(const struct doctor *d, unsigned int pid, struct agent_process *p)
{
	char path[512], line[512];
	unsigned int gid = 0;
	size_t len;
	FILE *in;

	*p = (struct agent_process){ };
	snprintf(path, sizeof(path), "%s/proc/%u/status", d->root, pid);
	in = fopen(path, "re");
	while (in && fgets(line, sizeof(line), in)) {
		if (sscanf(line, "Name: %31s", p->name) == 1 ||
		    sscanf(line, "PPid: %u", &p->parent) == 1 ||
		    sscanf(line, "Uid: %*u %u", &p->uid) == 1 ||
		    sscanf(line, "Gid: %*u %u", &gid) == 1 || strncmp(line, "Groups:", 7))
			continue;
		line[strcspn(line, "\n")] = 0;
		len = snprintf(p->groups, sizeof(p->groups), " %u ", gid);
		snprintf(p->groups + len, sizeof(p->groups) - len, "%s ",
			 line + 7 + strspn(line + 7, " \t"));
	}
	if (in)
		fclose(in);
	return *p->name;
}

/* True if the process is pmcd, or pmdaroot, which starts agents for pmcd. */
static bool is_pmcd(const struct doctor *d, unsigned int pid)
{
	struct agent_process p;

	return read_process(d, pid, &p) && (!strcmp(p.name, "pmcd") || !strcmp(p.name, "pmdaroot"));
}

/* Checks whether pmcd runs, and reads its agent; @agent->name is empty if pmcd does not run it. */
static void find_agent(const struct doctor *d, bool *pmcd, struct agent_process *agent)
{
	struct agent_process p;
	struct dirent *each;
	char path[512];
	DIR *dir;

	*pmcd = false;
	*agent = (struct agent_process){ };
	snprintf(path, sizeof(path), "%s/proc", d->root);
	dir = opendir(path);
	while (dir && (each = readdir(dir))) {
		if (each->d_name[0] < '1' || each->d_name[0] > '9' ||
		    !read_process(d, atoi(each->d_name), &p))
			continue;
		*pmcd |= !strcmp(p.name, "pmcd");
		if (!strcmp(p.name, AGENT) && is_pmcd(d, p.parent))
			*agent = p;
	}
	if (dir)
		closedir(dir);
}

/* True if pmcd's configuration has the agent. */
static bool is_agent_added(const struct doctor *d)
{
	char path[512], line[512];
	bool found = false;
	FILE *in;

	snprintf(path, sizeof(path), "%s%s", d->root, PMCD_CONF);
	in = fopen(path, "re");
	while (in && !found && fgets(line, sizeof(line), in))
		found = !strncmp(line, "rcr", 3) && (line[3] == ' ' || line[3] == '\t');
	if (in)
		fclose(in);
	return found;
}

/* True if the process may read the device, or there is no device. */
static bool may_read_device(const struct doctor *d, const struct agent_process *p)
{
	char path[512], group[16];
	struct stat st;

	snprintf(path, sizeof(path), "%s%s", d->root, RCR_DEVICE);
	if (stat(path, &st) || !p->uid || st.st_mode & 0004)
		return true;
	/* Group ids in @groups are surrounded by blanks. */
	snprintf(group, sizeof(group), " %u ", (unsigned int)st.st_gid);
	return st.st_mode & 0040 && strstr(p->groups, group);
}

void doctor_check_agent(struct doctor *d)
{
	struct agent_process agent;
	bool pmcd;

	find_agent(d, &pmcd, &agent);
	if (*agent.name && may_read_device(d, &agent))
		doctor_add(d, FINDING_OK, AGENT, "pmcd runs it");
	else if (*agent.name)
		doctor_add(d, FINDING_FIX, AGENT, "pmcd runs it, but it cannot read %s: add its user to the group rcrtool, then restart pmcd",
			   RCR_DEVICE);
	else if (!doctor_exists(d, AGENT_FOLDER "/" AGENT))
		doctor_add(d, FINDING_NOTE, AGENT, "not installed: needed for Performance Co-Pilot only");
	else if (!is_agent_added(d))
		doctor_add(d, FINDING_NOTE, AGENT, "not added to pmcd: run './Install' in %s",
			   AGENT_FOLDER);
	else if (pmcd)
		doctor_add(d, FINDING_FIX, AGENT, "pmcd does not run it: see %s, then restart pmcd",
			   AGENT_LOG);
	else
		doctor_add(d, FINDING_NOTE, AGENT, "pmcd is not running: it starts the agent");
}
