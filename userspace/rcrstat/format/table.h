/* SPDX-License-Identifier: GPL-2.0-only */
/* table.h - prints an interval as a table for people. */
#ifndef RCRSTAT_TABLE_H
#define RCRSTAT_TABLE_H

#include <stdio.h>

struct intervals;
struct rcr_mark;
struct view;

/**
 * struct table_size - maximum size of a table
 * @lines: 0: unlimited
 * @columns: 0: unlimited
 */
struct table_size {
	unsigned int lines;
	unsigned int columns;
};

void table_print(FILE *out, const struct intervals *v, const struct view *view,
		 const struct rcr_mark *mark, const struct table_size *size);

#endif
