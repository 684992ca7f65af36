/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * catalogue.h - the meters that rcrtool knows of each family, as data.
 */
#ifndef METERS_CATALOGUE_H
#define METERS_CATALOGUE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct catalogue_row - one way in which a family measures a meter
 * @name: of the meter; a meter with several ways has one row for each
 * @family: prefix of the names of the PMU families that it is for, or all of such a name, a
 *	space and a prefix of libpfm4's name of the core PMU, where models differ; NULL: any
 *	machine
 * @formula: for rcr_formula_compile(), after catalogue_expand()
 * @events: what the names in @formula count, in the raw form; a counter of the set with
 *	that name and that event serves; NULL: the formula needs none. A name with a "#", and
 *	a "#" for the number of a box, are one for each box of a unit
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

/* Boxes of a unit that a row can be expanded for: numbers from 0. */
#define CATALOGUE_BOXES	32

/* Texts of an expanded row, with the terminating 0. */
#define CATALOGUE_FORMULA_LEN	256
#define CATALOGUE_EVENTS_LEN	2048

/**
 * struct catalogue_way - a row for the boxes that a machine has
 * @formula: for rcr_formula_compile()
 * @events: in the raw form; empty: none
 */
struct catalogue_way {
	char formula[CATALOGUE_FORMULA_LEN];
	char events[CATALOGUE_EVENTS_LEN];
};

/* Has the row a "#", so that it depends on the boxes that there are? */
bool catalogue_has_boxes(const struct catalogue_row *row);

/**
 * catalogue_expand() - write a row out for the boxes of a machine
 * @row: of the catalogue
 * @boxes: bit n for box n; 0, of a unit that there is not, is as if there were box 0
 * @way: filled in
 *
 * In the formula "NAME#" becomes the sum of NAME0, NAME1 and so on, without parentheses.
 *
 * Return: whether the texts fit.
 */
bool catalogue_expand(const struct catalogue_row *row, uint32_t boxes,
		      struct catalogue_way *way);

#endif
