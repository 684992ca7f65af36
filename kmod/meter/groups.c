// SPDX-License-Identifier: GPL-2.0-only
/*
 * groups.c - which CPUs make up a core, a cache, a die, a package, a node.
 *
 * The sampled CPUs are numbered without holes, as lanes. The kernel knows the topology of a
 * CPU only while it is online, so a CPU that comes online for the first time after the module
 * was loaded joins its groups then. Groups are added and never removed.
 *
 * Callers are serialized by meters.c, except those of rcr_groups_lanes() and
 * rcr_groups_cpu(): lanes and their CPUs are constant after rcr_groups_init().
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include "compat/compat.h"
#include "meter.h"

static unsigned int lanes;		/* sampled CPUs */
static int *cpu_of;			/* by lane */
static struct rcr_group *groups;
static unsigned int count;
static u16 *group_of;			/* by kind from the node on, and lane; 0: none yet */

static const char *const place_names[] = {
	[RCR_PLACE_MACHINE] = "machine", [RCR_PLACE_NODE] = "node",
	[RCR_PLACE_PACKAGE] = "package", [RCR_PLACE_DIE] = "die",
	[RCR_PLACE_LLC] = "llc", [RCR_PLACE_CORE] = "core", [RCR_PLACE_CPU] = "cpu",
};

/* Name of an enum rcr_place_kind. */
const char *rcr_place_name(u32 kind)
{
	return place_names[kind];
}

unsigned int rcr_groups_lanes(void)
{
	return lanes;
}

/* The CPU of a lane. */
int rcr_groups_cpu(unsigned int lane)
{
	return cpu_of[lane];
}

/* Number of groups; group 0 is the machine. */
unsigned int rcr_groups_count(void)
{
	return count;
}

/* Upper bound of the number of groups. */
unsigned int rcr_groups_max(void)
{
	return 1 + lanes * RCR_PLACE_CPU;
}

const struct rcr_group *rcr_groups_get(unsigned int n)
{
	return &groups[n];
}

/* Return: number of the group of a place, or -ENOENT. */
int rcr_groups_find(u32 kind, u32 number)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (groups[i].kind == kind && (!i || groups[i].number == number))
			return i;
	return -ENOENT;
}

static u16 *groups_of_kind(u32 kind)
{
	return group_of + (kind - RCR_PLACE_NODE) * lanes;
}

/**
 * rcr_groups_sharing() - map lanes to the places of a kind
 * @kind: kind of the places
 *
 * Return: number of the group of each lane, 0 until its CPU comes online for the first time;
 * NULL for the machine, and if each lane is a place of its own.
 */
const u16 *rcr_groups_sharing(u32 kind)
{
	return kind == RCR_PLACE_MACHINE || kind == RCR_PLACE_CPU ? NULL : groups_of_kind(kind);
}

/* True if a lane is in group @n. */
bool rcr_groups_has(unsigned int n, unsigned int lane)
{
	return n ? groups_of_kind(groups[n].kind)[lane] == n :
		   groups_of_kind(RCR_PLACE_CPU)[lane];
}

/* Number of a CPU's place; a core has the number of its first online CPU. */
static u32 place_number(int cpu, u32 kind)
{
	switch (kind) {
	case RCR_PLACE_NODE:
		return max(cpu_to_node(cpu), 0);
	case RCR_PLACE_PACKAGE:
		return topology_physical_package_id(cpu);
	case RCR_PLACE_DIE:
		return topology_logical_die_id(cpu);
	case RCR_PLACE_LLC:
		return rcr_llc_id(cpu);
	case RCR_PLACE_CORE:
		return cpumask_first(topology_sibling_cpumask(cpu));
	default:
		return cpu;
	}
}

/* True if a CPU belongs to group @n. A core keeps its number when its first CPU goes offline. */
static bool is_cpu_in_group(unsigned int n, int cpu, u32 kind, u32 number)
{
	unsigned int lane;

	if (groups[n].kind != kind)
		return false;
	if (groups[n].number == number)
		return true;
	if (kind != RCR_PLACE_CORE)
		return false;
	for (lane = 0; lane < lanes; lane++)
		if (rcr_groups_has(n, lane) &&
		    cpumask_test_cpu(cpu_of[lane], topology_sibling_cpumask(cpu)))
			return true;
	return false;
}

static unsigned int find_or_add_group(int cpu, u32 kind, unsigned int parent)
{
	u32 number = place_number(cpu, kind);
	unsigned int i;

	for (i = 1; i < count; i++)
		if (is_cpu_in_group(i, cpu, kind, number))
			return i;
	groups[count] = (struct rcr_group){ .kind = kind, .number = number, .parent = parent };
	return count++;
}

/*
 * Each place is a part of the next wider one. Nodes and packages may contain each other, so
 * both are parts of the machine.
 */
static void place_lane(unsigned int lane)
{
	unsigned int kind, at, parent = 0;

	groups[0].lanes++;
	for (kind = RCR_PLACE_NODE; kind <= RCR_PLACE_CPU; kind++) {
		at = find_or_add_group(cpu_of[lane], kind, parent);
		groups[at].lanes++;
		groups_of_kind(kind)[lane] = at;
		if (kind != RCR_PLACE_NODE)
			parent = at;
	}
}

/* Add the online CPUs that have no group yet. Return: true if there were any. */
static bool place_lanes(void)
{
	bool changed = false;
	unsigned int lane;

	for (lane = 0; lane < lanes; lane++) {
		if (rcr_groups_has(0, lane) || !cpu_online(cpu_of[lane]))
			continue;
		place_lane(lane);
		changed = true;
	}
	return changed;
}

/**
 * rcr_groups_update() - add new CPUs to their groups
 *
 * Context: may sleep.
 * Return: true if a CPU was added.
 */
bool rcr_groups_update(void)
{
	bool changed;

	/* A CPU's topology is only known while it is online. Retry later if hotplug is running. */
	if (!cpus_read_trylock())
		return false;
	changed = place_lanes();
	cpus_read_unlock();
	return changed;
}

/**
 * rcr_groups_init() - number the sampled CPUs and group those that are online
 * @sampled: the CPUs that are sampled whenever they are online
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int rcr_groups_init(const struct cpumask *sampled)
{
	int cpu;

	lanes = cpumask_weight(sampled);
	cpu_of = kcalloc(lanes, sizeof(*cpu_of), GFP_KERNEL);
	group_of = kvcalloc(lanes, RCR_PLACE_CPU * sizeof(*group_of), GFP_KERNEL);
	groups = kvcalloc(rcr_groups_max(), sizeof(*groups), GFP_KERNEL);
	if (!cpu_of || !group_of || !groups) {
		rcr_groups_exit();
		return -ENOMEM;
	}
	/* Group 0 is the machine. */
	count = 1;
	lanes = 0;
	for_each_cpu(cpu, sampled)
		cpu_of[lanes++] = cpu;
	cpus_read_lock();
	place_lanes();
	cpus_read_unlock();
	return 0;
}

void rcr_groups_exit(void)
{
	kvfree(groups);
	kvfree(group_of);
	kfree(cpu_of);
}
