// SPDX-License-Identifier: GPL-2.0-only
/*
 * number.c - numbers as people write them.
 *
 * Pure: no input, no output, no clock. Compiled into the unit tests as well.
 */
#include <errno.h>
#include <stdlib.h>

#include "number.h"

/* Is the whole text a number from 0, in decimal? */
bool number_parse(const char *text, uint64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno;
}
