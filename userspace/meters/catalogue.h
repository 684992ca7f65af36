/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * catalogue.h - the meters that rcrtool knows of each family, as data.
 */
#ifndef METERS_CATALOGUE_H
#define METERS_CATALOGUE_H

#include <stdbool.h>

/**
 * struct catalogue_row - one way in which a family measures a meter
 * @name: of the meter; a meter with several ways has one row for each
 * @family: prefix of the names of the PMU families that it is for, or all of such a name, a
 *	space and a prefix of libpfm4's name of the core PMU, where models differ; NULL: any
 *	machine
 * @formula: for rcr_formula_compile()
 * @events: what the names in @formula count, in the raw form; a counter of the set with
 *	that name and that event serves; NULL: the formula needs none
 * @unit: of its values
 * @digits: of its values after the decimal point, 0 to 9
 * @is_public: it is on the public page of the board, too
 */
struct catalogue_row {
	const char *name;
	const char *family;
	const char *formula;
	const char *events;
	const char *unit;
	unsigned int digits;
	bool is_public;
};

/**
 * catalogue_next() - iterate over the rows for a family
 * @before: the row returned last; NULL: start at the first
 * @family: name of the PMU family, as in struct rcr_state, a space and native_pmu(); NULL or
 *	"": not known, which leaves the rows for any machine. Without the second name rows
 *	that depend on the model are left out.
 *
 * The rows of one meter follow each other, the best way first. Rows are static data.
 *
 * Return: the next row; NULL at the end.
 */
const struct catalogue_row *catalogue_next(const struct catalogue_row *before,
					   const char *family);

#endif
