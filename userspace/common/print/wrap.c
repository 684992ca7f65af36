// SPDX-License-Identifier: GPL-2.0-or-later
/* wrap.c - breaks long lines on a terminal. */
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "print/wrap.h"

/* Leave wrapping to the terminal if fewer columns are available. */
#define LEAST_COLUMNS 20

unsigned int wrap_columns(FILE *out)
{
	struct winsize w;

	return ioctl(fileno(out), TIOCGWINSZ, &w) ? 0 : w.ws_col;
}

/* Characters of the first @size bytes of a UTF-8 text. */
static unsigned int width_of(const char *text, size_t size)
{
	unsigned int width = 0;

	while (size--)
		width += (*text++ & 0xc0) != 0x80;
	return width;
}

/* Bytes of @text up to the last blank at which a line of @columns can end. */
static size_t line_length(const char *text, unsigned int columns)
{
	size_t length = strcspn(text, " "), more;

	while (text[length]) {
		more = length + 1 + strcspn(text + length + 1, " ");
		if (width_of(text, more) > columns)
			break;
		length = more;
	}
	return length;
}

void wrap_print(FILE *out, const char *text, unsigned int begin, unsigned int indent,
		unsigned int columns)
{
	size_t length;

	if (begin + width_of(text, strlen(text)) <= columns || columns < indent + LEAST_COLUMNS ||
	    columns < begin + LEAST_COLUMNS) {
		fprintf(out, "%s\n", text);
		return;
	}
	for (;; text += length + 1) {
		length = line_length(text, columns - begin);
		fprintf(out, "%.*s\n", (int)length, text);
		if (!text[length])
			return;
		fprintf(out, "%*s", (int)indent, "");
		begin = indent;
	}
}
