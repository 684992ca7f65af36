// SPDX-License-Identifier: GPL-2.0-only
/*
 * period.c - a time as people write it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "period.h"

static const struct {
	const char *name;
	uint64_t ns;
} units[] = {
	{ "min", 60000000000 }, { "s", 1000000000 }, { "ms", 1000000 }, { "us", 1000 },
};

#define UNITS (sizeof(units) / sizeof(units[0]))

bool period_parse(const char *text, uint64_t *ns)
{
	char *end;
	double val = strtod(text, &end);
	size_t i;

	for (i = 0; i < UNITS; i++) {
		if (end == text || strcmp(end, units[i].name) ||
		    !(val > 0 && val * units[i].ns < 1e18))
			continue;
		*ns = val * units[i].ns + 0.5;
		return true;
	}
	return false;
}

void period_text(char text[PERIOD_LEN], uint64_t ns)
{
	size_t i;

	for (i = 0; i < UNITS; i++) {
		if (ns % units[i].ns)
			continue;
		snprintf(text, PERIOD_LEN, "%" PRIu64 "%s", ns / units[i].ns,
			 units[i].name);
		return;
	}
	snprintf(text, PERIOD_LEN, "%" PRIu64 ".%03uus", ns / 1000,
		 (unsigned int)(ns % 1000));
}
