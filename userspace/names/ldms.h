/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ldms.h - reads the dictionary of LDMS's msr_interlagos sampler.
 */
#ifndef NAMES_LDMS_H
#define NAMES_LDMS_H

#include <linux/rcrtool.h>

#include "code.h"
#include "parse/lines.h"

/**
 * struct ldms_row - a row of the dictionary
 * @name: of the event
 * @code: what it counts, of the core or the northbridge, pinned to the register
 *	that the row names
 * @line: where it stands
 * @length: of its text
 * @text: of the file, not ended
 */
struct ldms_row {
	char name[RCR_NAME_LEN];
	struct code code;
	unsigned int line;
	int length;
	const char *text;
};

/**
 * struct ldms - a dictionary
 * @row: its rows
 * @rows: how many
 * @text: where the rows stand
 */
struct ldms {
	struct ldms_row *row;
	unsigned int rows;
	char *text;
};

/*
 * Reads @text, @size bytes with a 0 behind them, which then belongs to @d.
 * Returns how many rows are wrong, of which @wrong is told, or -1 when memory ran out.
 */
int ldms_read(struct ldms *d, char *text, size_t size, line_wrong wrong, void *to);

/* The row that is called @name, or NULL. */
const struct ldms_row *ldms_find(const struct ldms *d, const char *name);

void ldms_free(struct ldms *d);

#endif
