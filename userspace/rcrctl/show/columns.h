/* SPDX-License-Identifier: GPL-2.0-or-later */
/* columns.h - prints a table whose columns are as wide as their longest text. */
#ifndef RCRCTL_COLUMNS_H
#define RCRCTL_COLUMNS_H

#include <stdbool.h>
#include <stdio.h>

#define COLUMNS_MAX 8

/**
 * struct columns - a table
 * @count: number of columns
 * @heading: their headings
 * @cell: texts of all rows, row by row
 * @rows: number of rows
 */
struct columns {
	unsigned int count;
	const char *heading[COLUMNS_MAX];
	char **cell;
	unsigned int rows;
};

/* Adds a row of @c->count texts, which are copied; false if there is no memory. */
bool columns_add(struct columns *c, const char *const *text);

/* Prints the table; the last column is not padded. */
void columns_print(const struct columns *c, bool heading, FILE *out);

void columns_free(struct columns *c);

#endif
