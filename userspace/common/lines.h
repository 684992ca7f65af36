/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lines.h - a text that a person wrote, line by line.
 */
#ifndef COMMON_LINES_H
#define COMMON_LINES_H

#include <stddef.h>

#include "why.h"

/**
 * struct text_line - a line that says something
 * @words: it without the blanks around it and its comment; may be changed
 * @number: where it stands, from 1
 * @text: the whole of it in the text, not ended
 * @length: of @text
 */
struct text_line {
	char *words;
	unsigned int number;
	const char *text;
	int length;
};

/* Takes a line; -1 with the reason when it is wrong. */
typedef int (*line_take)(void *to, const struct text_line *line, struct why *why);

/* Is told of each wrong line. */
typedef void (*line_wrong)(void *to, unsigned int number, const char *sentence);

/**
 * struct line_reader - what is done with the lines
 * @take: is given each that is no comment
 * @to: its first argument
 * @wrong: is told of each that is wrong
 * @wrong_to: its first argument
 */
struct line_reader {
	line_take take;
	void *to;
	line_wrong wrong;
	void *wrong_to;
};

/* Reads @size bytes; returns how many lines are wrong. */
int lines_read(const struct line_reader *r, const char *text, size_t size);

/* A line without the blanks around it, its comment and its carriage return. */
char *line_trim(char *line);

#endif
