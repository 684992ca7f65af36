// SPDX-License-Identifier: GPL-2.0-or-later
/* lines.c - reads a text file written by a person, line by line. */
#include <ctype.h>
#include <string.h>

#include "parse/lines.h"

char *line_trim(char *line)
{
	char *end = line + strlen(line);

	while (end > line && isspace((unsigned char)end[-1]))
		*--end = 0;
	while (isspace((unsigned char)*line))
		line++;
	return *line == '#' ? end : line;
}

static int read_line(const struct line_reader *r, struct text_line *line,
		     struct why *why)
{
	char copy[1024];

	if (memchr(line->text, 0, line->length))
		return because(why, "this is not a text");
	if (line->length >= (int)sizeof(copy))
		return because(why, "the line is too long");
	memcpy(copy, line->text, line->length);
	copy[line->length] = 0;
	line->words = line_trim(copy);
	return *line->words ? r->take(r->to, line, why) : 0;
}

int lines_read(const struct line_reader *r, const char *text, size_t size)
{
	const char *end = text + size, *stop;
	struct text_line line = { 0 };
	struct why why;
	int bad = 0;

	for (; text < end; text = stop + 1) {
		stop = memchr(text, '\n', end - text);
		if (!stop)
			stop = end;
		line.number++;
		line.text = text;
		line.length = stop - text;
		if (read_line(r, &line, &why)) {
			r->wrong(r->wrong_to, line.number, why.text);
			bad++;
		}
	}
	return bad;
}

void line_keep_first(void *to, unsigned int number, const char *sentence)
{
	struct line_first *first = to;

	if (!first->seen)
		because(first->why, "%s:%u: %s", first->path, number, sentence);
	first->seen = true;
}
