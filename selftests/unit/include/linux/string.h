/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef UNIT_LINUX_STRING_H
#define UNIT_LINUX_STRING_H

#include <string.h>

/* Copy what fits, always terminated; return the length, or -E2BIG if truncated. */
static inline long strscpy(char *to, const char *from, unsigned long size)
{
	size_t len = strnlen(from, size - 1);

	memcpy(to, from, len);
	to[len] = 0;
	return from[len] ? -7 : (long)len;
}

#endif
