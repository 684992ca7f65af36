/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lines.h - reads a text file written by a person, line by line. */
#ifndef COMMON_LINES_H
#define COMMON_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "why.h"

/**
 * struct text_line - a line that is neither empty nor a comment
 * @words: copy of the line without surrounding blanks; may be modified
 * @number: line number, from 1
 * @text: the whole line in the file, not terminated
 * @length: bytes of @text
 */
struct text_line {
	char *words;
	unsigned int number;
	const char *text;
	int length;
};

/* Handles a line; returns -1 with @why filled in if it is invalid. */
typedef int (*line_take)(void *to, const struct text_line *line, struct why *why);

/* Reports an invalid line. */
typedef void (*line_wrong)(void *to, unsigned int number, const char *sentence);

/**
 * struct line_reader - callbacks of lines_read()
 * @take: called for each line that is neither empty nor a comment
 * @to: first argument of @take
 * @wrong: called for each invalid line
 * @wrong_to: first argument of @wrong
 */
struct line_reader {
	line_take take;
	void *to;
	line_wrong wrong;
	void *wrong_to;
};

/* Reads @size bytes; returns the number of invalid lines. */
int lines_read(const struct line_reader *r, const char *text, size_t size);

/**
 * struct line_first - the first invalid line of a file
 * @path: path of the file
 * @why: filled in for it: "PATH:LINE: ..."
 * @seen: there is one
 */
struct line_first {
	const char *path;
	struct why *why;
	bool seen;
};

/* A line_wrong, with a struct line_first as @to. */
void line_keep_first(void *to, unsigned int number, const char *sentence);

/* Strips surrounding blanks, including a carriage return; a comment line becomes empty. */
char *line_trim(char *line);

#endif
