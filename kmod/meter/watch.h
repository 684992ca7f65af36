/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * watch.h - who wants to know when a meter crosses a bound
 */
#ifndef RCR_WATCH_H
#define RCR_WATCH_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/uidgid.h>
#include <linux/wait.h>
#include "crossing.h"

/* Of all watchers together, and of those of one user: each is checked at every tick. */
#define RCR_WATCHES_ALL		4096
#define RCR_WATCHES_OF_USER	(RCR_WATCHES_ALL / 2)

/**
 * struct rcr_watcher - an open device that watches some meters
 * @watches: what it watches; guarded, as @count, by watch.c's own lock
 * @count: how many they are
 * @node: in the list of watchers, while @count is not 0; guarded likewise
 * @user: whose limit they count against
 * @may_trigger: its crossings may trigger the flight recorder: it was opened with
 *	CAP_SYS_RAWIO, which is what arms the recorder
 * @fired: is told of each crossing, for who is in the kernel; NULL: they are queued.
 *	Called with that lock held: it may sleep, and must not come back into watch.c
 * @lock: of @queue and @gone
 * @queue: crossings that are not read yet
 * @gone: a meter was removed, and the watcher has not been told yet
 * @wait: whoever waits for a crossing
 */
struct rcr_watcher {
	struct list_head watches;
	unsigned int count;
	struct list_head node;
	kuid_t user;
	bool may_trigger;
	void (*fired)(struct rcr_watcher *w, const struct rcr_crossing *c);
	spinlock_t lock;	/* queue, gone */
	struct rcr_crossing_queue queue;
	bool gone;
	wait_queue_head_t wait;
};

void rcr_watcher_open(struct rcr_watcher *w,
		      void (*fired)(struct rcr_watcher *w, const struct rcr_crossing *c));
int rcr_watcher_add(struct rcr_watcher *w, const struct rcr_watch *what);
int rcr_watcher_peek(struct rcr_watcher *w, struct rcr_crossing *c, u64 *number);
void rcr_watcher_drop(struct rcr_watcher *w, u64 number);
__poll_t rcr_watcher_ready(struct rcr_watcher *w);
void rcr_watcher_close(struct rcr_watcher *w);

int rcr_watch_init(unsigned int entries);
void rcr_watch_exit(void);
bool rcr_watch_is_on(u32 entry);
bool rcr_watch_see(u32 entry, u32 serial, const s64 value[4], bool ok, u64 time);
void rcr_watch_gone(u32 entry);

#endif
