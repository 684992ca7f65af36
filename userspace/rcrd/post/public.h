/* SPDX-License-Identifier: GPL-2.0-or-later */
/* public.h - copy public meters of blackboard 1 to a file that all users may map. */
#ifndef RCRD_PUBLIC_H
#define RCRD_PUBLIC_H

#include "loop.h"
#include "page.h"
#include "rcr_board.h"
#include "why.h"

#define PUBLIC_PATH "/run/rcrtool/public"

/**
 * struct public - the public board
 * @board: blackboard 1; NULL: the public board is disabled
 * @page: the page in the file
 * @timer: timer that copies values
 * @changes: count of changes of @board when its meters were copied; odd: not copied yet
 */
struct public {
	struct rcr_blackboard *board;
	struct page page;
	struct loop_source timer;
	uint32_t changes;
};

/*
 * Opens the board and creates the file or, if not @enabled, removes the file. Needs root. Returns
 * 0, or -1 with @why filled in.
 */
int public_open(struct public *p, bool enabled, struct why *why);

/* Starts copying. Returns 0, or -1 with errno. */
int public_begin(struct public *p, struct loop *loop);

/* Marks the board as stopped, so that readers detect it at once. */
void public_end(struct public *p);

#endif
