// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * number.c - parses decimal numbers.
 *
 * Pure: no input, no output, no clock. Compiled into the unit tests as well.
 */
#include <errno.h>
#include <stdlib.h>

#include "parse/number.h"

/* Parses a text that consists of one unsigned decimal number. */
bool number_parse(const char *text, uint64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno;
}
