// SPDX-License-Identifier: GPL-2.0-or-later
/* period.c - parses and formats a time. */
#include <inttypes.h>
#include <stdio.h>

#include "parse/duration.h"
#include "parse/period.h"

bool period_parse(const char *text, uint64_t *ns)
{
	double val;

	if (!duration_parse(text, 0, &val) || !(val > 0 && val < 1e18))
		return false;
	*ns = val + 0.5;
	return true;
}

void period_text(char text[PERIOD_LEN], uint64_t ns)
{
	const struct duration_unit *unit = duration_units;

	for (; unit < duration_units + DURATION_UNITS; unit++) {
		if (ns % unit->ns)
			continue;
		snprintf(text, PERIOD_LEN, "%" PRIu64 "%s", ns / unit->ns, unit->name);
		return;
	}
	snprintf(text, PERIOD_LEN, "%" PRIu64 ".%03uus", ns / 1000,
		 (unsigned int)(ns % 1000));
}
