/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * formula.h - the names in a formula. What a formula means is in rcr_form.h.
 */
#ifndef RCRCTL_FORMULA_H
#define RCRCTL_FORMULA_H

#include <linux/rcrtool.h>

#include "rcr_form.h"
#include "why.h"

/* As many names as a formula can have: each wants a sign between it and the next. */
#define FORMULA_NAMES (RCR_FORMULA_LEN / 2)

/**
 * struct formula_name - a name in a formula
 * @text: it, without quotes
 * @begin: where it stands in the formula, with its quotes
 * @length: of that
 */
struct formula_name {
	char text[RCR_EVENT_LEN];
	unsigned int begin;
	unsigned int length;
};

/**
 * struct formula_names - all of them, in their order
 * @count: entries of @name
 * @name: a name that stands there twice is here twice
 */
struct formula_names {
	unsigned int count;
	struct formula_name name[FORMULA_NAMES];
};

/*
 * Finds the names in @formula: functions and constants are none. -1 with the reason
 * where it cannot be taken apart.
 */
int formula_find_names(const char *formula, struct formula_names *names, struct why *why);

/*
 * Writes @formula with the names @instead, one for each of @names, NULL where it stays;
 * in quotes where they need them. -1 with the reason when it is too long.
 */
int formula_replace(const char *formula, const struct formula_names *names,
		    const char *const *instead, char to[RCR_FORMULA_LEN],
		    struct why *why);

#endif
