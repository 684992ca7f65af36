// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * utf8.c - characters of UTF-8 (RFC 3629).
 *
 * Pure: no input, no output, no locale. Also compiled into the unit tests.
 */
#include <stdbool.h>

#include "parse/utf8.h"

static bool are_trailing(const unsigned char *at, int bytes)
{
	while (bytes-- > 0)
		if ((*at++ & 0xc0) != 0x80)
			return false;
	return true;
}

int utf8_length(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	int length = *at < 0x80 ? 1 : *at < 0xe0 ? 2 : *at < 0xf0 ? 3 : 4;

	if (length == 1)
		return *at >= ' ' && *at <= '~';
	if (*at < 0xc2 || *at > 0xf4 || !are_trailing(at + 1, length - 1))
		return 0;
	switch (*at) {
	case 0xc2:	/* U+0080 to U+009F are control characters of terminals */
		return at[1] > 0x9f ? length : 0;
	case 0xe0:	/* longer than needed */
		return at[1] > 0x9f ? length : 0;
	case 0xed:	/* half of a surrogate pair */
		return at[1] < 0xa0 ? length : 0;
	case 0xef:	/* U+FFFE and U+FFFF are no characters */
		return at[1] < 0xbf || at[2] < 0xbe ? length : 0;
	case 0xf0:
		return at[1] > 0x8f ? length : 0;
	case 0xf4:	/* beyond U+10FFFF */
		return at[1] < 0x90 ? length : 0;
	default:
		return length;
	}
}
