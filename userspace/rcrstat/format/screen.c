// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * screen.c - updates a text in place on a terminal.
 *
 * New lines overwrite the old ones, and only the remainder of each is cleared, so that nothing
 * flickers.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "format/screen.h"
#include "format/table.h"

/* True if @out is a terminal on which text can be overwritten. */
bool screen_is_one(FILE *out)
{
	const char *term = getenv("TERM");

	return isatty(fileno(out)) && term && *term && strcmp(term, "dumb");
}

/* Size available for text; a terminal that does not report its size has 24 lines of 80. */
struct table_size screen_size(FILE *out)
{
	struct winsize w = { };

	if (ioctl(fileno(out), TIOCGWINSZ, &w) || !w.ws_row || !w.ws_col)
		return (struct table_size){ .lines = 23, .columns = 80 };
	/* The last line is for the cursor. */
	return (struct table_size){ .lines = w.ws_row - 1, .columns = w.ws_col };
}

/*
 * Finds how many bytes of a line fit into @columns. Escape sequences and the continuation bytes of
 * UTF-8 take no column. Sets @used to the columns that they take.
 */
static size_t cut_line(const char *line, size_t length, unsigned int columns,
		       unsigned int *used)
{
	bool escape = false;
	size_t i;

	*used = 0;
	for (i = 0; i < length; i++) {
		escape |= line[i] == '\033';
		if (!escape && (line[i] & 0xc0) != 0x80) {
			if (*used == columns)
				break;
			++*used;
		}
		/* Only "ESC [ numbers letter" occurs. */
		if (escape && line[i] >= 'A' && line[i] != '[')
			escape = false;
	}
	return i;
}

/**
 * screen_show() - replace the text on the screen
 * @out: the terminal
 * @text: lines of text
 * @size: size of the screen; text beyond it is cut off
 * @first: clear the whole screen before
 */
void screen_show(FILE *out, const char *text, const struct table_size *size,
		 bool first)
{
	unsigned int line, used;
	size_t length;

	fputs(first ? "\033[H\033[2J" : "\033[H", out);
	for (line = 0; *text && line < size->lines; line++) {
		length = strcspn(text, "\n");
		fwrite(text, 1, cut_line(text, length, size->columns, &used), out);
		/* A line of full width leaves nothing to clear. */
		fputs(used < size->columns ? "\033[K\n" : "\n", out);
		text += length + (text[length] == '\n');
	}
	fputs("\033[J", out);
}
