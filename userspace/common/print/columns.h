/* SPDX-License-Identifier: GPL-2.0-or-later */
/* columns.h - prints tables whose columns are as wide as their longest text. */
#ifndef COMMON_COLUMNS_H
#define COMMON_COLUMNS_H

#include <stdbool.h>
#include <stdio.h>

#define COLUMNS_LIMIT 10

struct columns_row;

/**
 * struct columns - a table; all is 0 but what the caller sets
 * @count: number of columns; set by the caller
 * @heading: their headings; set by the caller
 * @right: bit n is set if column n is aligned to the right; set by the caller
 * @least: minimum widths of the columns, characters; set by the caller
 * @row: its rows
 * @rows: number of rows
 * @failed: a row was lost because memory ran out
 */
struct columns {
	unsigned int count;
	const char *heading[COLUMNS_LIMIT];
	unsigned int right;
	unsigned int least[COLUMNS_LIMIT];
	struct columns_row *row;
	unsigned int rows;
	bool failed;
};

/* Adds a row of @c->count texts, which are copied. */
void columns_add(struct columns *c, const char *const *text);

/* Adds a line of one text after the latest row. */
void columns_add_line(struct columns *c, const char *text);

/*
 * Prints the table, without blanks at the ends of lines, and frees its rows. Returns -1, after
 * printing nothing, if memory ran out.
 */
int columns_print(struct columns *c, bool heading, FILE *out);

/* Characters of a UTF-8 text. */
unsigned int columns_text_width(const char *text);

/*
 * Prints a text right-aligned in a field of *@indent characters, in which the caller has summed up
 * the widths of empty columns before it; sets *@indent to 0.
 */
void columns_put_right(FILE *out, unsigned int *indent, const char *text);

/* Prints that @n rows or columns, in singular @one, are not shown: the window is too @way. */
void columns_print_cut(FILE *out, unsigned int n, const char *one, const char *way);

#endif
