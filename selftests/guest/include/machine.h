/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * machine.h - the place of the blackboard and the shared unit that a CPU belongs to, from
 * sysfs while all CPUs are online.
 */
#ifndef RCR_GUEST_MACHINE_H
#define RCR_GUEST_MACHINE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <linux/rcrboard.h>
#include <linux/rcrtool.h>

#define CPU_FOLDER "/sys/devices/system/cpu/cpu%u/"

/* Return the first number in a sysfs file of a CPU; -1 if there is none. */
static inline int cpu_file(unsigned int cpu, const char *name)
{
	char path[128];
	int n = -1;
	FILE *f;

	snprintf(path, sizeof(path), CPU_FOLDER "%s", cpu, name);
	f = fopen(path, "r");
	if (f && fscanf(f, "%d", &n) != 1)
		n = -1;
	if (f)
		fclose(f);
	return n;
}

/* Return the number of a CPU's last-level cache. */
static inline int llc_of(unsigned int cpu)
{
	char name[32];
	int i, n = -1, id;

	for (i = 0; i < 8; i++) {
		snprintf(name, sizeof(name), "cache/index%d/id", i);
		id = cpu_file(cpu, name);
		if (id >= 0)
			n = id;
	}
	return n;
}

static inline int node_of(unsigned int cpu)
{
	char path[128];
	int n;

	for (n = 0; n < 64; n++) {
		snprintf(path, sizeof(path), CPU_FOLDER "node%d", cpu, n);
		if (!access(path, F_OK))
			return n;
	}
	return 0;
}

/* Return the number of a CPU's die in the machine: sysfs numbers dies within each package. */
static inline int die_of(unsigned int cpu)
{
	int of_package[64], of_die[64], dies = 0, i;
	unsigned int c;

	for (c = 0; c <= cpu && dies < 64; c++) {
		int package = cpu_file(c, "topology/physical_package_id");
		int die = cpu_file(c, "topology/die_id");

		for (i = 0; i < dies; i++)
			if (of_package[i] == package && of_die[i] == die)
				break;
		of_package[i] = package;
		of_die[i] = die;
		dies += i == dies;
		if (c == cpu)
			return i;
	}
	return -1;
}

/* Return the number of the place of @kind (enum rcr_place_kind) that includes the CPU. */
static inline int place_of(unsigned int cpu, uint32_t kind)
{
	switch (kind) {
	case RCR_PLACE_MACHINE:
		return 0;
	case RCR_PLACE_NODE:
		return node_of(cpu);
	case RCR_PLACE_PACKAGE:
		return cpu_file(cpu, "topology/physical_package_id");
	case RCR_PLACE_DIE:
		return die_of(cpu);
	case RCR_PLACE_LLC:
		return llc_of(cpu);
	case RCR_PLACE_CORE:
		return cpu_file(cpu, "topology/thread_siblings_list");
	}
	return cpu;
}

/* Return the number of the unit of @scope (enum rcr_scope) that the CPU shares. */
static inline int unit_of(unsigned int cpu, uint32_t scope)
{
	static const uint32_t kinds[] = {
		[RCR_SCOPE_CPU] = RCR_PLACE_CPU, [RCR_SCOPE_DIE] = RCR_PLACE_DIE,
		[RCR_SCOPE_PACKAGE] = RCR_PLACE_PACKAGE, [RCR_SCOPE_LLC] = RCR_PLACE_LLC,
		[RCR_SCOPE_CORE] = RCR_PLACE_CORE,
	};

	return place_of(cpu, scope <= RCR_SCOPE_CORE ? kinds[scope] : RCR_PLACE_CPU);
}

#endif
