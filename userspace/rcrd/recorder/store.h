/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * store.h - what rcrd keeps in its directory: the state, and the window of a trigger.
 */
#ifndef RCRD_STORE_H
#define RCRD_STORE_H

#include <stdbool.h>

#include "state.h"
#include "why.h"

#define STORE_PATH "/var/lib/rcrtool/record"

/*
 * All with the descriptor of that directory. Those that can fail return -1 with the
 * reason, and then the file is as it was.
 */

/* Reads the state; @s is all 0 if there is none yet. */
int store_read_state(int dir, struct state *s, struct why *why);

int store_write_state(int dir, const struct state *s, struct why *why);

/**
 * struct store_window - a window that is being written
 * @dir: the directory
 * @fd: of the file, which has another name until it is whole
 * @bytes: so far
 * @used: of @buffer
 * @buffer: not written yet
 */
struct store_window {
	int dir;
	int fd;
	uint64_t bytes;
	size_t used;
	char buffer[65536];
};

int store_begin(struct store_window *w, int dir, struct why *why);

/* A merge_write: 0, or -1 and errno. */
int store_append(void *window, const void *item, size_t size);

/*
 * It is whole, and takes the place of the window that was kept, which is empty then for who
 * has it open.
 */
int store_commit(struct store_window *w, struct why *why);

/* It is not wanted after all. */
void store_abandon(struct store_window *w);

/* Opens the kept window for reading; -1 if there is none. */
int store_open_window(int dir);

void store_forget_window(int dir);

#endif
