/* SPDX-License-Identifier: GPL-2.0-or-later */
/* parts.h - parts of the machine, with the CPUs of each. */
#ifndef JOBS_PARTS_H
#define JOBS_PARTS_H

#include <stdbool.h>

#include <linux/rcrboard.h>

#include "topology.h"

/* Kinds of parts: enum rcr_place_kind. */
#define PART_KINDS	(RCR_PLACE_CPU + 1)

/* Long enough for "package2147483647/die2147483647/core2147483647". */
#define PART_NAME	48

/**
 * struct part - a node, a package ...
 * @inst: number that stays the same as long as the machine does
 * @name: "node0"; empty: the machine
 */
struct part {
	int inst;
	char name[PART_NAME];
};

/**
 * struct parts - all parts of a kind
 * @count: entries of @part
 * @part: in the order of @inst
 * @of: by CPU number: index of its part; -1: not known
 */
struct parts {
	unsigned int count;
	struct part *part;
	int *of;
};

/**
 * struct part_places - places of all CPUs, also of those that are offline now
 * @known: entries of @cpu
 * @cpu: by CPU number
 */
struct part_places {
	unsigned int known;
	struct place cpu[CPU_LIMIT];
};

int parts_read(struct parts parts[PART_KINDS], struct part_places *places, unsigned int ncpus,
	       const char *sysfs);
void parts_free(struct parts parts[PART_KINDS]);
const struct parts *parts_of_scope(const struct parts parts[PART_KINDS], unsigned int scope);
int parts_find(const struct parts *p, int inst);
bool parts_hold_scope(const struct parts parts[PART_KINDS], unsigned int kind, unsigned int scope,
		      unsigned int ncpus);

#endif
