// SPDX-License-Identifier: GPL-2.0-or-later
/* duration.c - parses a time: a number and a unit. */
#include <string.h>

#include "parse/duration.h"
#include "parse/number.h"

const struct duration_unit duration_units[DURATION_UNITS] = {
	{ "min", 60000000000 }, { "s", 1000000000 }, { "ms", 1000000 }, { "us", 1000 },
};

/* Returns the length of the unit @name in ns, or 0. */
static uint64_t find_duration_unit(const char *name, uint64_t bare)
{
	unsigned int i;

	for (i = 0; i < DURATION_UNITS; i++)
		if (!strcmp(name, duration_units[i].name))
			return duration_units[i].ns;
	return *name ? 0 : bare;
}

bool duration_parse(const char *text, uint64_t bare, double *ns)
{
	long double number;
	const char *name = number_begin(text, &number);
	uint64_t unit = name ? find_duration_unit(name, bare) : 0;

	if (unit)
		*ns = number * unit;
	return unit;
}
