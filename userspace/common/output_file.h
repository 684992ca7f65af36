/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output_file.h - opens the file of option -o, and keeps its contents until output begins. */
#ifndef COMMON_OUTPUT_FILE_H
#define COMMON_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

/* Reports an error and returns true if @path is the file @input, which may be NULL. */
bool output_file_is(const char *path, const char *input);

/*
 * Opens @path for writing, and keeps its contents until output_file_begin(). @input is the file
 * that is read, or NULL. Returns NULL after reporting an error.
 */
FILE *output_file_open(const char *path, const char *input);

/* Truncates the file before the first output. Returns 0, or -1 with errno. */
int output_file_begin(FILE *file);

#endif
