// SPDX-License-Identifier: GPL-2.0-or-later
/* message.c - prints messages to standard error and returns the matching exit status. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "message.h"

static const char *at_file;
static unsigned int at_line;

void message_at(const char *file, unsigned int line)
{
	at_file = file;
	at_line = line;
}

__attribute__((format(printf, 3, 0)))
static void print_message(const char *file, unsigned int line, const char *format,
			  va_list args, const char *end)
{
	if (file)
		fprintf(stderr, "%s:%u: ", file, line);
	else
		fprintf(stderr, "%s: ", program_invocation_short_name);
	vfprintf(stderr, format, args);
	fputs(end, stderr);
}

int wrong(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_message(at_file, at_line, format, args, "");
	va_end(args);
	fprintf(stderr, "; see '%s --help'\n", program_invocation_short_name);
	return EXIT_USAGE;
}

int fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_message(at_file, at_line, format, args, "\n");
	va_end(args);
	return EXIT_FAILURE;
}

void note(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_message(at_file, at_line, format, args, "\n");
	va_end(args);
}

void note_line(const char *file, unsigned int line, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_message(file, line, format, args, "\n");
	va_end(args);
}
