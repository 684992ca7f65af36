/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lint.h - checks the records of a set against relations between its counters.
 *
 * A record that breaks a relation, or in which a total is less than before, is marked as suspect.
 * Its numbers are not changed.
 */
#ifndef RCRSTAT_LINT_H
#define RCRSTAT_LINT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <linux/rcrtool.h>

#include "problems/relations.h"

struct point;

/* Checks are numbered from 1; 0 means no check. */
#define LINT_CHECKS 255

/**
 * struct lint_term - a term of an upper bound
 * @counter: index of the counter, or one of enum lint_time
 * @factor: multiplies the growth of the counter
 */
struct lint_term {
	int counter;
	double factor;
};

/* Terms that are the time from one record to the next. */
enum lint_time {
	LINT_TSC = -1,
	LINT_NS = -2,
};

/**
 * struct lint_check - an upper bound of the growth of a counter
 * @left: the counter that is bounded
 * @term: terms of the bound
 * @terms: entries of @term
 * @constant: added to the terms
 * @slack: added to the bound for each TSC tick that reading the two records took, in counts
 * @records: number of records that failed the check
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
 * struct lint - checks for the records of a set
 * @set: the set
 * @loose: fraction that is added to each bound with a counter in it
 * @check: the checks; the first set->ncounters are that no total decreases
 * @checks: entries of @check
 */
struct lint {
	const struct rcr_set *set;
	double loose;
	struct lint_check check[LINT_CHECKS];
	unsigned int checks;
};

/* Adds the relations that apply to @set. @own are the user's relations, or NULL. */
void lint_init(struct lint *l, const struct rcr_set *set, const struct relations *own);

/*
 * Compares a sample with the one of its CPU before it. For each counter that breaks a
 * check, sets @sample->suspect to the number of the first such check, unless it is set.
 */
void lint_point(struct lint *l, const struct point *before, struct point *sample);

/* Prints check @number with the names of the set's counters: "VEC_INS <= TOT_INS". */
void lint_print(FILE *out, const struct lint *l, unsigned int number);

#endif
