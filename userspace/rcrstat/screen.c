// SPDX-License-Identifier: GPL-2.0-only
/*
 * screen.c - a text that stays in one place on a terminal.
 *
 * Lines are written over the old ones and only what is left of those is
 * cleared, so that nothing flickers.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "screen.h"
#include "table.h"

/* Can text be written over on what @out goes to? */
bool screen_is_one(FILE *out)
{
	const char *term = getenv("TERM");

	return isatty(fileno(out)) && term && *term && strcmp(term, "dumb");
}

/* What fits; a terminal that does not tell has 24 lines of 80. */
struct table_size screen_size(FILE *out)
{
	struct winsize w = { };

	if (ioctl(fileno(out), TIOCGWINSZ, &w) || !w.ws_row || !w.ws_col)
		return (struct table_size){ .lines = 23, .columns = 80 };
	/* The cursor waits in the last line. */
	return (struct table_size){ .lines = w.ws_row - 1, .columns = w.ws_col };
}

/**
 * screen_show() - shows a text instead of the one before
 * @out: the terminal
 * @text: lines
 * @size: what is there; what is longer or wider is cut
 * @first: there is none before: what else is there is cleared
 */
void screen_show(FILE *out, const char *text, const struct table_size *size,
		 bool first)
{
	unsigned int line;
	size_t length;

	fputs(first ? "\033[H\033[2J" : "\033[H", out);
	for (line = 0; *text && line < size->lines; line++) {
		length = strcspn(text, "\n");
		fwrite(text, 1, length < size->columns ? length : size->columns, out);
		/* A line that is full is cleared already. */
		fputs(length < size->columns ? "\033[K\n" : "\n", out);
		text += length + (text[length] == '\n');
	}
	fputs("\033[J", out);
}
