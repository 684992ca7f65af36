/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cell.h - numbers of a table, with their units. */
#ifndef RCRSTAT_CELL_H
#define RCRSTAT_CELL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "print/si.h"

struct table_size;

/* Two spaces, one of which may become a ?, and a number. */
#define CELL_WIDTH (2 + SI_SIZE - 1)

/**
 * struct cell - a number of the table
 * @valid: there is a number
 * @suspect: the number broke a relation
 * @text: the number
 */
struct cell {
	bool valid;
	bool suspect;
	char text[24];
};

void cell_set_rate(struct cell *c, unsigned int unit, uint64_t tenths);
void cell_set_ratio(struct cell *c, double value);
const char *cell_unit(unsigned int unit, const struct table_size *size);
void cell_print(FILE *out, unsigned int *indent, const struct cell *c,
		const struct table_size *size);

#endif
