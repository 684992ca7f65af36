/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lint.h - holds the records of a set against what must hold between its counters.
 *
 * A record that breaks a relation is marked, and so is one in which a total is less
 * than before. Its numbers stay what they are.
 */
#ifndef RCRSTAT_LINT_H
#define RCRSTAT_LINT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <linux/rcrtool.h>

#include "relations.h"

struct point;

/* A check has a number from 1; 0 is none. */
#define LINT_CHECKS 255

/**
 * struct lint_term - a part of a bound
 * @counter: its number, or one of enum lint_time
 * @factor: how often
 */
struct lint_term {
	int counter;
	double factor;
};

/* The time from one record to the next. */
enum lint_time {
	LINT_TSC = -1,
	LINT_NS = -2,
};

/**
 * struct lint_check - a relation between counters of a set
 * @left: the counter that must not be larger
 * @term: than the sum of these
 * @terms: how many
 * @constant: and this
 * @slack: by how much more @left may be for each tick of the TSC that passed while
 *	the two records were read
 * @records: that broke it
 */
struct lint_check {
	unsigned int left;
	struct lint_term term[RELATION_TERMS];
	unsigned int terms;
	double constant;
	double slack;
	uint64_t records;
};

/**
 * struct lint - what is held against the records of a set
 * @set: the set
 * @loose: what is right is larger by this part of it
 * @check: the relations; the first set->ncounters are that no total is less than
 *	before
 * @checks: how many
 */
struct lint {
	const struct rcr_set *set;
	double loose;
	struct lint_check check[LINT_CHECKS];
	unsigned int checks;
};

/* The relations that can be checked in @set. @own may be NULL: no others. */
void lint_init(struct lint *l, const struct rcr_set *set, const struct relations *own);

/*
 * Compares a sample with the one of its CPU before it. For each counter that breaks a
 * check, sets @sample->suspect to the number of the first such check, unless it is set.
 */
void lint_point(struct lint *l, const struct point *before, struct point *sample);

/* Check @number in the names of the set's counters: "VEC_INS <= TOT_INS". */
void lint_print(FILE *out, const struct lint *l, unsigned int number);

#endif
