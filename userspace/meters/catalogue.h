/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * catalogue.h - expands rows of the meters of a family for the boxes of a machine.
 */
#ifndef METERS_CATALOGUE_H
#define METERS_CATALOGUE_H

#include <stdbool.h>
#include <stdint.h>

#include "events.h"

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
