// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * topology.c - topology of the CPUs, from sysfs.
 *
 * An offline CPU has no place, because its files are missing. @root may be a copy of /sys, so that
 * a stream can be read on another machine than the one it was recorded on.
 */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "topology.h"

/* Longer than any list of CPU_LIMIT CPUs. */
#define LINE_LIMIT (CPU_LIMIT * 6)

/* Number in a CPU's file @name, or -1. */
static int read_id(const char *root, unsigned int cpu, const char *name)
{
	char path[PATH_MAX], line[32], *end;
	long id;

	snprintf(path, sizeof(path), "%s/devices/system/cpu/cpu%u/%s", root, cpu, name);
	if (!file_line(path, line, sizeof(line)))
		return -1;
	id = strtol(line, &end, 10);
	return end == line || *end || id < 0 || id > INT_MAX ? -1 : id;
}

static int read_cache(const char *root, unsigned int cpu, unsigned int index,
		      const char *name)
{
	char file[48];

	snprintf(file, sizeof(file), "cache/index%u/%s", index, name);
	return read_id(root, cpu, file);
}

/* Number of the cache of the highest level, or -1. */
static int read_llc(const char *root, unsigned int cpu)
{
	int level, highest = 0, id = -1;
	unsigned int index;

	for (index = 0; (level = read_cache(root, cpu, index, "level")) > 0; index++) {
		if (level <= highest)
			continue;
		highest = level;
		id = read_cache(root, cpu, index, "id");
	}
	return id;
}

/**
 * topology_place() - place of a CPU, without its node
 * @root: TOPOLOGY_ROOT, or a tree like it
 * @cpu: CPU number
 *
 * A package without die numbers has one die, number 0.
 */
struct place topology_place(const char *root, unsigned int cpu)
{
	struct place p = {
		.package = read_id(root, cpu, "topology/physical_package_id"),
		.die = read_id(root, cpu, "topology/die_id"),
		.core = read_id(root, cpu, "topology/core_id"),
		.llc = read_llc(root, cpu),
		.node = -1,
	};

	if (p.package >= 0 && p.die < 0)
		p.die = 0;
	return p;
}

/**
 * topology_online() - the CPUs that are online
 * @root: TOPOLOGY_ROOT, or a tree like it
 * @online: output buffer, indexed by CPU number; all of them, if it is not known
 */
void topology_online(const char *root, bool online[CPU_LIMIT])
{
	static char line[LINE_LIMIT];
	char path[PATH_MAX];

	memset(online, 0, CPU_LIMIT * sizeof(*online));
	snprintf(path, sizeof(path), "%s/devices/system/cpu/online", root);
	if (!file_line(path, line, sizeof(line)) || !cpulist_parse(line, online))
		memset(online, true, CPU_LIMIT * sizeof(*online));
}

static void read_node(const char *directory, int number, int node[CPU_LIMIT])
{
	static char line[LINE_LIMIT];
	bool in_node[CPU_LIMIT] = { };
	char path[PATH_MAX];
	unsigned int cpu;

	snprintf(path, sizeof(path), "%s/node%d/cpulist", directory, number);
	if (!file_line(path, line, sizeof(line)) || !cpulist_parse(line, in_node))
		return;
	for (cpu = 0; cpu < CPU_LIMIT; cpu++)
		if (in_node[cpu])
			node[cpu] = number;
}

/* The number in "node12", or -1. */
static int node_number(const char *name)
{
	char *end;
	long number;

	if (strncmp(name, "node", 4) || name[4] < '0' || name[4] > '9')
		return -1;
	number = strtol(name + 4, &end, 10);
	return *end || number > INT_MAX ? -1 : number;
}

/**
 * topology_nodes() - NUMA nodes of all CPUs
 * @root: TOPOLOGY_ROOT, or a tree like it
 * @node: output buffer, indexed by CPU number; -1 for a CPU without a node
 *
 * On a kernel without NUMA support, all CPUs are in node 0.
 */
void topology_nodes(const char *root, int node[CPU_LIMIT])
{
	char directory[PATH_MAX - 64];
	struct dirent *entry;
	unsigned int cpu;
	DIR *d;

	snprintf(directory, sizeof(directory), "%s/devices/system/node", root);
	d = opendir(directory);
	for (cpu = 0; cpu < CPU_LIMIT; cpu++)
		node[cpu] = d ? -1 : 0;
	if (!d)
		return;
	while ((entry = readdir(d)))
		if (node_number(entry->d_name) >= 0)
			read_node(directory, node_number(entry->d_name), node);
	closedir(d);
}
