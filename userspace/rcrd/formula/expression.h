/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * expression.h - formulas of meters in reverse Polish notation. The text of a formula is a list of
 * steps separated by commas:
 *
 *	NUMBER		a constant
 *	@METER		the value of a meter
 *	+ - * /		operation on the last two values
 *	neg		negative of the last value
 *	minN		minimum of the last N values; also maxN and meanN
 *	threshold	1 if the first of the last two values is greater, else 0
 */
#ifndef RCRD_EXPRESSION_H
#define RCRD_EXPRESSION_H

#include <stdbool.h>
#include <linux/rcrboard.h>

#include "why.h"

#define EXPRESSION_LEN		900	/* longest text, including the terminating 0 */
#define EXPRESSION_STEPS	128
#define EXPRESSION_METERS	16
#define EXPRESSION_STACK	64	/* maximum depth of the stack */

enum expression_kind {
	EXPRESSION_NUMBER, EXPRESSION_METER, EXPRESSION_ADD, EXPRESSION_SUBTRACT,
	EXPRESSION_MULTIPLY, EXPRESSION_DIVIDE, EXPRESSION_NEGATE, EXPRESSION_MIN,
	EXPRESSION_MAX, EXPRESSION_MEAN, EXPRESSION_THRESHOLD,
};

/**
 * struct expression_step - a step
 * @kind: enum expression_kind
 * @count: number of values it pops; for a meter: its index in @meter of the expression
 * @number: value of a constant
 */
struct expression_step {
	enum expression_kind kind;
	unsigned int count;
	double number;
};

/**
 * struct expression - parsed formula, whose steps leave one value
 * @steps: number of entries in @step
 * @step: the steps
 * @meters: number of entries in @meter
 * @meter: names of meters, without duplicates
 */
struct expression {
	unsigned int steps;
	struct expression_step step[EXPRESSION_STEPS];
	unsigned int meters;
	char meter[EXPRESSION_METERS][RCR_METER_NAME_LEN];
};

/* Parses @text. Returns 0, or -1 with @why filled in. */
int expression_parse(const char *text, struct expression *e, struct why *why);

/*
 * Computes an expression; @value has the values of its meters. Returns false on a division by 0 or
 * an overflow.
 */
bool expression_compute(const struct expression *e, const double *value, double *result);

#endif
