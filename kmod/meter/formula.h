/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * formula.h - what a meter says, as a formula of counters.
 *
 *	formula = product { ( "+" | "-" ) product }
 *	product = value { ( "*" | "x" | "/" ) value }
 *	value   = "-" value | NUMBER | name | "(" formula ")" |
 *		  function "(" formula { "," formula } ")"
 *	name    = [A-Za-z_][A-Za-z0-9_.:]* | '"' anything else '"'
 *
 * An "x" is a sign where one can stand, and a letter of a name elsewhere. The
 * words of functions and constants are names only in quotes.
 *
 * A formula has a value over an interval of time and over lanes: the CPUs of a
 * group, each with what it counted and for how long. A lane that did not count
 * a counter at all (it is shared, and another CPU reads it) has no part in it.
 *
 *	COUNTER           what the lanes counted, together
 *	GAUGE             the mean of what the lanes measured
 *	METER             the meter's own formula, as if in parentheses
 *	delta(c)          c, which has to be a count
 *	rate(c)           the same per second, each lane by its own time
 *	min(a, b, ...)    the smallest; max() and mean() accordingly
 *	min(a)            the smallest of a over each lane alone, of those that
 *			  have one; max() and mean() accordingly
 *	threshold(a, b)   1 when a is above b, else 0
 *	scale(a, k)       a x k, where k has no counter in it
 *	tsc_hz, cpus      cycles of the TSC in a second; how many lanes there are
 *
 * A count is a counter, a sum or difference of counts, or a multiple of one. To
 * catch slips, each value has a power of time: 0 of a count, -1 of a rate and of
 * tsc_hz, the sum or difference of a product's or quotient's parts. Values of
 * different powers are not added or compared, but what has no counter in it goes
 * with any. What is undefined makes undefined all that it is a part of.
 */
#ifndef RCR_FORMULA_H
#define RCR_FORMULA_H

#include <linux/types.h>

#include "number.h"

struct rcr_failure;

#define RCR_FORMULA_NODES	64
/* Half the nodes are operations on the other half, and one of those is a counter. */
#define RCR_FORMULA_NUMBERS	(RCR_FORMULA_NODES / 2 - 1)
#define RCR_FORMULA_OPERANDS	16
#define RCR_FORMULA_DEPTH	16	/* of nesting, and of values that wait */
#define RCR_FORMULA_LEN		256	/* of a text, with the terminating 0 */

/**
 * enum rcr_formula_op - what a node does with the values before it
 * @RCR_OP_NUMBER: gives numbers[arg]
 * @RCR_OP_TSC_HZ: gives cycles of the TSC in a second
 * @RCR_OP_CPUS: gives the number of lanes
 * @RCR_OP_COUNT: gives what operand arg counted
 * @RCR_OP_RATE: gives that per second
 * @RCR_OP_GAUGE: gives the mean of what operand arg measured
 * @RCR_OP_NEGATE: takes one
 * @RCR_OP_ADD: takes two, as all up to @RCR_OP_ABOVE
 * @RCR_OP_SUBTRACT: the second from the first
 * @RCR_OP_MULTIPLY: the two
 * @RCR_OP_DIVIDE: the first by the second
 * @RCR_OP_LOWER: gives the smaller
 * @RCR_OP_HIGHER: gives the larger
 * @RCR_OP_ABOVE: gives 1 when the first is larger, else 0
 * @RCR_OP_LOWEST: gives the smallest over each lane of what the next arg nodes
 *	give, which belong to it
 * @RCR_OP_HIGHEST: the largest
 * @RCR_OP_MEAN: the mean
 */
enum rcr_formula_op {
	RCR_OP_NUMBER,
	RCR_OP_TSC_HZ,
	RCR_OP_CPUS,
	RCR_OP_COUNT,
	RCR_OP_RATE,
	RCR_OP_GAUGE,
	RCR_OP_NEGATE,
	RCR_OP_ADD,
	RCR_OP_SUBTRACT,
	RCR_OP_MULTIPLY,
	RCR_OP_DIVIDE,
	RCR_OP_LOWER,
	RCR_OP_HIGHER,
	RCR_OP_ABOVE,
	RCR_OP_LOWEST,
	RCR_OP_HIGHEST,
	RCR_OP_MEAN,
};

#define RCR_FORMULA_IS_COUNT	0x1u	/* its values over two intervals add up */
#define RCR_FORMULA_HAS_RATE	0x2u	/* somewhere in it */
#define RCR_FORMULA_HAS_GAUGE	0x4u
#define RCR_FORMULA_BY_LANE	0x8u	/* a part is taken over each lane alone */

/**
 * struct rcr_formula - a formula that was read
 * @node: in the order in which they are done
 * @numbers: the constants
 * @operand: the counters, each once; by the resolver's numbers
 * @nodes: how many
 * @constants: how many of @numbers
 * @operands: how many of @operand; a lane's arrays have as many elements
 * @time_power: the value's power of time, as above
 * @flags: RCR_FORMULA_*
 */
struct rcr_formula {
	struct {
		u8 op;
		u8 arg;
	} node[RCR_FORMULA_NODES];
	struct rcr_number numbers[RCR_FORMULA_NUMBERS];
	struct {
		u16 counter;
		bool gauge;
	} operand[RCR_FORMULA_OPERANDS];
	u8 nodes;
	u8 constants;
	u8 operands;
	s8 time_power;
	u32 flags;
};

/**
 * struct rcr_formula_names - what the names in a formula stand for
 * @counter: the number of a counter, 0 to U16_MAX, or -ENOENT; says whether it
 *	is a gauge
 * @meter: a meter's formula, or NULL; asked when there is no such counter
 * @context: for both
 */
struct rcr_formula_names {
	int (*counter)(void *context, const char *name, bool *gauge);
	const char *(*meter)(void *context, const char *name);
	void *context;
};

/**
 * struct rcr_lane - what one CPU has of an interval, by operand
 * @delta: what it counted; of a gauge the sum of the values
 * @time: cycles of the TSC for which it did; of a gauge how many values; 0: none
 */
struct rcr_lane {
	const u64 *delta;
	const u64 *time;
};

int rcr_formula_parse(struct rcr_formula *f, const char *text,
		      const struct rcr_formula_names *names, struct rcr_failure *failure);
int rcr_formula_eval(const struct rcr_formula *f, const struct rcr_lane *lane,
		     unsigned int lanes, u64 tsc_hz, struct rcr_number *waiting,
		     struct rcr_number *value);

#endif
