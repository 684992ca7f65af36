/* SPDX-License-Identifier: GPL-2.0-or-later */
/* derive_file.h - a file of formulas, one "NAME = FORMULA" a line. */
#ifndef METERS_DERIVE_FILE_H
#define METERS_DERIVE_FILE_H

#include <linux/rcrtool.h>

#include "rcr_form.h"

/* Most formulas of a file. */
#define DERIVED_MOST 32

/**
 * struct derive_line - a line of the file
 * @number: line number, from 1
 * @name: name of the column
 * @formula: its formula
 */
struct derive_line {
	unsigned int number;
	char name[RCR_METER_NAME_LEN];
	char formula[RCR_FORMULA_LEN];
};

/**
 * struct derive - the file
 * @path: its path; NULL: there is none
 * @lines: entries of @line
 * @line: the lines, in their order
 */
struct derive {
	const char *path;
	unsigned int lines;
	struct derive_line line[DERIVED_MOST];
};

int derive_read(struct derive *d, const char *path);

#endif
