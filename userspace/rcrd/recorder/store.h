/* SPDX-License-Identifier: GPL-2.0-or-later */
/* store.h - write files in directories of rcrd: the recorder's state and window, and evidence. */
#ifndef RCRD_STORE_H
#define RCRD_STORE_H

#include <stdbool.h>

#include "state.h"
#include "why.h"

#define STORE_PATH "/var/lib/rcrtool/record"

/*
 * @dir is the descriptor of the directory. Unless stated otherwise, functions return 0, or -1 with
 * @why filled in and the file unchanged.
 */

/* Reads the state. If there is no file, @s is zeroed. */
int store_read_state(int dir, struct state *s, struct why *why);

/* Writes the state. */
int store_write_state(int dir, const struct state *s, struct why *why);

/* Longest name of a file, including the terminating 0. */
#define STORE_NAME_LEN 64

/**
 * struct store_window - a file that is being written
 * @dir: descriptor of the directory
 * @path: path of the directory
 * @name: name of the complete file
 * @fd: the file, which has a temporary name until it is complete
 * @bytes: number of bytes appended so far
 * @used: bytes used in @buffer
 * @buffer: bytes that are not written yet
 */
struct store_window {
	int dir;
	const char *path;
	char name[STORE_NAME_LEN];
	int fd;
	uint64_t bytes;
	size_t used;
	char buffer[65536];
};

#define STORE_WINDOW "window"

/* Begins the file @name in the directory @dir, whose path is @path. */
int store_begin(struct store_window *w, int dir, const char *path, const char *name,
		struct why *why);

/* Appends an item; see merge_write. Returns 0, or -1 with errno. */
int store_append(void *window, const void *item, size_t size);

/*
 * Completes the file and replaces the old one of its name, which is emptied for readers that still
 * have it open.
 */
int store_commit(struct store_window *w, struct why *why);

/* Discards the incomplete file. */
void store_abandon(struct store_window *w);

/* Removes a file, and empties it for readers that have it open. Returns 0, or -1 with errno. */
int store_remove(int dir, const char *name);

/* Opens the kept window for reading. Returns -1 if there is none. */
int store_open_window(int dir);

/* Removes the kept window. */
void store_forget_window(int dir);

#endif
