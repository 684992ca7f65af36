/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * thread_pages.h - librcr, inside: the program's memory of blackboard 2, and its way to rcrd
 */
#ifndef RCR_THREAD_PAGES_H
#define RCR_THREAD_PAGES_H

#include <stdbool.h>

#include "rcr_board2.h"

/**
 * struct rcr_pages - the program's slots. All 0 in a child of fork(), by whatever call.
 * @generation: another number after each fork(); 0: there are no slots
 * @slots: how many may be in use, from the first on
 * @slot: RCR_THREADS_MAX slots
 * @head: the head before them
 */
struct rcr_pages {
	unsigned long generation;
	unsigned int slots;
	struct rcr_thread *slot;
	struct rcr_slots *head;
};

/* The pages; NULL or with generation 0 before rcr_pages_make(). */
struct rcr_pages *rcr_pages_get(void);

/*
 * Held to take and to leave slots, and for all below; fork() waits for it. @leave is
 * called when a thread ends that has called rcr_pages_stay().
 */
void rcr_pages_lock(void (*leave)(void));
void rcr_pages_unlock(void);
void rcr_pages_stay(void);

/* There are slots afterwards; -1 with errno set. */
int rcr_pages_make(void);

/* RCR_THREADS_PAGE more of them are in use; -1 with ENOSPC. */
int rcr_pages_grow(void);

/* The memfd, to be passed on; -1 with EBADF if the program has closed it. */
int rcr_pages_fd(void);

/* What of a descriptor shows that it is the one that was opened here. */
struct rcr_opened {
	int fd;
	unsigned long device;
	unsigned long inode;
};

/* Notes @fd, or -1. */
void rcr_opened_set(struct rcr_opened *o, int fd);
/* Programs close what they did not open, and open something else in its place. */
bool rcr_opened_is_ours(const struct rcr_opened *o);
/* Closes it if it is ours. */
void rcr_opened_close(struct rcr_opened *o);

/* thread_join.c: registers with rcrd if that has not been done; never waits. */
void rcr_join_tend(void);
/* rcrd has answered, and was alive a moment ago. */
bool rcr_join_is_made(void);
/* In a child: the parent's connection is not its own. */
void rcr_join_forget(void);

#endif
