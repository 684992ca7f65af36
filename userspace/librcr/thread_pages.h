/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * thread_pages.h - librcr, inside: the program's pages of blackboard 2
 */
#ifndef RCR_THREAD_PAGES_H
#define RCR_THREAD_PAGES_H

#include <linux/rcrboard.h>

/*
 * Held to take and to leave slots, and to get pages; fork() waits for it. It is
 * there after rcr_pages_lock() has been called once, and so is what @leave is for.
 */
void rcr_pages_lock(void (*leave)(void));
void rcr_pages_unlock(void);

/* One page more; with the lock held. -1 with errno set. */
int rcr_pages_grow(void);

/* How many slots there are, and one of them. They stay until fork(). */
unsigned int rcr_pages_slots(void);
struct rcr_thread *rcr_pages_slot(unsigned int n);

/* Another number after each fork(). */
unsigned int rcr_pages_generation(void);

/* This thread has taken a slot: @leave is called when it ends. */
void rcr_pages_stay(void);

#endif
