// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * columns.c - prints tables whose columns are as wide as their longest text.
 *
 * Pure, except for the width of a terminal: also compiled into the unit tests.
 */
#include <stdlib.h>
#include <string.h>

#include "print/columns.h"
#include "print/wrap.h"

/* Blanks between two columns. */
#define GAP 2

/*
 * On a terminal, text in the last column that is too long is wrapped within the column or, if the
 * column is narrower than LAST_LEAST, starts on the next line, indented by LAST_INDENT.
 */
#define LAST_LEAST 20
#define LAST_INDENT 4

/**
 * struct columns_row - a row, or a line of one text
 * @is_line: it is a line: @cell has one text
 * @cell: the texts
 */
struct columns_row {
	bool is_line;
	char *cell[COLUMNS_LIMIT];
};

unsigned int columns_text_width(const char *text)
{
	unsigned int width = 0;

	/* Continuation bytes of UTF-8 have no width. */
	for (; *text; text++)
		width += (*text & 0xc0) != 0x80;
	return width;
}

void columns_put_right(FILE *out, unsigned int *indent, const char *text)
{
	unsigned int width = columns_text_width(text);

	fprintf(out, "%*s%s", (int)(*indent > width ? *indent - width : 0), "", text);
	*indent = 0;
}

static struct columns_row *add_empty_row(struct columns *c)
{
	struct columns_row *row = realloc(c->row, (c->rows + 1) * sizeof(*row));

	if (!row) {
		c->failed = true;
		return NULL;
	}
	c->row = row;
	row += c->rows++;
	memset(row, 0, sizeof(*row));
	return row;
}

void columns_add(struct columns *c, const char *const *text)
{
	struct columns_row *row = add_empty_row(c);
	unsigned int i;

	for (i = 0; row && i < c->count; i++) {
		row->cell[i] = strdup(text[i]);
		c->failed |= !row->cell[i];
	}
}

void columns_add_line(struct columns *c, const char *text)
{
	struct columns_row *row = add_empty_row(c);

	if (!row)
		return;
	row->is_line = true;
	row->cell[0] = strdup(text);
	c->failed |= !row->cell[0];
}

static void widen_columns(const struct columns *c, unsigned int *width, const char *const *text)
{
	unsigned int i, each;

	for (i = 0; i < c->count; i++) {
		each = columns_text_width(text[i]);
		if (width[i] < each)
			width[i] = each;
	}
}

/* Prints the last text of a line, which begins at column @begin, after @indent blanks. */
static void print_last(const char *text, unsigned int begin, unsigned int indent,
		       unsigned int terminal, FILE *out)
{
	if (begin + columns_text_width(text) > terminal && begin + LAST_LEAST > terminal &&
	    begin > LAST_INDENT && terminal) {
		fputc('\n', out);
		begin = LAST_INDENT;
		indent = LAST_INDENT;
	}
	fprintf(out, "%*s", (int)indent, "");
	wrap_print(out, text, begin, begin, terminal);
}

static void print_row(const struct columns *c, const char *const *text,
		      const unsigned int *width, FILE *out)
{
	unsigned int i, pad, indent = 0, begin = 0, last = c->count - 1;

	for (i = 0; i < c->count; i++) {
		if (i == last && *text[i] && !(c->right >> i & 1)) {
			print_last(text[i], begin, indent, wrap_columns(out), out);
			return;
		}
		begin += width[i] + GAP;
		/* Blanks after the text; those at the end of the line are never printed. */
		pad = c->right >> i & 1 ? 0 : width[i] - columns_text_width(text[i]);
		indent += width[i] - pad;
		if (*text[i])
			columns_put_right(out, &indent, text[i]);
		indent += pad + GAP;
	}
	fputc('\n', out);
}

static void print_all_rows(const struct columns *c, bool heading, FILE *out)
{
	const struct columns_row *row;
	unsigned int width[COLUMNS_LIMIT];

	memcpy(width, c->least, sizeof(width));
	if (heading)
		widen_columns(c, width, c->heading);
	for (row = c->row; row < c->row + c->rows; row++)
		if (!row->is_line)
			widen_columns(c, width, (const char *const *)row->cell);
	if (heading)
		print_row(c, c->heading, width, out);
	for (row = c->row; row < c->row + c->rows; row++)
		if (row->is_line)
			fprintf(out, "%s\n", row->cell[0]);
		else
			print_row(c, (const char *const *)row->cell, width, out);
}

static void free_rows(struct columns *c)
{
	unsigned int row, i;

	for (row = 0; row < c->rows; row++)
		for (i = 0; i < COLUMNS_LIMIT; i++)
			free(c->row[row].cell[i]);
	free(c->row);
	c->row = NULL;
	c->rows = 0;
}

int columns_print(struct columns *c, bool heading, FILE *out)
{
	bool failed = c->failed;

	if (!failed)
		print_all_rows(c, heading, out);
	free_rows(c);
	c->failed = false;
	return failed ? -1 : 0;
}

void columns_print_cut(FILE *out, unsigned int n, const char *one, const char *way)
{
	if (n)
		fprintf(out, "%u more %s%s not shown: the window is too %s\n", n, one,
			n > 1 ? "s are" : " is", way);
}
