// SPDX-License-Identifier: GPL-2.0-or-later
/* period.c - parses and formats a time: a number and a unit. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "parse/number.h"
#include "parse/period.h"

/* In descending order of length. */
static const struct {
	const char *name;
	uint64_t ns;
} units[] = {
	{ "min", 60000000000 }, { "s", 1000000000 }, { "ms", 1000000 }, { "us", 1000 },
};

#define UNITS (sizeof(units) / sizeof(units[0]))

/* Returns the length of the unit @name in ns, or 0. */
static uint64_t find_time_unit(const char *name, uint64_t bare)
{
	size_t i;

	for (i = 0; i < UNITS; i++)
		if (!strcmp(name, units[i].name))
			return units[i].ns;
	return *name ? 0 : bare;
}

bool period_parse_bare(const char *text, uint64_t bare, uint64_t *ns)
{
	long double number;
	const char *name = number_begin(text, &number);

	if (!name)
		return false;
	number *= find_time_unit(name, bare);
	if (!(number > 0 && number < 1e18))
		return false;
	*ns = number + 0.5;
	return true;
}

bool period_parse(const char *text, uint64_t *ns)
{
	return period_parse_bare(text, 0, ns);
}

void period_text(char text[PERIOD_LEN], uint64_t ns)
{
	size_t i;

	for (i = 0; i < UNITS; i++) {
		if (ns % units[i].ns)
			continue;
		snprintf(text, PERIOD_LEN, "%" PRIu64 "%s", ns / units[i].ns, units[i].name);
		return;
	}
	snprintf(text, PERIOD_LEN, "%" PRIu64 ".%03uus", ns / 1000,
		 (unsigned int)(ns % 1000));
}
