// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * catalogue.c - expands the rows of a family's meters for the boxes of a machine.
 *
 * Formulas: RCRTool Design Document, sections 6.1 and 6.2.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "catalogue.h"

bool catalogue_has_boxes(const struct catalogue_row *row)
{
	return row->events && strchr(row->events, '#');
}

/* Appends @len bytes of @from, replacing "#" by @box; returns false if they do not fit. */
static bool put_numbered(char *text, size_t size, const char *from, size_t len, unsigned int box)
{
	size_t at = strlen(text), i;

	for (i = 0; i < len && at < size; i++) {
		if (from[i] == '#')
			at += snprintf(text + at, size - at, "%u", box);
		else
			at += snprintf(text + at, size - at, "%c", from[i]);
	}
	return at < size;
}

/* Appends a part of a row, once for each box if it has a "#". */
static bool append_part(char *text, size_t size, const char *from, size_t len, uint32_t boxes,
			const char *between)
{
	bool fits = true, follows = false;
	unsigned int box;

	if (!memchr(from, '#', len))
		return put_numbered(text, size, from, len, 0);
	for (box = 0; box < CATALOGUE_BOXES && fits; box++) {
		if (!(boxes >> box & 1))
			continue;
		if (follows)
			fits = put_numbered(text, size, between, strlen(between), 0);
		follows = true;
		fits = fits && put_numbered(text, size, from, len, box);
	}
	return fits;
}

static size_t word_length(const char *at)
{
	size_t len = 0;

	while (isalnum((unsigned char)at[len]) || at[len] == '_' || at[len] == '#')
		len++;
	return len ? len : 1;
}

bool catalogue_expand(const struct catalogue_row *row, uint32_t boxes,
		      struct catalogue_way *way)
{
	const char *at;
	bool fits = true;
	size_t len;

	if (!boxes)
		boxes = 1;
	*way->formula = 0;
	*way->events = 0;
	for (at = row->formula; *at && fits; at += len) {
		len = word_length(at);
		fits = append_part(way->formula, sizeof(way->formula), at, len, boxes, " + ");
	}
	for (at = row->events ? row->events : ""; *at && fits; at += len) {
		len = strcspn(at, ";");
		fits = append_part(way->events, sizeof(way->events), at, len, boxes, ";");
		if (fits && at[len])
			fits = append_part(way->events, sizeof(way->events), at + len++, 1, boxes, "");
	}
	return fits;
}
