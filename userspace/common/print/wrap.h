/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wrap.h - breaks long lines on a terminal. */
#ifndef COMMON_WRAP_H
#define COMMON_WRAP_H

#include <stdio.h>

/* Columns of the terminal that @out is; 0 if it is none. */
unsigned int wrap_columns(FILE *out);

/*
 * Prints @text and a newline. On a terminal of @columns a line that would be longer is broken at
 * blanks, and goes on @indent columns from the left; @begin columns of the first line are used
 * already. @columns 0: no line is broken.
 */
void wrap_print(FILE *out, const char *text, unsigned int begin, unsigned int indent,
		unsigned int columns);

#endif
