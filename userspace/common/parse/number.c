// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * number.c - parses decimal numbers.
 *
 * Pure: no input, no output, no clock. Also compiled into the unit tests.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "parse/number.h"

bool number_parse(const char *text, uint64_t *number)
{
	return number_parse_range(text, 0, UINT64_MAX, number);
}

bool number_parse_range(const char *text, uint64_t least, uint64_t most, uint64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 10);
	return isdigit((unsigned char)*text) && !*end && !errno && *number >= least &&
	       *number <= most;
}

const char *number_begin(const char *text, long double *number)
{
	const char *at = text + (*text == '-' || *text == '+');
	char *end;

	/* strtold() would accept 0x10, inf and nan, too. */
	at += *at == '.';
	if (!isdigit((unsigned char)*at) || (at[0] == '0' && (at[1] | 32) == 'x'))
		return NULL;
	*number = strtold(text, &end);
	return end;
}
