// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wall.c - prints points in time.
 *
 * Pure except for the time zone: also compiled into the unit tests.
 */
#include <inttypes.h>
#include <time.h>

#include "print/wall.h"

static unsigned int wall_microseconds(uint64_t time)
{
	return time % 1000000000 / 1000;
}

/* Prints @time, ns since 1970, in seconds: 1795182808.658000 */
void wall_seconds(FILE *out, uint64_t time)
{
	fprintf(out, "%" PRIu64 ".%06u", time / 1000000000, wall_microseconds(time));
}

/* Prints @time, ns since 1970, for people: 2026-11-20 14:02:31, with an optional fraction. */
void wall_date(FILE *out, uint64_t time, bool fraction)
{
	time_t seconds = time / 1000000000;
	struct tm tm;
	char text[64] = "?";

	if (localtime_r(&seconds, &tm))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm);
	fputs(text, out);
	if (fraction)
		fprintf(out, ".%06u", wall_microseconds(time));
}
