/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * watch.h - who wants values of meters again and again: mappings and perf events have them
 * kept up to date, watches are woken when one crosses a bound.
 */
#ifndef RCR_WATCH_H
#define RCR_WATCH_H

#include <linux/list.h>
#include <linux/notifier.h>
#include <linux/poll.h>
#include <linux/spinlock.h>
#include <linux/timerqueue.h>
#include <linux/types.h>
#include <linux/uidgid.h>
#include <linux/wait.h>
#include <linux/rcrboard.h>

#include "crossing.h"

struct rcr_failure;

/**
 * struct rcr_duty - what the worker does again and again
 * @node: in the worker's queue, by the time at which it is due
 * @run: called in a pass, under rcr_meters_lock; may sleep
 * @interval: it is due at multiples of that on CLOCK_MONOTONIC, ns, not 0
 */
struct rcr_duty {
	struct timerqueue_node node;
	void (*run)(struct rcr_duty *d);
	u64 (*interval)(const struct rcr_duty *d);
};

int rcr_worker_init(void);
void rcr_worker_exit(void);
void rcr_duty_start(struct rcr_duty *d, void (*run)(struct rcr_duty *d),
		    u64 (*interval)(const struct rcr_duty *d));
void rcr_duties_requeue(void);
void rcr_duty_stop(struct rcr_duty *d);
void rcr_worker_beat(void);

/* Of all descriptors of one user. */
#define RCR_SUBSCRIPTIONS_OF_USER	(4 * RCR_SUBSCRIPTIONS_MAX)

/**
 * struct rcr_subscriber - an open device, or perf event, whose entries are kept up to date
 * @subscriptions: under rcr_meters_lock, as all below
 * @count: how many
 * @node: in the list of subscribers, while @count is not 0
 * @user: whose limit they count against
 */
struct rcr_subscriber {
	struct list_head subscriptions;
	unsigned int count;
	struct list_head node;
	kuid_t user;
};

void rcr_subscriber_open(struct rcr_subscriber *s);
int rcr_subscribe(struct rcr_subscriber *s, const struct rcr_subscription *what);
void rcr_subscriber_close(struct rcr_subscriber *s);

/* Of all watchers together, and of those of one user. */
#define RCR_WATCHES_ALL		4096
#define RCR_WATCHES_OF_USER	(RCR_WATCHES_ALL / 2)

/**
 * struct rcr_watcher - an open device that watches some meters
 * @watches: what it watches; under rcr_meters_lock, as @count and @node
 * @count: how many they are
 * @node: in the list of watchers, while @count is not 0
 * @user: whose limit they count against
 * @lock: of @queue and @gone
 * @queue: crossings that are not read yet
 * @gone: a meter was removed, and the watcher has not been told yet
 * @wait: readers of crossings
 */
struct rcr_watcher {
	struct list_head watches;
	unsigned int count;
	struct list_head node;
	kuid_t user;
	spinlock_t lock;	/* queue, gone */
	struct rcr_crossing_queue queue;
	bool gone;
	wait_queue_head_t wait;
};

void rcr_watcher_open(struct rcr_watcher *w);
int rcr_watcher_add(struct rcr_watcher *w, const struct rcr_watch *what);
int rcr_watcher_peek(struct rcr_watcher *w, struct rcr_crossing *c, u64 *number);
void rcr_watcher_drop(struct rcr_watcher *w, u64 number);
__poll_t rcr_watcher_ready(struct rcr_watcher *w);
void rcr_watcher_close(struct rcr_watcher *w);

int rcr_meters_post(const char *name, unsigned int place, s64 val, u32 status,
		    struct rcr_failure *f);

/**
 * struct rcr_meters_follower - shows each meter that there is, as a file for example
 * @put_up: shows a meter, or leaves it
 * @take_down: undoes that; when it returns no reader is there any more
 * @lock: held while these are called, and never by readers
 * @shown: the serial of each meter that was put up; 0: none
 * @now: each meter that there is; a serial of 0: none
 * @block: its place in the chain
 */
struct rcr_meters_follower {
	void (*put_up)(unsigned int number, u32 serial, const char *name);
	void (*take_down)(unsigned int number);
	struct mutex lock;		/* shown, now */
	u32 shown[RCR_METERS_MAX];
	struct {
		u32 serial;
		char name[RCR_METER_NAME_LEN];
	} now[RCR_METERS_MAX];
	struct notifier_block block;
};

void rcr_meters_follow(struct rcr_meters_follower *f);
void rcr_meters_unfollow(struct rcr_meters_follower *f);

int rcr_watches_init(void);
void rcr_watches_exit(void);
int rcr_boarddev_init(void);
void rcr_boarddev_exit(void);

#endif
