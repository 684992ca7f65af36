// SPDX-License-Identifier: GPL-2.0-or-later
/* columns.c - prints a table whose columns are as wide as their longest text. */
#include <stdlib.h>
#include <string.h>

#include "show/columns.h"

/* Characters of a UTF-8 text: bytes that do not continue a character. */
static int text_width(const char *text)
{
	int width = 0;

	for (; *text; text++)
		width += (*text & 0xc0) != 0x80;
	return width;
}

bool columns_add(struct columns *c, const char *const *text)
{
	unsigned int i, at = c->rows * c->count;
	char **cell = realloc(c->cell, (at + c->count) * sizeof(*cell));

	if (!cell)
		return false;
	c->cell = cell;
	for (i = 0; i < c->count; i++) {
		cell[at + i] = strdup(text[i]);
		if (!cell[at + i]) {
			while (i--)
				free(cell[at + i]);
			return false;
		}
	}
	c->rows++;
	return true;
}

static void print_row(const struct columns *c, const char *const *text, const int *width,
		      FILE *out)
{
	unsigned int i;

	for (i = 0; i + 1 < c->count; i++)
		fprintf(out, "%s%*s", text[i], width[i] - text_width(text[i]) + 2, "");
	fprintf(out, "%s\n", text[i]);
}

void columns_print(const struct columns *c, bool heading, FILE *out)
{
	int width[COLUMNS_MAX] = { 0 }, each;
	unsigned int i;

	for (i = 0; heading && i < c->count; i++)
		width[i] = text_width(c->heading[i]);
	for (i = 0; i < c->rows * c->count; i++) {
		each = text_width(c->cell[i]);
		if (width[i % c->count] < each)
			width[i % c->count] = each;
	}
	if (heading)
		print_row(c, c->heading, width, out);
	for (i = 0; i < c->rows; i++)
		print_row(c, (const char *const *)c->cell + i * c->count, width, out);
}

void columns_free(struct columns *c)
{
	unsigned int i;

	for (i = 0; i < c->rows * c->count; i++)
		free(c->cell[i]);
	free(c->cell);
	c->cell = NULL;
	c->rows = 0;
}
