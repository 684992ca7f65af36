// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * same.c - compares events in the raw form field by field, independent of the order and notation
 * of the fields.
 *
 * Pure. Compiled into the unit tests as well.
 */
#include <stdio.h>
#include <string.h>

#include "control/event.h"
#include "meters.h"

/* Parses an event with or without a name, and ignores the name. */
static bool parse_event(const char *text, struct rcr_event_spec *e)
{
	char named[RCR_EVENT_LEN + 2], why[RCR_SENTENCE_LEN];

	if (snprintf(named, sizeof(named), "%s%s", strchr(text, '=') ? "" : "x=", text) >=
	    (int)sizeof(named))
		return false;
	if (rcr_event_parse(named, e, 1, why, sizeof(why)) != 1)
		return false;
	/* "core" is the same as no unit. */
	if (!strcmp(e->unit, "core"))
		memset(e->unit, 0, sizeof(e->unit));
	return true;
}

static bool print_same(const struct rcr_event_spec *a, const struct rcr_event_spec *b)
{
	char first[RCR_EVENT_LEN], second[RCR_EVENT_LEN];

	rcr_event_print(a, first);
	rcr_event_print(b, second);
	return !strcmp(first, second);
}

bool meter_same_event(const char *a, const char *b)
{
	struct rcr_event_spec x, y;

	return parse_event(a, &x) && parse_event(b, &y) && print_same(&x, &y);
}

bool meter_same_count(const char *a, const char *b)
{
	struct rcr_event_spec x, y;

	if (!parse_event(a, &x) || !parse_event(b, &y))
		return false;
	x.counter = -1;
	y.counter = -1;
	return print_same(&x, &y);
}
