// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kernel.c - events that the kernel counts: software events, as perf spells them, and
 * tracepoints, by the ids in tracefs.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"

const struct software_name software_names[] = {
	{ "alignment-faults", "unaligned accesses that the kernel handled" },
	{ "context-switches", "switches from one task to another" },
	{ "cpu-clock", "nanoseconds of the CPU's clock" },
	{ "cpu-migrations", "tasks that migrated from another CPU" },
	{ "emulation-faults", "instructions that the kernel emulated" },
	{ "major-faults", "page faults that read from a disk" },
	{ "minor-faults", "page faults that did not read from a disk" },
	{ "page-faults", "page faults" },
	{ NULL, NULL }
};

/* Mount points of tracefs, of current and older kernels. Tests override them by RCR_TRACEFS. */
static const char *const roots[] = {
	"/sys/kernel/tracing", "/sys/kernel/debug/tracing",
};

#define ROOTS (sizeof(roots) / sizeof(roots[0]))

static const char *tracefs_root(unsigned int i)
{
	const char *test = getenv("RCR_TRACEFS");

	return test ? test : roots[i];
}

bool software_is(const char *name)
{
	unsigned int i;

	for (i = 0; software_names[i].name; i++)
		if (!strcmp(software_names[i].name, name))
			return true;
	return false;
}

/* True for two words separated by a colon; rejects paths that leave the directory. */
static bool is_tracepoint(const char *name)
{
	const char *colon = strchr(name, ':');
	const char *at;

	for (at = name; *at; at++)
		if (!isalnum((unsigned char)*at) && !strchr("_-", *at) && at != colon)
			return false;
	return colon && colon != name && colon[1];
}

long tracepoint_id(const char *name)
{
	const char *colon = strchr(name, ':');
	char path[512];
	long id = -1;
	unsigned int i;
	FILE *in;

	for (i = 0; is_tracepoint(name) && i < ROOTS && id < 0; i++) {
		snprintf(path, sizeof(path), "%s/events/%.*s/%s/id", tracefs_root(i),
			 (int)(colon - name), name, colon + 1);
		in = fopen(path, "re");
		if (!in)
			continue;
		if (fscanf(in, "%ld", &id) != 1)
			id = -1;
		fclose(in);
	}
	return id;
}

static void each_of_system(const char *folder, const char *system,
			   void (*each)(void *to, const char *name), void *to)
{
	char path[768], name[512];
	struct dirent *entry;
	DIR *events;

	snprintf(path, sizeof(path), "%s/%s", folder, system);
	events = opendir(path);
	while (events && (entry = readdir(events))) {
		if (entry->d_name[0] == '.' || entry->d_type != DT_DIR)
			continue;
		snprintf(name, sizeof(name), "%s:%s", system, entry->d_name);
		each(to, name);
	}
	if (events)
		closedir(events);
}

void tracepoint_each(void (*each)(void *to, const char *name), void *to)
{
	char path[512];
	struct dirent *entry;
	DIR *systems = NULL;
	unsigned int i;

	for (i = 0; i < ROOTS && !systems; i++) {
		snprintf(path, sizeof(path), "%s/events", tracefs_root(i));
		systems = opendir(path);
	}
	while (systems && (entry = readdir(systems)))
		if (entry->d_name[0] != '.' && entry->d_type == DT_DIR)
			each_of_system(path, entry->d_name, each, to);
	if (systems)
		closedir(systems);
}
