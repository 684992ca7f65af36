/* SPDX-License-Identifier: GPL-2.0-or-later */
/* store.h - files in rcrd's directory: the state, and the window of a trigger. */
#ifndef RCRD_STORE_H
#define RCRD_STORE_H

#include <stdbool.h>

#include "state.h"
#include "why.h"

#define STORE_PATH "/var/lib/rcrtool/record"

/*
 * @dir is the descriptor of that directory. Functions that can fail return -1 with @why filled in,
 * and do not change the file then.
 */

/* Reads the state; @s is all 0 if there is no file. */
int store_read_state(int dir, struct state *s, struct why *why);

int store_write_state(int dir, const struct state *s, struct why *why);

/* Longest name of a file, including the terminating 0. */
#define STORE_NAME_LEN 64

/**
 * struct store_window - a window being written
 * @dir: the directory
 * @path: its path
 * @name: the file's name when it is complete
 * @fd: the file, which has a temporary name until it is complete
 * @bytes: number of bytes so far
 * @used: bytes of @buffer in use
 * @buffer: bytes not written yet
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

/* Begins a file of the directory @dir, whose path is @path. */
int store_begin(struct store_window *w, int dir, const char *path, const char *name,
		struct why *why);

/* A merge_write: returns 0, or -1 with errno. */
int store_append(void *window, const void *item, size_t size);

/*
 * Completes the window, which replaces that of the name. A reader that has the old file open finds
 * it empty then.
 */
int store_commit(struct store_window *w, struct why *why);

/* Discards the window. */
void store_abandon(struct store_window *w);

/* Removes a file and frees its space: readers may have it open. Returns 0 or -1 with errno. */
int store_remove(int dir, const char *name);

/* Opens the kept window for reading; -1 if there is none. */
int store_open_window(int dir);

void store_forget_window(int dir);

#endif
