/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * table.h - an interval as a table that a person likes to read.
 */
#ifndef RCRSTAT_TABLE_H
#define RCRSTAT_TABLE_H

#include <stdio.h>

struct intervals;
struct rcr_mark;
struct view;

/**
 * struct table_size - what a table has to fit into
 * @lines: 0: as many as it takes
 * @columns: 0: as many as it takes
 */
struct table_size {
	unsigned int lines;
	unsigned int columns;
};

void table_print(FILE *out, const struct intervals *v, const struct view *view,
		 const struct rcr_mark *mark, const struct table_size *size);

#endif
