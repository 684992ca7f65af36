/* SPDX-License-Identifier: GPL-2.0-or-later */
/* units.h - groups the selected CPUs by parts of the machine. */
#ifndef RCRSTAT_UNITS_H
#define RCRSTAT_UNITS_H

#include <stdbool.h>

struct intervals;

/* How CPUs are grouped. */
enum grouping {
	PER_CPU,		/* no grouping */
	PER_CORE,
	PER_LLC,		/* CPUs that share a last level cache */
	PER_DIE,
	PER_PACKAGE,
	PER_NODE,
	PER_ALL,
};

/* Long enough for "package2147483647/die2147483647/core2147483647". */
#define UNIT_NAME 48

/**
 * struct unit - one part of the machine
 * @name: unique in the machine: "node1", "package0/die0/core3"
 * @cpus: number of selected CPUs in it; at least 1
 * @member: their indexes into intervals->cpu[], ascending; NULL: all CPUs
 * @mixed: the CPUs may belong to several parts, which are not distinguished
 */
struct unit {
	char name[UNIT_NAME];
	unsigned int cpus;
	const unsigned int *member;
	bool mixed;
};

/**
 * struct units - all parts: every selected CPU is in exactly one
 * @count: entries of @unit
 * @unit: in order of their numbers
 * @members: storage that the units' @member point into
 */
struct units {
	unsigned int count;
	struct unit *unit;
	unsigned int *members;
};

int units_init(struct units *u, const struct intervals *v, enum grouping per,
	       const char *root);
void units_free(struct units *u);
struct unit units_whole(const struct intervals *v);
bool unit_holds(const struct unit *unit, const struct unit *part);

/* Index into intervals->cpu[] of CPU @i of a unit, 0 <= @i < unit->cpus. */
static inline unsigned int unit_member(const struct unit *unit, unsigned int i)
{
	return unit->member ? unit->member[i] : i;
}

#endif
