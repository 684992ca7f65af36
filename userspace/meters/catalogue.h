/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * catalogue.h - expands the rows of a family's meters for the boxes of a machine.
 */
#ifndef METERS_CATALOGUE_H
#define METERS_CATALOGUE_H

#include <stdbool.h>
#include <stdint.h>

#include "events.h"

/* Maximum number of boxes of a unit that a row can be expanded for. */
#define CATALOGUE_BOXES	32

/* Maximum lengths of the texts of an expanded row, including the terminating 0. */
#define CATALOGUE_FORMULA_LEN	256
#define CATALOGUE_EVENTS_LEN	2048

/**
 * struct catalogue_way - a row for the boxes that a machine has
 * @formula: formula for rcr_formula_compile()
 * @events: events in the raw form; empty: none
 */
struct catalogue_way {
	char formula[CATALOGUE_FORMULA_LEN];
	char events[CATALOGUE_EVENTS_LEN];
};

/* True if the row has a "#", so that it depends on the boxes of the machine. */
bool catalogue_has_boxes(const struct catalogue_row *row);

/**
 * catalogue_expand() - expand a row for the boxes of a machine
 * @row: row of the catalogue
 * @boxes: bit n for box n; 0, if the unit is missing, has the same result as box 0
 * @way: filled in
 *
 * In the formula "NAME#" becomes the sum of NAME0, NAME1 and so on, without parentheses.
 *
 * Return: false if the texts do not fit.
 */
bool catalogue_expand(const struct catalogue_row *row, uint32_t boxes,
		      struct catalogue_way *way);

#endif
