// SPDX-License-Identifier: GPL-2.0-or-later
/* why.c - formats the reason of a failure. */
#include <stdarg.h>
#include <stdio.h>

#include "why.h"

int because(struct why *why, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why->text, sizeof(why->text), format, args);
	va_end(args);
	return -1;
}
