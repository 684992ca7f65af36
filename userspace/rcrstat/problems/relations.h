/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * relations.h - relations between counters, as text:
 *
 *	COUNTER <= TERM [+ TERM]...
 *
 * COUNTER is the counter with an upper bound. A TERM is a counter, a number and a counter, or a
 * number; all are separated by blanks. A counter is one of
 *
 *	L1_DCM			a counter of this name; if the dictionary has the name,
 *				a counter of that event under any name
 *	event:0xc2		the event with this code, also with umask:N, also
 *				nb:event:...
 *	register:aperf		this register, also register:mperf
 *	nanojoules		each counter of energy
 *	tsc, ns			the time that has passed; not on the left
 */
#ifndef RCRSTAT_RELATIONS_H
#define RCRSTAT_RELATIONS_H

#include <stddef.h>
#include <linux/rcrtool.h>

#include "why.h"

#define RELATION_TERMS	4
#define RELATION_WORD	80
#define RELATIONS_MAX	64	/* in a user's file */

/**
 * struct relation_term - a term of the right side
 * @factor: multiplies the counter
 * @word: the counter
 */
struct relation_term {
	double factor;
	char word[RELATION_WORD];
};

/**
 * struct relation - an upper bound of a counter
 * @left: the counter that is bounded
 * @term: terms of the bound
 * @terms: entries of @term
 * @constant: added to the terms
 * @most: maximum that the left side counts per core cycle
 */
struct relation {
	char left[RELATION_WORD];
	struct relation_term term[RELATION_TERMS];
	unsigned int terms;
	double constant;
	double most;
};

/**
 * struct relations - relations of a user's file
 * @relation: the relations
 * @count: entries of @relation
 */
struct relations {
	struct relation relation[RELATIONS_MAX];
	unsigned int count;
};

/* Parses one relation; returns -1 with @why filled in on failure. */
int relation_parse(struct relation *r, const char *text, struct why *why);

/* Reads a file of relations; returns -1 after reporting each invalid line. */
int relations_read(struct relations *r, const char *path);

#endif
