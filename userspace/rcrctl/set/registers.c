// SPDX-License-Identifier: GPL-2.0-or-later
/* registers.c - formats masks of counters as text. */
#include <stdio.h>
#include <string.h>

#include "list.h"

#define HALF 32

/* Appends the ranges of bits in one half of the mask: "0-2,5". */
static void put_runs(char *text, size_t size, uint32_t bits, const char *before)
{
	unsigned int first, last;
	size_t len = strlen(text);

	for (first = 0; first < HALF; first = last + 1) {
		last = first;
		if (!(bits >> first & 1))
			continue;
		while (last + 1 < HALF && (bits >> (last + 1) & 1))
			last++;
		len += snprintf(text + len, size - len, "%s%s%u", len ? "," : "",
				before, first);
		if (last > first && len < size)
			len += snprintf(text + len, size - len, "-%u", last);
		if (len >= size)
			return;
		before = "";
	}
}

void registers_text(char *text, size_t size, const char *unit, uint64_t counters)
{
	size_t len = snprintf(text, size, "%s%s", unit, *unit ? " " : "");

	if (len >= size)
		return;
	text += len;
	size -= len;
	put_runs(text, size, counters, "");
	put_runs(text, size, counters >> HALF, "fixed ");
	if (!*text)
		snprintf(text, size, "-");
}
