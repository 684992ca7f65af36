/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * formulas.h - posted meters that rcrd computes from other meters, for formulas that the module
 * cannot compute. rcrctl splits such a formula into meters of the module and an expression of them.
 */
#ifndef RCRD_FORMULAS_H
#define RCRD_FORMULAS_H

#include <stdbool.h>
#include <stdint.h>

#include "expression.h"
#include "loop.h"
#include "rcr_board.h"
#include "rcr_meters.h"
#include "why.h"

#define FORMULAS_MAX 16

/**
 * struct formula - a meter and its formula
 * @name: name of the posted meter; empty: the entry is free
 * @digits: digits of the meter
 * @text: text of @expression
 * @expression: the formula
 * @meter: handles of the meters in @expression; serial 0: not found yet
 */
struct formula {
	char name[RCR_METER_NAME_LEN];
	unsigned int digits;
	char text[EXPRESSION_LEN];
	struct expression expression;
	struct rcr_meter meter[EXPRESSION_METERS];
};

/**
 * struct formulas - all formulas
 * @dir: directory of the file of formulas
 * @board: blackboard 1
 * @control: connection to the module
 * @timer: timer that computes all formulas
 * @formula: the formulas; some entries may be free
 */
struct formulas {
	int dir;
	struct rcr_blackboard *board;
	struct rcr_control *control;
	struct loop_source timer;
	struct formula formula[FORMULAS_MAX];
};

/*
 * Opens the board and reads the file, which needs root. Formulas of missing meters are dropped.
 * Returns 0, or -1 with @why filled in.
 */
int formulas_open(struct formulas *f, int dir, struct rcr_control *control, struct why *why);

/* Starts to compute all formulas. Returns 0, or -1 with errno. */
int formulas_begin(struct formulas *f, struct loop *loop);

/*
 * Adds or replaces the formula of the meter @name, and saves it for a restart. Returns 0, or -1
 * with @why filled in.
 */
int formulas_add(struct formulas *f, const char *name, unsigned int digits, const char *text,
		 struct why *why);

/* Posts that the meters no longer have a value. */
void formulas_end(struct formulas *f);

#endif
