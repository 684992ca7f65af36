/* SPDX-License-Identifier: GPL-2.0-or-later */
/* formula.h - finds and replaces the names in a formula. See rcr_form.h for their meaning. */
#ifndef RCRCTL_FORMULA_H
#define RCRCTL_FORMULA_H

#include <linux/rcrtool.h>

#include "rcr_form.h"
#include "why.h"

/* Maximum number of names: each but the last is followed by an operator. */
#define FORMULA_NAMES (RCR_FORMULA_LEN / 2)

/**
 * struct formula_name - a name in a formula
 * @text: the name without quotes
 * @begin: offset in the formula, of the quote if there is one
 * @length: length in the formula, including quotes
 */
struct formula_name {
	char text[RCR_EVENT_LEN];
	unsigned int begin;
	unsigned int length;
};

/**
 * struct formula_names - the names in a formula, in order
 * @count: entries of @name
 * @name: one entry for each occurrence
 */
struct formula_names {
	unsigned int count;
	struct formula_name name[FORMULA_NAMES];
};

/*
 * Finds the names in @formula, without functions and constants. Returns -1 with @why filled in if
 * the formula is invalid.
 */
int formula_find_names(const char *formula, struct formula_names *names, struct why *why);

/*
 * Writes @formula with each of @names replaced by the same entry of @instead, in quotes if needed;
 * a NULL entry keeps the name. Returns -1 with @why filled in if the result is too long.
 */
int formula_replace(const char *formula, const struct formula_names *names,
		    const char *const *instead, char to[RCR_FORMULA_LEN],
		    struct why *why);

#endif
