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
 * @name: name of the event
 * @code: event of the core or the northbridge, pinned to the register that the row names
 * @line: line number in the file
 * @length: length of @text
 * @text: the row as in the file, not terminated
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
 * @row: the rows
 * @rows: number of rows
 * @text: text of the file, which the rows refer to
 */
struct ldms {
	struct ldms_row *row;
	unsigned int rows;
	char *text;
};

/*
 * Parses @text, @size bytes and a terminating 0, which then belongs to @d. Calls @wrong for each
 * invalid row. Returns the number of invalid rows, or -1 if out of memory.
 */
int ldms_read(struct ldms *d, char *text, size_t size, line_wrong wrong, void *to);

/* Finds the row of the event @name, or NULL. */
const struct ldms_row *ldms_find(const struct ldms *d, const char *name);

void ldms_free(struct ldms *d);

#endif
