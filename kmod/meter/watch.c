// SPDX-License-Identifier: GPL-2.0-only
/*
 * watch.c - bounds that are watched: by entry, for who has the values, and by
 * watcher, for who wants to be told.
 *
 * One lock for all watches. Nothing that may wait for user memory is done with it
 * held, so that a reader cannot keep the meters from going on.
 */
#include <linux/bitmap.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/slab.h>

#include "board.h"
#include "caller.h"
#include "watch.h"

/* Entries of a meter stand one behind the other: their number is a good hash. */
#define BUCKETS 256

/**
 * struct watch - a bound of somebody's
 * @of_entry: in @bucket
 * @of_watcher: in @watcher's list
 * @watcher: whose it is
 * @what: the bound
 * @state: where the value is
 */
struct watch {
	struct hlist_node of_entry;
	struct list_head of_watcher;
	struct rcr_watcher *watcher;
	struct rcr_watch what;
	struct rcr_crossing_state state;
};

static struct hlist_head bucket[BUCKETS];
static unsigned int watches;
static LIST_HEAD(watchers);		/* those with watches */
static DEFINE_MUTEX(watch_lock);

/* Which entries are watched; written with the lock held, read without. */
static unsigned long *watched;

/**
 * rcr_watch_init() - before the first watch and the first tick
 * @entries: of the board
 *
 * Return: 0 or -ENOMEM.
 */
int rcr_watch_init(unsigned int entries)
{
	watched = bitmap_zalloc(entries, GFP_KERNEL);
	return watched ? 0 : -ENOMEM;
}

/* After the last watch and the last tick. */
void rcr_watch_exit(void)
{
	bitmap_free(watched);
	watched = NULL;
}

/**
 * rcr_watcher_open() - prepares a watcher of the calling task
 * @w: the watcher
 * @fired: see struct rcr_watcher
 */
void rcr_watcher_open(struct rcr_watcher *w,
		      void (*fired)(struct rcr_watcher *w, const struct rcr_crossing *c))
{
	memset(w, 0, sizeof(*w));
	INIT_LIST_HEAD(&w->watches);
	w->user = rcr_caller_user();
	w->may_trigger = rcr_caller_is_admin();
	spin_lock_init(&w->lock);
	init_waitqueue_head(&w->wait);
	w->fired = fired;
}

/* Is that entry still the meter's that it was found as? With the lock held. */
static int check_entry(const struct rcr_watch *what)
{
	u32 serial = rcr_board_serial(what->entry);

	if (!serial)
		return -ENOENT;
	return serial == what->serial ? 0 : -ESTALE;
}

/* Room for one more watch of that user? With the lock held. */
static bool has_room(kuid_t user)
{
	const struct rcr_watcher *w;
	unsigned int of_user = 0;

	list_for_each_entry(w, &watchers, node)
		if (uid_eq(w->user, user))
			of_user += w->count;
	return watches < RCR_WATCHES_ALL && of_user < RCR_WATCHES_OF_USER;
}

/* With the lock held. */
static void link_watch(struct watch *new, struct rcr_watcher *w)
{
	new->watcher = w;
	if (!w->count)
		list_add_tail(&w->node, &watchers);
	set_bit(new->what.entry, watched);
	hlist_add_head(&new->of_entry, &bucket[new->what.entry % BUCKETS]);
	list_add_tail(&new->of_watcher, &w->watches);
	WRITE_ONCE(w->count, w->count + 1);
	watches++;
}

static bool has_watch(u32 entry)
{
	const struct watch *at;

	hlist_for_each_entry(at, &bucket[entry % BUCKETS], of_entry)
		if (at->what.entry == entry)
			return true;
	return false;
}

static void free_watch(struct watch *old)
{
	struct rcr_watcher *w = old->watcher;

	hlist_del(&old->of_entry);
	list_del(&old->of_watcher);
	if (!has_watch(old->what.entry))
		clear_bit(old->what.entry, watched);
	WRITE_ONCE(w->count, w->count - 1);
	if (!w->count)
		list_del(&w->node);
	watches--;
	kfree(old);
}

/**
 * rcr_watcher_add() - watches one more bound
 * @w: who does
 * @what: the bound
 *
 * Whoever removes a meter takes its serial number away before rcr_watch_gone(): a
 * watch is either refused here or told there.
 *
 * Context: may sleep.
 * Return: 0; -EINVAL, -ENOENT no such entry, -ESTALE it is another meter's, -ENOSPC
 * too many watches, of the watcher, its user, or all, -ENOMEM.
 */
int rcr_watcher_add(struct rcr_watcher *w, const struct rcr_watch *what)
{
	struct watch *new;
	int err = rcr_crossing_check(what);

	if (err)
		return err;
	new = kzalloc(sizeof(*new), GFP_KERNEL_ACCOUNT);
	if (!new)
		return -ENOMEM;
	new->what = *what;
	mutex_lock(&watch_lock);
	if (w->count >= RCR_WATCHES_MAX || !has_room(w->user))
		err = -ENOSPC;
	else
		err = check_entry(what);
	if (!err)
		link_watch(new, w);
	mutex_unlock(&watch_lock);
	if (err)
		kfree(new);
	return err;
}

/* When it returns nobody is told anything any more. */
void rcr_watcher_close(struct rcr_watcher *w)
{
	struct watch *old, *next;

	mutex_lock(&watch_lock);
	list_for_each_entry_safe(old, next, &w->watches, of_watcher)
		free_watch(old);
	mutex_unlock(&watch_lock);
}

/**
 * rcr_watcher_peek() - the crossing that is to be read next
 * @w: who watches; one reader at a time
 * @c: gets it
 * @number: gets what rcr_watcher_drop() wants once it is read
 *
 * That a meter is gone comes after its crossings: once, while there are others to be
 * watched, and for ever when there are none.
 *
 * Return: 1 with a crossing, 0 there is none yet, -ESTALE a meter is gone,
 * -EINVAL nothing is watched.
 */
int rcr_watcher_peek(struct rcr_watcher *w, struct rcr_crossing *c, u64 *number)
{
	bool others = READ_ONCE(w->count);
	int ret = others ? 0 : -EINVAL;

	spin_lock(&w->lock);
	if (rcr_crossing_peek(&w->queue, c, number)) {
		ret = 1;
	} else if (w->gone) {
		w->gone = !others;
		ret = -ESTALE;
	}
	spin_unlock(&w->lock);
	return ret;
}

/* The crossing of that number has been read. */
void rcr_watcher_drop(struct rcr_watcher *w, u64 number)
{
	spin_lock(&w->lock);
	rcr_crossing_drop(&w->queue, number);
	spin_unlock(&w->lock);
}

/* EPOLLIN: a crossing can be read. EPOLLERR: a meter is gone. */
__poll_t rcr_watcher_ready(struct rcr_watcher *w)
{
	__poll_t ready = 0;

	spin_lock(&w->lock);
	if (w->queue.next != w->queue.written)
		ready |= EPOLLIN | EPOLLRDNORM;
	if (w->gone)
		ready |= EPOLLERR;
	spin_unlock(&w->lock);
	return ready;
}

/**
 * rcr_watch_is_on() - is that entry watched?
 * @entry: its number
 *
 * Without a lock, to spare the evaluation of entries that nobody watches: a watch that
 * is added meanwhile sees the next tick.
 */
bool rcr_watch_is_on(u32 entry)
{
	return test_bit(entry, watched);
}

static void fire(struct watch *at, s64 value, u64 time)
{
	struct rcr_watcher *w = at->watcher;
	struct rcr_crossing c = {
		.size = sizeof(c),
		.cookie = at->what.cookie,
		.count = at->state.count,
		.time = time,
		.value = value,
	};

	if (w->fired) {
		w->fired(w, &c);
		return;
	}
	spin_lock(&w->lock);
	rcr_crossing_push(&w->queue, &c);
	spin_unlock(&w->lock);
	wake_up_interruptible_poll(&w->wait, EPOLLIN | EPOLLRDNORM);
}

/**
 * rcr_watch_see() - a tick of an entry
 * @entry: its number
 * @serial: of its meter
 * @value: by enum rcr_time_type
 * @ok: they are values; false: there are none at this tick
 * @time: the tick, CLOCK_MONOTONIC, ns; later than that of the call before
 *
 * Context: may sleep.
 * Return: was a bound crossed that may trigger the flight recorder?
 */
bool rcr_watch_see(u32 entry, u32 serial, const s64 value[4], bool ok, u64 time)
{
	struct watch *at;
	bool crossed = false;

	mutex_lock(&watch_lock);
	hlist_for_each_entry(at, &bucket[entry % BUCKETS], of_entry) {
		if (at->what.entry != entry || at->what.serial != serial)
			continue;
		if (!ok) {
			rcr_crossing_absent(&at->state);
		} else if (rcr_crossing_see(&at->state, &at->what,
					    value[at->what.type], time)) {
			fire(at, value[at->what.type], time);
			crossed |= at->watcher->may_trigger;
		}
	}
	mutex_unlock(&watch_lock);
	return crossed;
}

static void tell_gone(struct rcr_watcher *w)
{
	spin_lock(&w->lock);
	w->gone = true;
	spin_unlock(&w->lock);
	wake_up_interruptible_poll(&w->wait, EPOLLERR);
}

/**
 * rcr_watch_gone() - an entry's meter was removed
 * @entry: its number; its serial number is taken away already
 *
 * Context: may sleep.
 */
void rcr_watch_gone(u32 entry)
{
	struct hlist_node *next;
	struct rcr_watcher *w;
	struct watch *at;

	mutex_lock(&watch_lock);
	hlist_for_each_entry_safe(at, next, &bucket[entry % BUCKETS], of_entry) {
		if (at->what.entry != entry)
			continue;
		w = at->watcher;
		free_watch(at);
		tell_gone(w);
	}
	mutex_unlock(&watch_lock);
}
