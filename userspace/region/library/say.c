// SPDX-License-Identifier: LGPL-2.1-or-later
/* say.c - lines on standard error, each once a process. A signal handler may call it. */
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "library/region.h"

static unsigned int region_said;

int region_say(enum region_saying once, const char *format, ...)
{
	static const char prefix[] = "rcrregion: ";
	char line[512];
	va_list args;
	int length;

	if (__atomic_fetch_or(&region_said, 1u << once, __ATOMIC_RELAXED) & 1u << once)
		return -1;
	__builtin_memcpy(line, prefix, sizeof(prefix));
	va_start(args, format);
	length = vsnprintf(line + sizeof(prefix) - 1, sizeof(line) - sizeof(prefix), format, args);
	va_end(args);
	length += sizeof(prefix) - 1;
	if (length > (int)sizeof(line) - 2)
		length = sizeof(line) - 2;
	line[length++] = '\n';
	if (write(STDERR_FILENO, line, length) != length)
		return -1;
	return -1;
}
