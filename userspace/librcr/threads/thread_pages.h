/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * thread_pages.h - the program's memory of blackboard 2 and its registration with rcrd, internal to
 * librcr.
 */
#ifndef RCR_THREAD_PAGES_H
#define RCR_THREAD_PAGES_H

#include <stdbool.h>

#include "rcr_board2.h"

/**
 * struct rcr_pages - the program's slots; all 0 in a child, however it was created
 * @generation: differs after each fork(); 0: there are no slots
 * @slots: number of slots that may be in use, from the first on
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
 * Takes the lock, which protects taking and freeing of slots and all functions below; fork() waits
 * for it. @leave is called when a thread that has called rcr_pages_stay() ends.
 */
void rcr_pages_lock(void (*leave)(void));
void rcr_pages_unlock(void);
void rcr_pages_stay(void);

/* Allocates the slots, unless that was done before; returns -1 with errno set on failure. */
int rcr_pages_make(void);

/* Adds RCR_THREADS_PAGE to the slots in use; returns -1 with ENOSPC at the maximum. */
int rcr_pages_grow(void);

/* The memfd, to be passed on; -1 with EBADF if the program has closed it. */
int rcr_pages_fd(void);

/* A descriptor with the identity of its file, to detect that the program has closed it. */
struct rcr_opened {
	int fd;
	unsigned long device;
	unsigned long inode;
};

/* Stores @fd, which may be -1. */
void rcr_opened_set(struct rcr_opened *o, int fd);
/* False if the program has closed the descriptor, or opened another file in its place. */
bool rcr_opened_is_ours(const struct rcr_opened *o);
/* Closes the descriptor if rcr_opened_is_ours(). */
void rcr_opened_close(struct rcr_opened *o);

/* thread_join.c: registers with rcrd if not done yet; never waits. */
void rcr_join_update(void);
/* True if rcrd has answered, and its heartbeat is fresh. */
bool rcr_join_is_made(void);
/* In a child: drops the parent's connection. */
void rcr_join_forget(void);

#endif
