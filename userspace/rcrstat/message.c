// SPDX-License-Identifier: GPL-2.0-only
/*
 * message.c - one sentence on standard error.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "message.h"

int fail(const char *format, ...)
{
	va_list args;

	fputs("rcrstat: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return EXIT_FAILURE;
}
