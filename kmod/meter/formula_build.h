/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * formula_build.h - puts a formula together from its parts, and refuses what
 * has no meaning. Between formula_parse.c and formula_build.c.
 */
#ifndef RCR_FORMULA_BUILD_H
#define RCR_FORMULA_BUILD_H

#include "error.h"
#include "formula.h"

/**
 * struct rcr_term - a value that waits for an operation
 * @text: where it stands
 * @first: its first node; its last one is the one before the next term's first
 * @power: of time
 * @constant: no counter is in it
 * @count: it is a count, of which there can be a rate
 */
struct rcr_term {
	const char *text;
	u8 first;
	s8 power;
	bool constant;
	bool count;
};

/**
 * struct rcr_builder - a formula that is not complete
 * @f: what there is of it
 * @term: the values that wait
 * @waiting: how many
 * @end: of the text that was read
 * @failure: gets the reason when something is refused
 */
struct rcr_builder {
	struct rcr_formula *f;
	struct rcr_term term[RCR_FORMULA_DEPTH];
	unsigned int waiting;
	const char *end;
	struct rcr_failure *failure;
};

/* All: 0, -EINVAL for what has no meaning, -E2BIG for what has no room. */
int rcr_build_number(struct rcr_builder *b, struct rcr_number n);
int rcr_build_clock(struct rcr_builder *b);
int rcr_build_cpus(struct rcr_builder *b);
int rcr_build_counter(struct rcr_builder *b, unsigned int counter, bool gauge);
int rcr_build_operation(struct rcr_builder *b, enum rcr_formula_op op);
int rcr_build_delta(struct rcr_builder *b);
int rcr_build_rate(struct rcr_builder *b);
int rcr_build_scale(struct rcr_builder *b);
int rcr_build_over_lanes(struct rcr_builder *b, enum rcr_formula_op op);
int rcr_build_end(struct rcr_builder *b);

#endif
