// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * parts.c - parts of the machine, with the CPUs of each.
 *
 * sysfs has no topology of an offline CPU: use the last one known. A CPU that has none belongs to
 * the machine, but to no smaller part.
 */
#include <stdio.h>
#include <stdlib.h>

#include "pmda/parts.h"
#include "rcr.h"
#include "rcr_board.h"
#include "topology.h"

/* Bits of a number within its package, and within its die. */
#define INST_DIE	8
#define INST_CORE	12

/* Part of a unit of which no CPU was found yet. */
#define NOT_FOUND	(-2)

static bool fits_bits(int number, unsigned int bits)
{
	return number >= 0 && number < 1 << bits;
}

/* The part of a CPU; @inst is -1 if it is not known. */
static struct part part_of_cpu(unsigned int kind, unsigned int cpu, const struct place *at)
{
	int number[PART_KINDS] = {
		[RCR_PLACE_NODE] = at->node, [RCR_PLACE_PACKAGE] = at->package,
		[RCR_PLACE_LLC] = at->llc, [RCR_PLACE_CPU] = cpu,
	};
	bool has_die = fits_bits(at->package, 30 - INST_DIE - INST_CORE) &&
		       fits_bits(at->die, INST_DIE);
	int die = has_die ? at->package << INST_DIE | at->die : -1;
	struct part p = { .inst = number[kind] };

	if (kind == RCR_PLACE_DIE) {
		p.inst = die;
		snprintf(p.name, PART_NAME, "package%d/die%d", at->package, at->die);
	} else if (kind == RCR_PLACE_CORE) {
		p.inst = has_die && fits_bits(at->core, INST_CORE) ? die << INST_CORE | at->core :
								      -1;
		snprintf(p.name, PART_NAME, "package%d/die%d/core%d", at->package, at->die,
			 at->core);
	} else if (kind != RCR_PLACE_MACHINE) {
		snprintf(p.name, PART_NAME, "%s%d", rcr_place_kind_name(kind), p.inst);
	}
	return p;
}

static int compare_parts(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	return (x->inst > y->inst) - (x->inst < y->inst);
}

/**
 * parts_find() - find a part by its number
 * @p: the parts
 * @inst: number
 *
 * Returns its index, or -1.
 */
int parts_find(const struct parts *p, int inst)
{
	struct part key = { .inst = inst };
	const struct part *found = p->count ? bsearch(&key, p->part, p->count, sizeof(key),
						      compare_parts) : NULL;

	return found ? found - p->part : -1;
}

/* Sorts the parts and removes duplicates. */
static void sort_parts(struct parts *p)
{
	unsigned int i, kept = 0;

	qsort(p->part, p->count, sizeof(*p->part), compare_parts);
	for (i = 0; i < p->count; i++)
		if (!i || p->part[i].inst != p->part[i - 1].inst)
			p->part[kept++] = p->part[i];
	p->count = kept;
}

static int read_kind(struct parts *p, unsigned int kind, unsigned int ncpus,
		     const struct place *place)
{
	struct part part;
	unsigned int cpu;

	*p = (struct parts){
		.part = calloc(ncpus + 1, sizeof(*p->part)),
		.of = calloc(ncpus + 1, sizeof(*p->of)),
	};
	if (!p->part || !p->of)
		return -1;
	for (cpu = 0; cpu < ncpus; cpu++) {
		part = part_of_cpu(kind, cpu, &place[cpu]);
		if (part.inst >= 0)
			p->part[p->count++] = part;
	}
	sort_parts(p);
	for (cpu = 0; cpu < ncpus; cpu++)
		p->of[cpu] = parts_find(p, part_of_cpu(kind, cpu, &place[cpu]).inst);
	return 0;
}

void parts_free(struct parts parts[PART_KINDS])
{
	unsigned int kind;

	for (kind = 0; kind < PART_KINDS; kind++) {
		free(parts[kind].part);
		free(parts[kind].of);
		parts[kind] = (struct parts){ };
	}
}

static void update_places(struct part_places *places, unsigned int ncpus, const char *sysfs)
{
	static int node[CPU_LIMIT];
	struct place at;
	unsigned int cpu;

	topology_nodes(sysfs, node);
	for (cpu = 0; cpu < ncpus; cpu++) {
		at = topology_place(sysfs, cpu);
		at.node = node[cpu];
		if (cpu >= places->known || at.package >= 0)
			places->cpu[cpu] = at;
	}
	places->known = ncpus > places->known ? ncpus : places->known;
}

/**
 * parts_read() - read the topology
 * @parts: filled in; an earlier topology is freed
 * @places: brought up to date
 * @ncpus: number of CPUs, at most CPU_LIMIT
 * @sysfs: TOPOLOGY_ROOT, or a tree like it
 *
 * Returns 0, or -1 with errno ENOMEM.
 */
int parts_read(struct parts parts[PART_KINDS], struct part_places *places, unsigned int ncpus,
	       const char *sysfs)
{
	unsigned int kind;
	int ret = 0;

	parts_free(parts);
	update_places(places, ncpus, sysfs);
	for (kind = 0; !ret && kind < PART_KINDS; kind++)
		ret = read_kind(&parts[kind], kind, ncpus, places->cpu);
	return ret;
}

/* The parts whose CPUs share a counter; NULL: the scope is not known. */
const struct parts *parts_of_scope(const struct parts parts[PART_KINDS], unsigned int scope)
{
	static const enum rcr_place_kind unit_of[] = {
		[RCR_SCOPE_CPU] = RCR_PLACE_CPU, [RCR_SCOPE_DIE] = RCR_PLACE_DIE,
		[RCR_SCOPE_PACKAGE] = RCR_PLACE_PACKAGE, [RCR_SCOPE_LLC] = RCR_PLACE_LLC,
		[RCR_SCOPE_CORE] = RCR_PLACE_CORE,
	};

	return scope < sizeof(unit_of) / sizeof(unit_of[0]) ? &parts[unit_of[scope]] : NULL;
}

/**
 * parts_hold_scope() - check whether parts have units of a scope whole
 * @parts: parts of all kinds
 * @kind: kind of the part
 * @scope: enum rcr_scope
 * @ncpus: number of CPUs, at most CPU_LIMIT
 *
 * One CPU reads the counter for all CPUs that share it. The count cannot be divided among these, so
 * a part that is smaller than the unit has none.
 */
bool parts_hold_scope(const struct parts parts[PART_KINDS], unsigned int kind, unsigned int scope,
		      unsigned int ncpus)
{
	const struct parts *unit = parts_of_scope(parts, scope);
	static int part_of[CPU_LIMIT];
	unsigned int cpu;
	int u;

	if (kind == RCR_PLACE_MACHINE)
		return true;
	if (!unit)
		return false;
	for (cpu = 0; cpu < unit->count; cpu++)
		part_of[cpu] = NOT_FOUND;
	for (cpu = 0; cpu < ncpus; cpu++) {
		u = unit->of[cpu];
		if (u < 0)
			continue;
		if (part_of[u] == NOT_FOUND)
			part_of[u] = parts[kind].of[cpu];
		if (part_of[u] != parts[kind].of[cpu])
			return false;
	}
	return true;
}
