// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cell.c - numbers of a table, with their units.
 *
 * Counts are per second, energy is converted to watts and temperatures to degrees.
 *
 * Pure: also compiled into the unit tests.
 */
#include <string.h>
#include <linux/rcrtool.h>

#include "format/cell.h"
#include "format/table.h"
#include "print/columns.h"

#define SUSPECT	"\033[1;31m"
#define NO_RATE	"\033[2m"
#define PLAIN	"\033[0m"

/**
 * cell_set_rate() - set a cell to a rate
 * @c: the cell
 * @unit: enum rcr_unit of the counter
 * @tenths: tenths of its unit per second; of a gauge, of its unit
 */
void cell_set_rate(struct cell *c, unsigned int unit, uint64_t tenths)
{
	c->valid = true;
	if (unit == RCR_UNIT_NANOJOULE)
		si_small(c->text, sizeof(c->text), tenths / 1e10);
	else if (unit == RCR_UNIT_MILLIDEGREE)
		snprintf(c->text, sizeof(c->text), "%.1f", tenths / 1e4);
	else
		si_format(c->text, tenths);
}

/* Sets a cell to a plain number, such as instructions per cycle, of any sign. */
void cell_set_ratio(struct cell *c, double value)
{
	size_t sign = value < 0;

	c->valid = true;
	c->text[0] = '-';
	si_small(c->text + sign, sizeof(c->text) - sign, sign ? -value : value);
}

/* Returns the unit of the cells of a counter. */
const char *cell_unit(unsigned int unit, const struct table_size *size)
{
	if (unit == RCR_UNIT_NANOJOULE)
		return "W";
	if (unit == RCR_UNIT_MILLIDEGREE)
		return size->utf8 ? "\u00b0C" : "C";
	return "/s";
}

/* Prints a cell right-aligned to @indent characters, which include skipped columns. */
void cell_print(FILE *out, unsigned int *indent, const struct cell *c,
		const struct table_size *size)
{
	const char *colour = !c->valid ? NO_RATE : c->suspect ? SUSPECT : "";
	unsigned int width;
	char text[sizeof(c->text) + 1];

	snprintf(text, sizeof(text), "%s%s", c->valid && c->suspect ? "?" : "",
		 c->valid ? c->text : "-");
	if (!size->colour || !*colour) {
		columns_put_right(out, indent, text);
		return;
	}
	width = columns_text_width(text);
	fprintf(out, "%*s%s%s" PLAIN, (int)(*indent > width ? *indent - width : 0), "", colour,
		text);
	*indent = 0;
}
