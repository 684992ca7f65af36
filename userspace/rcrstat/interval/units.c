// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * units.c - groups the selected CPUs by parts of the machine.
 *
 * A core's number is unique in its die only, and a die's in its package, so a unit's name includes
 * the numbers of all enclosing parts. A CPU with an unknown place (it was offline) belongs to a
 * unit named "unknown", so that the parts always add up to the whole.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "interval/interval.h"
#include "topology.h"
#include "interval/units.h"

/**
 * struct placed - a CPU with its sort key
 * @key: numbers of its unit, the largest part first; UNKNOWN in all if its place is not
 *	known, which sorts it after all others
 * @index: index into intervals->cpu[]
 */
struct placed {
	int key[3];
	unsigned int index;
};

#define UNKNOWN INT_MAX

static int compare_placed(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;
	unsigned int i;

	for (i = 0; i < 3; i++)
		if (x->key[i] != y->key[i])
			return x->key[i] < y->key[i] ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

static void set_key(struct placed *p, int first, int second, int third)
{
	bool known = first >= 0 && second >= 0 && third >= 0;

	p->key[0] = known ? first : UNKNOWN;
	p->key[1] = known ? second : UNKNOWN;
	p->key[2] = known ? third : UNKNOWN;
}

static void find_place_key(struct placed *p, enum grouping per, const struct place *place)
{
	switch (per) {
	case PER_CORE:
		set_key(p, place->package, place->die, place->core);
		break;
	case PER_LLC:
		set_key(p, place->llc, 0, 0);
		break;
	case PER_DIE:
		set_key(p, place->package, place->die, 0);
		break;
	case PER_PACKAGE:
		set_key(p, place->package, 0, 0);
		break;
	case PER_NODE:
		set_key(p, place->node, 0, 0);
		break;
	case PER_CPU:
		set_key(p, p->index, 0, 0);
		break;
	case PER_ALL:
		set_key(p, 0, 0, 0);
		break;
	}
}

static void place_all(struct placed *placed, const struct intervals *v,
		      enum grouping per, const char *root)
{
	static int node[CPU_LIMIT];
	struct place place;
	unsigned int i, cpu;

	if (per == PER_NODE)
		topology_nodes(root, node);
	for (i = 0; i < v->cpus; i++) {
		cpu = v->cpu[i].cpu;
		place = topology_place(root, cpu);
		place.node = cpu < CPU_LIMIT ? node[cpu] : -1;
		placed[i].index = i;
		find_place_key(&placed[i], per, &place);
	}
	qsort(placed, v->cpus, sizeof(*placed), compare_placed);
}

static void name_unit(struct unit *u, const struct placed *p,
		      const struct intervals *v, enum grouping per)
{
	const int *key = p->key;

	u->mixed = key[0] == UNKNOWN || per == PER_ALL;
	if (key[0] == UNKNOWN)
		snprintf(u->name, sizeof(u->name), "unknown");
	else if (per == PER_CORE)
		snprintf(u->name, sizeof(u->name), "package%d/die%d/core%d",
			 key[0], key[1], key[2]);
	else if (per == PER_LLC)
		snprintf(u->name, sizeof(u->name), "llc%d", key[0]);
	else if (per == PER_DIE)
		snprintf(u->name, sizeof(u->name), "package%d/die%d", key[0], key[1]);
	else if (per == PER_PACKAGE)
		snprintf(u->name, sizeof(u->name), "package%d", key[0]);
	else if (per == PER_NODE)
		snprintf(u->name, sizeof(u->name), "node%d", key[0]);
	else if (per == PER_CPU)
		snprintf(u->name, sizeof(u->name), "cpu%u", v->cpu[p->index].cpu);
	else
		snprintf(u->name, sizeof(u->name), "all");
}

static void part_units(struct units *u, const struct placed *placed,
		       const struct intervals *v, enum grouping per)
{
	struct unit *unit = u->unit;
	unsigned int i;

	for (i = 0; i < v->cpus; i++) {
		u->members[i] = placed[i].index;
		if (!i || memcmp(placed[i].key, placed[i - 1].key, sizeof(placed->key))) {
			unit = &u->unit[u->count++];
			name_unit(unit, &placed[i], v, per);
			unit->member = &u->members[i];
		}
		unit->cpus++;
	}
}

/**
 * units_init() - group the selected CPUs
 * @u: the units
 * @v: intervals with the CPUs
 * @per: kind of unit
 * @root: TOPOLOGY_ROOT, or a tree like it
 *
 * The topology is read now: a CPU that goes offline later stays in its unit.
 *
 * Returns 0, or -1 with errno ENOMEM.
 */
int units_init(struct units *u, const struct intervals *v, enum grouping per,
	       const char *root)
{
	struct placed *placed = calloc(v->cpus + 1, sizeof(*placed));

	*u = (struct units){
		.unit = calloc(v->cpus + 1, sizeof(*u->unit)),
		.members = calloc(v->cpus + 1, sizeof(*u->members)),
	};
	if (!placed || !u->unit || !u->members) {
		free(placed);
		units_free(u);
		return -1;
	}
	place_all(placed, v, per, root);
	part_units(u, placed, v, per);
	free(placed);
	return 0;
}

void units_free(struct units *u)
{
	free(u->unit);
	free(u->members);
	*u = (struct units){ };
}

/* All selected CPUs as one unit, which owns no memory. */
struct unit units_whole(const struct intervals *v)
{
	return (struct unit){ .name = "all", .cpus = v->cpus, .mixed = true };
}

static int compare_places(const void *a, const void *b)
{
	const unsigned int *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* True if all CPUs of @part are in @unit. */
bool unit_holds(const struct unit *unit, const struct unit *part)
{
	unsigned int i, place;

	for (i = 0; unit->member && i < part->cpus; i++) {
		place = unit_member(part, i);
		if (!bsearch(&place, unit->member, unit->cpus, sizeof(place),
			     compare_places))
			return false;
	}
	return true;
}
