/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * topology.h - where the CPUs of this machine sit, as sysfs tells it.
 */
#ifndef COMMON_TOPOLOGY_H
#define COMMON_TOPOLOGY_H

#include "cpulist.h"

/* Where sysfs is mounted. */
#define TOPOLOGY_ROOT "/sys"

/**
 * struct place - where one CPU sits; -1 where that is not known
 * @package: its physical package
 * @die: its die, counted within the package
 * @core: its core, counted within the die
 * @llc: its last level cache
 * @node: its NUMA node
 */
struct place {
	int package;
	int die;
	int core;
	int llc;
	int node;
};

struct place topology_place(const char *root, unsigned int cpu);
void topology_nodes(const char *root, int node[CPU_LIMIT]);

#endif
