/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table.h - prints an interval as a table for people. */
#ifndef RCRSTAT_TABLE_H
#define RCRSTAT_TABLE_H

#include <stdbool.h>
#include <stdio.h>

struct intervals;
struct node;
struct rcr_mark;
struct view;

/**
 * struct table_size - maximum size of a table, and how it is drawn
 * @lines: 0: unlimited
 * @columns: 0: unlimited
 * @colour: with escape sequences for colours
 * @utf8: characters beyond ASCII can be printed
 * @node: identity for the heading, or NULL
 */
struct table_size {
	unsigned int lines;
	unsigned int columns;
	bool colour;
	bool utf8;
	const struct node *node;
};

void table_print(FILE *out, const struct intervals *v, const struct view *view,
		 const struct rcr_mark *mark, const struct table_size *size);

#endif
