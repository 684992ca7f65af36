/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * watch.h - periodic evaluation of meters: subscriptions keep entries of the blackboard up to
 * date for mappings and perf events; watches wake a reader when a value crosses a bound.
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
 * struct rcr_duty - a periodic work item of the worker; under rcr_meters_lock
 * @node: in the worker's queue, by the next time at which it is due
 * @run: called between rcr_pass_begin() and rcr_pass_end(); may sleep
 * @interval: returns the interval, ns, not 0; the item is due at multiples of it on
 *	CLOCK_MONOTONIC
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
void rcr_worker_heartbeat(void);

/* Maximum of all file descriptors of one user. */
#define RCR_SUBSCRIPTIONS_OF_USER	(4 * RCR_SUBSCRIPTIONS_MAX)

/**
 * struct rcr_subscriber - an open device or perf event with subscriptions
 * @subscriptions: list of its subscriptions; under rcr_meters_lock
 * @count: number of subscriptions; under rcr_meters_lock
 * @node: in the list of subscribers while @count is not 0; under rcr_meters_lock
 * @user: the user whose limit applies; constant
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

/* Maximum of all watchers, and of the watchers of one user. */
#define RCR_WATCHES_ALL		4096
#define RCR_WATCHES_OF_USER	(RCR_WATCHES_ALL / 2)

/**
 * struct rcr_watcher - an open device with watches
 * @watches: list of its watches; under rcr_meters_lock
 * @count: number of watches; written under rcr_meters_lock, read without
 * @node: in the list of watchers while @count is not 0; under rcr_meters_lock
 * @user: the user whose limit applies; constant
 * @lock: protects @queue and @gone
 * @queue: crossings that were not read yet
 * @gone: a watched meter was removed, which was not reported yet
 * @wait: threads that wait for crossings
 */
struct rcr_watcher {
	struct list_head watches;
	unsigned int count;
	struct list_head node;
	kuid_t user;
	spinlock_t lock;	/* protects queue and gone */
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
 * struct rcr_meters_follower - a list of the current meters by name, such as a directory
 * @show: adds a meter; may ignore it
 * @hide: removes a meter, and waits for its readers
 * @lock: serializes the callbacks; protects @shown and @now; never taken by readers
 * @shown: by number: serial of the meter that @show was called for; 0: none
 * @now: by number: current meters; serial 0: none
 * @block: in rcr_meters_chain
 */
struct rcr_meters_follower {
	void (*show)(unsigned int number, u32 serial, const char *name);
	void (*hide)(unsigned int number);
	struct mutex lock;		/* protects shown and now */
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
