// SPDX-License-Identifier: GPL-2.0-only
/*
 * groups.c - which CPUs make up a core, a cache, a die, a package, a node.
 *
 * The sampled CPUs are numbered without holes: as lanes. The kernel knows where a
 * CPU is when it is online: one that comes for the first time after the module is
 * put into its groups then. Groups come, and none goes.
 *
 * Callers are serialized by meters.c, but for those of rcr_groups_lanes() and
 * rcr_groups_cpu(): lanes and their CPUs stay what they are from rcr_groups_init() on.
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
static bool *placed;			/* by lane */
static struct rcr_group *groups;
static unsigned int count;
static u16 *first[RCR_PLACE_CPU];	/* by kind: the first lane of each lane's place */

/* From the outside in: each is a part of the one before it. */
static const u8 inward[] = {
	RCR_PLACE_NODE, RCR_PLACE_PACKAGE, RCR_PLACE_DIE, RCR_PLACE_LLC,
	RCR_PLACE_CORE, RCR_PLACE_CPU,
};

static const char *const place_names[] = {
	[RCR_PLACE_MACHINE] = "machine", [RCR_PLACE_NODE] = "node",
	[RCR_PLACE_PACKAGE] = "package", [RCR_PLACE_DIE] = "die",
	[RCR_PLACE_LLC] = "llc", [RCR_PLACE_CORE] = "core", [RCR_PLACE_CPU] = "cpu",
};

/* The name of an enum rcr_place_kind. */
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

/* How many there are; group 0 is the machine. */
unsigned int rcr_groups_count(void)
{
	return count;
}

/* How many there can be. */
unsigned int rcr_groups_max(void)
{
	return 1 + lanes * ARRAY_SIZE(inward);
}

const struct rcr_group *rcr_groups_get(unsigned int n)
{
	return &groups[n];
}

/* The group of a place, or -ENOENT. */
int rcr_groups_find(u32 kind, u32 number)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (groups[i].kind == kind && (!i || groups[i].number == number))
			return i;
	return -ENOENT;
}

/**
 * rcr_groups_first() - who is in a place together
 * @kind: of the places
 *
 * Return: for each lane the first lane of its place, which is put there when its CPU comes
 * for the first time, itself until then; NULL: of the machine, and where each lane is alone.
 */
const u16 *rcr_groups_first(u32 kind)
{
	return kind < RCR_PLACE_CPU ? first[kind] : NULL;
}

/* The first CPU of a core, of those that are there. */
static u32 number_of(int cpu, u32 kind)
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

/* A core that lost its first CPU meanwhile is the same one. */
static bool is_in(const struct rcr_group *g, int cpu, u32 kind, u32 number)
{
	unsigned int i;

	if (g->kind != kind)
		return false;
	if (g->number == number)
		return true;
	if (kind != RCR_PLACE_CORE)
		return false;
	for (i = 0; i < g->lanes; i++)
		if (cpumask_test_cpu(cpu_of[g->lane[i]], topology_sibling_cpumask(cpu)))
			return true;
	return false;
}

static unsigned int find_or_make(int cpu, u32 kind, unsigned int parent)
{
	u32 number = number_of(cpu, kind);
	struct rcr_group *g;
	unsigned int i;

	for (i = 1; i < count; i++)
		if (is_in(&groups[i], cpu, kind, number))
			return i;
	g = &groups[count];
	g->kind = kind;
	g->number = number;
	g->parent = parent;
	g->lane = kmalloc_array(lanes, sizeof(*g->lane), GFP_KERNEL);
	return g->lane ? count++ : 0;
}

static void put_lane(struct rcr_group *g, unsigned int lane)
{
	g->lane[g->lanes++] = lane;
}

/* Groups that were made for nobody. */
static void unmake_from(unsigned int first_made)
{
	while (count > first_made)
		kfree(groups[--count].lane);
}

/*
 * The groups of a lane, in the order of @inward, made where there are none yet. A node
 * may be a part of a package, or the other way round: both are the machine's.
 */
static int find_groups(unsigned int lane, unsigned int *at)
{
	unsigned int i, parent = 0, before = count;

	for (i = 0; i < ARRAY_SIZE(inward); i++) {
		at[i] = find_or_make(cpu_of[lane], inward[i], parent);
		if (!at[i]) {
			unmake_from(before);
			return -ENOMEM;
		}
		if (inward[i] != RCR_PLACE_NODE)
			parent = at[i];
	}
	return 0;
}

/* Into all of its groups or into none. */
static int place_lane(unsigned int lane)
{
	unsigned int i, at[ARRAY_SIZE(inward)];

	if (find_groups(lane, at))
		return -ENOMEM;
	put_lane(&groups[0], lane);
	for (i = 0; i < ARRAY_SIZE(inward); i++) {
		put_lane(&groups[at[i]], lane);
		if (inward[i] < RCR_PLACE_CPU)
			first[inward[i]][lane] = groups[at[i]].lane[0];
	}
	placed[lane] = true;
	return 0;
}

/* Those that are online and in no group yet. 0, or -ENOMEM for some of them. */
static int place_lanes(bool *changed)
{
	unsigned int lane;
	int err = 0;

	*changed = false;
	for (lane = 0; lane < lanes; lane++) {
		if (placed[lane] || !cpu_online(cpu_of[lane]))
			continue;
		err = place_lane(lane) ?: err;
		*changed |= placed[lane];
	}
	return err;
}

/**
 * rcr_groups_update() - puts CPUs that have come into their groups
 *
 * One for which there is no memory is put there the next time.
 *
 * Context: may sleep.
 * Return: was there a new one?
 */
bool rcr_groups_update(void)
{
	bool changed;

	/* The kernel knows where a CPU is while it is online: while CPUs come or go, later. */
	if (!cpus_read_trylock())
		return false;
	place_lanes(&changed);
	cpus_read_unlock();
	return changed;
}

/* Group 0. */
static int make_machine(void)
{
	groups[0].lane = kmalloc_array(lanes, sizeof(u16), GFP_KERNEL);
	if (!groups[0].lane)
		return -ENOMEM;
	count = 1;
	return 0;
}

static int make_first(void)
{
	unsigned int kind, lane;

	for (kind = RCR_PLACE_NODE; kind < RCR_PLACE_CPU; kind++) {
		first[kind] = kmalloc_array(lanes, sizeof(u16), GFP_KERNEL);
		if (!first[kind])
			return -ENOMEM;
		for (lane = 0; lane < lanes; lane++)
			first[kind][lane] = lane;
	}
	return 0;
}

/**
 * rcr_groups_init() - numbers the sampled CPUs and groups those that are online
 * @sampled: the CPUs that are sampled whenever they are online
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int rcr_groups_init(const struct cpumask *sampled)
{
	bool changed;
	int cpu, err;

	lanes = cpumask_weight(sampled);
	count = 0;
	cpu_of = kcalloc(lanes, sizeof(*cpu_of), GFP_KERNEL);
	placed = kcalloc(lanes, sizeof(*placed), GFP_KERNEL);
	groups = kvcalloc(rcr_groups_max(), sizeof(*groups), GFP_KERNEL);
	if (!cpu_of || !placed || !groups || make_machine() || make_first())
		goto err;
	lanes = 0;
	for_each_cpu(cpu, sampled)
		cpu_of[lanes++] = cpu;
	cpus_read_lock();
	err = place_lanes(&changed);
	cpus_read_unlock();
	if (!err)
		return 0;
err:
	rcr_groups_exit();
	return -ENOMEM;
}

void rcr_groups_exit(void)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		kfree(groups[i].lane);
	for (i = 0; i < RCR_PLACE_CPU; i++) {
		kfree(first[i]);
		first[i] = NULL;
	}
	kvfree(groups);
	kfree(placed);
	kfree(cpu_of);
	groups = NULL;
	placed = NULL;
	cpu_of = NULL;
	count = 0;
}
