/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * threads.h - blackboard 2: pages on which programs say what their threads are
 * doing, and a walk through what they say.
 */
#ifndef RCR_THREADS_H
#define RCR_THREADS_H

#include <linux/mm_types.h>
#include <linux/rcrboard.h>

/*
 * Who has pages at the same time, at most, and how many of those one user may be.
 * A client has up to 1 + RCR_THREADS_PAGES pages, charged to who maps them.
 */
#define RCR_CLIENTS_MAX		1024
#define RCR_CLIENTS_OF_USER	512

struct rcr_client;

struct rcr_client *rcr_client_open(void);
void rcr_client_close(struct rcr_client *c);
bool rcr_client_may_write(const struct vm_area_struct *vma);
int rcr_client_mmap(struct rcr_client *c, struct vm_area_struct *vma);

/**
 * struct rcr_threads_cursor - a place in a walk through all clients' slots
 * @client: whose slot it is; NULL behind the last
 * @slot: its number
 * @tgid: of the process that opened the client, in the initial namespace
 * @thread: what stood in the slot, each word as it was at one moment
 *
 * All 0 before the first rcr_threads_seek().
 */
struct rcr_threads_cursor {
	struct rcr_client *client;
	unsigned int slot;
	u32 tgid;
	struct rcr_thread thread;
};

bool rcr_threads_seek(struct rcr_threads_cursor *cursor, u64 position);
bool rcr_threads_next(struct rcr_threads_cursor *cursor);
u64 rcr_threads_position(const struct rcr_threads_cursor *cursor);
void rcr_threads_leave(struct rcr_threads_cursor *cursor);

#endif
