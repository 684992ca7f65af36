/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * split.h - splits a formula that has no fixed form into parts that have one, and a program that
 * rcrd computes from them.
 */
#ifndef RCRCTL_SPLIT_H
#define RCRCTL_SPLIT_H

#include <stdbool.h>

#include "rcr_form.h"
#include "why.h"

#define SPLIT_PARTS	16
#define SPLIT_LEN	900	/* longest program, including the terminating 0 */

/**
 * struct split_names - definitions of the names in a formula
 * @folds: checks whether a part has a fixed form; returns 0, or -1 with @why filled in
 * @is_posted: true if @name is a meter whose values are posted
 * @context: argument of both
 * @tsc_hz: TSC cycles per second
 */
struct split_names {
	int (*folds)(void *context, const char *part, struct why *why);
	bool (*is_posted)(void *context, const char *name);
	void *context;
	unsigned long long tsc_hz;
};

/**
 * struct split - a formula after splitting
 * @parts: entries of @part
 * @part: formulas; part n, from 1, belongs to the meter that split_part_name() names
 * @program: steps separated by commas, see userspace/rcrd/formula/expression.h
 */
struct split {
	unsigned int parts;
	char part[SPLIT_PARTS][RCR_FORMULA_LEN];
	char program[SPLIT_LEN];
};

/* Name of the meter of part @number of the meter @meter. */
void split_part_name(char name[RCR_METER_NAME_LEN], const char *meter, unsigned int number);

/*
 * Splits @formula of the meter @meter. Parts are as large as possible, and each is stored once.
 * Returns 0, or -1 with @why filled in.
 */
int formula_split(const char *formula, const char *meter, const struct split_names *names,
		  struct split *split, struct why *why);

#endif
