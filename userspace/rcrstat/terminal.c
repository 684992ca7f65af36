// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * terminal.c - the alternate screen and the keyboard of a terminal.
 *
 * Keys are read from standard input, if it is a terminal and this process is in its foreground
 * group.
 */
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "terminal.h"

/* Alternate screen without a cursor, as terminfo's smcup, civis and back. */
#define ENTER	"\033[?1049h\033[?25l"
#define LEAVE	"\033[?25h\033[?1049l"

static struct termios before;
static bool has_keyboard;

bool terminal_has_colours(FILE *out)
{
	const char *term = getenv("TERM"), *no_colour = getenv("NO_COLOR");

	return isatty(fileno(out)) && term && *term && strcmp(term, "dumb") &&
	       !(no_colour && *no_colour);
}

bool terminal_is_utf8(void)
{
	return !strcmp(nl_langinfo(CODESET), "UTF-8");
}

static void open_keyboard(void)
{
	struct termios raw;

	if (tcgetpgrp(STDIN_FILENO) != getpgrp() || tcgetattr(STDIN_FILENO, &before))
		return;
	raw = before;
	raw.c_lflag &= ~(ICANON | ECHO);
	raw.c_cc[VMIN] = 0;
	raw.c_cc[VTIME] = 0;
	has_keyboard = !tcsetattr(STDIN_FILENO, TCSANOW, &raw);
}

void terminal_enter(FILE *out)
{
	open_keyboard();
	fputs(ENTER, out);
}

void terminal_leave(FILE *out)
{
	if (has_keyboard)
		tcsetattr(STDIN_FILENO, TCSANOW, &before);
	has_keyboard = false;
	fputs(LEAVE, out);
}

int terminal_keys(void)
{
	return has_keyboard ? STDIN_FILENO : -1;
}

bool terminal_quits(void)
{
	char keys[64];
	ssize_t got = has_keyboard ? read(STDIN_FILENO, keys, sizeof(keys)) : 0;

	return got > 0 && memchr(keys, 'q', got);
}
