/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * public.h - the file that everybody may map, and copies from blackboard 1 to it.
 */
#ifndef RCRD_PUBLIC_H
#define RCRD_PUBLIC_H

#include "loop.h"
#include "page.h"
#include "rcr_board.h"
#include "why.h"

#define PUBLIC_PATH "/run/rcrtool/public"

/**
 * struct public - the public board
 * @board: blackboard 1; NULL: the site does not enable the public board
 * @page: the page in the file
 * @timer: copies
 * @changes: of the head of @board, when its meters were taken; odd: never
 */
struct public {
	struct rcr_blackboard *board;
	struct page page;
	struct loop_source timer;
	uint32_t changes;
};

/*
 * Opens the board and makes the file; where it is not @enabled, removes the file. Needs
 * root. Returns 0, or -1 with the reason.
 */
int public_open(struct public *p, bool enabled, struct why *why);

/* Copies from now on. Returns 0, or -1 and errno. */
int public_begin(struct public *p, struct loop *loop);

/* Readers learn at once that nothing is copied any more. */
void public_end(struct public *p);

#endif
