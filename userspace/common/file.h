/* SPDX-License-Identifier: GPL-2.0-or-later */
/* file.h - reads text files, and writes files atomically. */
#ifndef COMMON_FILE_H
#define COMMON_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "why.h"

/* More than any configuration file. */
#define FILE_MAX 1048576

/* Returns the contents of @path, terminated by 0, for the caller to free; or NULL with @why. */
char *file_read(const char *path, size_t *size, struct why *why);

/* Reads the first line without its newline, as from sysfs; false if there is none. */
bool file_line(const char *path, char *line, int size);

/**
 * struct file_new - a file being written
 * @stream: output stream; NULL while none is open
 * @path: path of the file
 * @temporary: path until file_commit(); NULL if the file is written directly
 */
struct file_new {
	FILE *stream;
	char *path;
	char *temporary;
};

/* Starts writing @path, or standard output if it is "-". */
int file_begin(struct file_new *f, const char *path, struct why *why);

/* Completes the file. On failure a regular file keeps its old contents. */
int file_commit(struct file_new *f, struct why *why);

/* Discards the new contents. */
void file_abandon(struct file_new *f);

/* Creates the parent directories of @path. */
int file_make_folders(const char *path, struct why *why);

#endif
