/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * formulas.h - posted meters that are computed from other meters: formulas that the module
 * has no form for. rcrctl takes them apart; what folds is meters of their own.
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
 * struct formula - a meter and how to compute it
 * @name: of the meter, which is posted; empty: the place is free
 * @digits: of the meter
 * @text: of @expression
 * @expression: of meters
 * @meter: those of @expression, on the board; serial 0: not found yet
 */
struct formula {
	char name[RCR_METER_NAME_LEN];
	unsigned int digits;
	char text[EXPRESSION_LEN];
	struct expression expression;
	struct rcr_meter meter[EXPRESSION_METERS];
};

/**
 * struct formulas - all of them
 * @dir: directory of the file that has them
 * @board: blackboard 1
 * @control: the module
 * @timer: computes
 * @formula: places
 */
struct formulas {
	int dir;
	struct rcr_blackboard *board;
	struct rcr_control *control;
	struct loop_source timer;
	struct formula formula[FORMULAS_MAX];
};

/*
 * Opens the board and reads the file; formulas of meters that are not there are dropped. Needs
 * root. Returns 0, or -1 with the reason.
 */
int formulas_open(struct formulas *f, int dir, struct rcr_control *control, struct why *why);

/* Computes from now on. Returns 0, or -1 and errno. */
int formulas_begin(struct formulas *f, struct loop *loop);

/* Computes the meter @name from now on, also after a restart. Returns 0, or -1 with the reason. */
int formulas_add(struct formulas *f, const char *name, unsigned int digits, const char *text,
		 struct why *why);

/* The meters have no value from now on. */
void formulas_end(struct formulas *f);

#endif
