/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * file.h - reads a text file whole, and writes one whole or not at all.
 */
#ifndef COMMON_FILE_H
#define COMMON_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "why.h"

/* No text that a person writes is longer. */
#define FILE_MAX 1048576

/* The text of @path, with a 0 behind it; to be freed. NULL with the reason. */
char *file_read(const char *path, size_t *size, struct why *why);

/* Its first line without its end, as sysfs has values; false when there is none. */
bool file_line(const char *path, char *line, int size);

/**
 * struct file_new - a file that takes its name when it is whole
 * @stream: to write to; NULL while none is open
 * @path: its name
 * @temporary: its name until then, NULL for what is no regular file
 */
struct file_new {
	FILE *stream;
	char *path;
	char *temporary;
};

/* Begins to write @path, "-" for standard output. */
int file_begin(struct file_new *f, const char *path, struct why *why);

/* It is whole. When this fails the old file is as it was. */
int file_commit(struct file_new *f, struct why *why);

/* It is not wanted after all. */
void file_abandon(struct file_new *f);

/* Makes the folders that lead to @path. */
int file_make_folders(const char *path, struct why *why);

#endif
