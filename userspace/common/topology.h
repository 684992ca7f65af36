/* SPDX-License-Identifier: GPL-2.0-or-later */
/* topology.h - topology of the CPUs, from sysfs. */
#ifndef COMMON_TOPOLOGY_H
#define COMMON_TOPOLOGY_H

#include "parse/cpulist.h"

/* Mount point of sysfs. */
#define TOPOLOGY_ROOT "/sys"

/**
 * struct place - place of a CPU; -1 in members that are not known
 * @package: physical package
 * @die: die, numbered within the package
 * @core: core, numbered within the die
 * @llc: last level cache
 * @node: NUMA node
 */
struct place {
	int package;
	int die;
	int core;
	int llc;
	int node;
};

struct place topology_place(const char *root, unsigned int cpu);
void topology_online(const char *root, bool online[CPU_LIMIT]);
void topology_nodes(const char *root, int node[CPU_LIMIT]);

#endif
