/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * relations.h - what must hold between counters, in words:
 *
 *	COUNTER <= TERM [+ TERM]...
 *
 * COUNTER is what would be too large. A TERM is a counter, a number and a counter,
 * or a number; blanks stand between all of them. A counter is
 *
 *	L1_DCM			called so in the set; where it is a name of the
 *				dictionary, the event that it means there, by
 *				whatever name that is counted
 *	event:0xc2		that event, also with umask:N, also nb:event:...
 *	register:aperf		that register, also register:mperf
 *	nanojoules		each that counts energy
 *	tsc, ns			not on the left: the time that has passed
 */
#ifndef RCRSTAT_RELATIONS_H
#define RCRSTAT_RELATIONS_H

#include <stddef.h>
#include <linux/rcrtool.h>

#include "why.h"

#define RELATION_TERMS	4
#define RELATION_WORD	80
#define RELATIONS_MAX	64	/* of a user's own */

/**
 * struct relation_term - a part of the right side
 * @factor: how often
 * @word: the counter
 */
struct relation_term {
	double factor;
	char word[RELATION_WORD];
};

/**
 * struct relation - what must hold
 * @left: what must not be larger
 * @term: than the sum of these
 * @terms: how many
 * @constant: and this
 * @most: what the left side can count in a cycle of a core
 */
struct relation {
	char left[RELATION_WORD];
	struct relation_term term[RELATION_TERMS];
	unsigned int terms;
	double constant;
	double most;
};

/**
 * struct known_relation - one that holds without anybody saying so
 * @family: kind of PMU, as the module calls it; NULL: any
 * @text: it
 * @most: as in struct relation
 */
struct known_relation {
	const char *family;
	const char *text;
	double most;
};

/* Ends with one without a text. */
extern const struct known_relation known_relations[];

/**
 * struct relations - those of a user
 * @relation: them
 * @count: how many
 */
struct relations {
	struct relation relation[RELATIONS_MAX];
	unsigned int count;
};

/* Reads one; -1 with the reason. */
int relation_parse(struct relation *r, const char *text, struct why *why);

/* Reads a file of them; -1, and each wrong line was told. */
int relations_read(struct relations *r, const char *path);

#endif
