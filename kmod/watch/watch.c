// SPDX-License-Identifier: GPL-2.0-only
/*
 * watch.c - wakes readers when a meter crosses a bound.
 *
 * The worker evaluates each watch every quarter of its window. A watch of a posted meter is
 * evaluated when a value is posted. User memory is never accessed under rcr_meters_lock, so
 * that no reader can delay an evaluation by a page fault.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <asm/tsc.h>

#include "board/board.h"
#include "caller.h"
#include "meter/meter.h"
#include "ring/run.h"
#include "watch.h"
#include "window.h"

/* Hash by entry number, as the entries of a meter are consecutive. */
#define BUCKETS		256

#define SHORTEST_WINDOW	(10ull * NSEC_PER_MSEC)

/**
 * struct watch - a bound of a meter's value; under rcr_meters_lock
 * @duty: periodic work item; not started for a posted meter
 * @of_entry: in @bucket
 * @of_watcher: in rcr_watcher.watches
 * @watcher: the watcher to wake
 * @what: bound, entry and serial as requested
 * @number: number of the meter
 * @place: index of the meter's instance
 * @bound: rcr_meter.bound for which @window was allocated
 * @window: samples for the value
 * @state: the value relative to the bound
 */
struct watch {
	struct rcr_duty duty;
	struct hlist_node of_entry;
	struct list_head of_watcher;
	struct rcr_watcher *watcher;
	struct rcr_watch what;
	u32 number;
	u32 place;
	u32 bound;
	struct rcr_window window;
	struct rcr_crossing_state state;
};

/* Protected by rcr_meters_lock. */
static struct hlist_head bucket[BUCKETS];
static unsigned int watches;
static LIST_HEAD(watchers);		/* watchers that have watches */

/* Initialize a watcher for the user of the current task. */
void rcr_watcher_open(struct rcr_watcher *w)
{
	memset(w, 0, sizeof(*w));
	INIT_LIST_HEAD(&w->watches);
	w->user = rcr_caller_user();
	spin_lock_init(&w->lock);
	init_waitqueue_head(&w->wait);
}

/* True if the limits of all watchers and of the user permit another watch. */
static bool is_watch_allowed(kuid_t user)
{
	const struct rcr_watcher *w;
	unsigned int of_user = 0;

	list_for_each_entry(w, &watchers, node)
		if (uid_eq(w->user, user))
			of_user += w->count;
	return watches < RCR_WATCHES_ALL && of_user < RCR_WATCHES_OF_USER;
}

static struct rcr_meter *watched_meter(const struct watch *at)
{
	struct rcr_meter *m = rcr_meters[at->number];

	return m && m->serial == at->what.serial ? m : NULL;
}

static void queue_crossing(struct rcr_watcher *w, const struct rcr_crossing *c)
{
	spin_lock(&w->lock);
	rcr_crossing_push(&w->queue, c);
	spin_unlock(&w->lock);
	wake_up_interruptible_poll(&w->wait, EPOLLIN | EPOLLRDNORM);
}

/* Process a new value of a watched meter; without RCR_STATUS_OK the value is missing. */
static void process_value(struct watch *at, s64 val, u32 status, u64 time)
{
	struct rcr_crossing c = {
		.size = sizeof(c), .cookie = at->what.cookie, .time = time, .value = val,
	};

	if (status != RCR_STATUS_OK) {
		rcr_crossing_absent(&at->state);
		return;
	}
	if (!rcr_crossing_update(&at->state, &at->what, val, time))
		return;
	c.count = at->state.count;
	queue_crossing(at->watcher, &c);
}

static u64 quarter_length(const struct watch *at, const struct rcr_meter *m)
{
	u64 window = at->what.window_ns ?: div_u64(m->spec.scale, RCR_SCALE_PARTS);

	window = max3(window, SHORTEST_WINDOW, 2 * rcr_pass_period());
	return window / RCR_WINDOW_QUARTERS;
}

/*
 * Restart or reallocate the window after the meter was bound to another set. The memory is
 * charged to the watcher's task, unless the worker reallocates it because the number of CPUs
 * or operands has changed. Return: false if out of memory.
 */
static bool prepare_window(struct watch *at, const struct rcr_meter *m, const struct rcr_view *v)
{
	if (at->window.lanes && at->bound == m->bound)
		return true;
	at->bound = m->bound;
	if (rcr_window_restart(&at->window, &m->binding, v))
		return true;
	rcr_window_free(&at->window);
	return !rcr_window_init(&at->window, &m->binding, v);
}

/* True if the meter is computed now, at a place with sampled CPUs. */
static bool is_computed_now(const struct watch *at, const struct rcr_meter *m)
{
	return rcr_meter_is_counted(m) && at->place < m->instances &&
	       rcr_groups_get(m->instance[at->place].place)->lanes;
}

static int alloc_window(struct watch *at)
{
	struct rcr_meter *m = watched_meter(at);
	bool made;

	if (!is_computed_now(at, m))
		return 0;
	rcr_pass_begin();
	made = prepare_window(at, m, rcr_pass_view(m, at->place));
	rcr_pass_end();
	return made ? 0 : -ENOMEM;
}

static u64 watch_interval(const struct rcr_duty *d)
{
	const struct watch *at = container_of(d, struct watch, duty);
	const struct rcr_meter *m = watched_meter(at);

	return m ? quarter_length(at, m) : NSEC_PER_SEC;
}

static void run_watch(struct rcr_duty *d)
{
	struct watch *at = container_of(d, struct watch, duty);
	struct rcr_meter *m = watched_meter(at);
	const struct rcr_view *v;
	s64 val = 0;
	u32 status;

	if (!m)
		return;
	if (!is_computed_now(at, m)) {
		rcr_crossing_absent(&at->state);
		return;
	}
	v = rcr_pass_view(m, at->place);
	if (!prepare_window(at, m, v)) {
		rcr_crossing_absent(&at->state);
		return;
	}
	rcr_window_add(&at->window, &m->binding, v);
	status = rcr_window_value(&at->window, &m->binding, v, rcr_pass_workspace(),
				  &val);
	process_value(at, val, status, v->time);
}

static void link_watch(struct watch *at, struct rcr_watcher *w)
{
	const struct rcr_meter *m = watched_meter(at);

	at->watcher = w;
	if (!w->count)
		list_add_tail(&w->node, &watchers);
	hlist_add_head(&at->of_entry, &bucket[at->what.entry % BUCKETS]);
	list_add_tail(&at->of_watcher, &w->watches);
	WRITE_ONCE(w->count, w->count + 1);
	watches++;
	if (!rcr_meter_is_posted(m))
		rcr_duty_start(&at->duty, run_watch, watch_interval);
}

static void free_watch(struct watch *old)
{
	struct rcr_watcher *w = old->watcher;

	if (old->duty.run)
		rcr_duty_stop(&old->duty);
	hlist_del(&old->of_entry);
	list_del(&old->of_watcher);
	WRITE_ONCE(w->count, w->count - 1);
	if (!w->count)
		list_del(&w->node);
	watches--;
	rcr_window_free(&old->window);
	kfree(old);
}

/* Resolve the entry of a request to a meter and a place. */
static int resolve_watch(struct watch *at)
{
	u32 serial = rcr_board_serial(at->what.entry);

	if (!serial)
		return -ENOENT;
	if (serial != at->what.serial)
		return -ESTALE;
	at->number = rcr_board_meter_of(at->what.entry, &at->place);
	return 0;
}

/**
 * rcr_watcher_add() - watch a bound
 * @w: the watcher
 * @what: bound, entry and serial
 *
 * When a meter is removed, its serial is cleared before its watches are freed: a concurrent
 * watch is either refused here or freed there.
 *
 * Context: may sleep.
 * Return: 0; -EINVAL; -ENOENT if no meter uses the entry; -ESTALE if another meter uses it;
 * -ENOSPC for too many watches of the watcher, its user, or in total; -ENOMEM.
 */
int rcr_watcher_add(struct rcr_watcher *w, const struct rcr_watch *what)
{
	struct watch *at;
	int err = rcr_crossing_check(what);

	if (err)
		return err;
	at = kzalloc(sizeof(*at), GFP_KERNEL_ACCOUNT);
	if (!at)
		return -ENOMEM;
	at->what = *what;
	mutex_lock(&rcr_meters_lock);
	if (w->count >= RCR_WATCHES_MAX || !is_watch_allowed(w->user))
		err = -ENOSPC;
	else
		err = resolve_watch(at) ?: alloc_window(at);
	if (!err) {
		link_watch(at, w);
		rcr_worker_heartbeat();
	}
	mutex_unlock(&rcr_meters_lock);
	if (err) {
		rcr_window_free(&at->window);
		kfree(at);
	}
	return err;
}

/* Free all watches; nothing wakes the watcher afterwards. May sleep. */
void rcr_watcher_close(struct rcr_watcher *w)
{
	struct watch *old, *next;

	mutex_lock(&rcr_meters_lock);
	list_for_each_entry_safe(old, next, &w->watches, of_watcher)
		free_watch(old);
	mutex_unlock(&rcr_meters_lock);
}

/**
 * rcr_watcher_peek() - read the next crossing without removing it
 * @w: the watcher; the caller serializes readers
 * @c: output buffer
 * @number: set to the number of the crossing, for rcr_watcher_drop()
 *
 * The removal of a meter is reported after its crossings: once if watches are left, else on
 * every call.
 *
 * Return: 1 if @c is filled in; 0 if there is no crossing; -ESTALE if a watched meter was
 * removed; -EINVAL if there are no watches.
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

/* Remove the crossing @number after it was copied to the reader. */
void rcr_watcher_drop(struct rcr_watcher *w, u64 number)
{
	spin_lock(&w->lock);
	rcr_crossing_drop(&w->queue, number);
	spin_unlock(&w->lock);
}

/* Return: EPOLLIN if a crossing can be read; EPOLLERR if a watched meter was removed. */
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

static void report_gone(struct rcr_watcher *w)
{
	spin_lock(&w->lock);
	w->gone = true;
	spin_unlock(&w->lock);
	wake_up_interruptible_poll(&w->wait, EPOLLERR);
}

/* Notifier of rcr_meters_chain: free the watches of meters that were removed. */
static int end_watches(struct notifier_block *block, unsigned long unused, void *none)
{
	struct hlist_node *next;
	struct rcr_watcher *w;
	struct watch *at;
	unsigned int i;

	mutex_lock(&rcr_meters_lock);
	for (i = 0; i < BUCKETS; i++)
		hlist_for_each_entry_safe(at, next, &bucket[i], of_entry) {
			if (watched_meter(at))
				continue;
			w = at->watcher;
			free_watch(at);
			report_gone(w);
		}
	mutex_unlock(&rcr_meters_lock);
	return NOTIFY_OK;
}

static struct notifier_block meters_listener = { .notifier_call = end_watches };

static void process_posted(const struct rcr_meter *m, unsigned int place, s64 val, u32 status,
			   u64 time)
{
	u32 entry = rcr_board_first_entry(m->number) + place;
	struct watch *at;

	hlist_for_each_entry(at, &bucket[entry % BUCKETS], of_entry)
		if (at->what.entry == entry && at->what.serial == m->serial)
			process_value(at, val, status, time);
}

/* Post a status without a value: keep the values of the latest post with a value. */
static void post_status(const struct rcr_meter *m, u32 entry, u32 status, u64 now,
			struct rcr_board_value *v)
{
	if (rcr_board_load(entry, m->serial, v))
		memset(v, 0, sizeof(*v));
	v->time = now;
	v->status = status;
	v->current_status = status;
	v->utilization = 0;
	v->verdict = RCR_VERDICT_NONE;
}

static int post_value(struct rcr_meter *m, unsigned int place, s64 val, u32 status,
		      struct rcr_failure *f)
{
	u64 now = ktime_get_ns();
	struct rcr_board_value v;
	struct rcr_instance *i;
	u32 entry;

	if (!rcr_meter_is_posted(m))
		return rcr_fail_with(f, -EPERM, RCR_REASON_IS_COMPUTED, "%s", m->spec.name);
	if (place >= m->instances)
		return rcr_fail_with(f, -ENXIO, RCR_REASON_NO_PLACE, "%s%u%u", m->spec.name,
				     m->instances, place);
	i = &m->instance[place];
	entry = rcr_board_first_entry(m->number) + place;
	if (status == RCR_STATUS_OK)
		rcr_posted_add(&i->posted, m->spec.scale, val, now, &v);
	else
		post_status(m, entry, status, now, &v);
	v.tsc = rdtsc();
	rcr_limits_judge(&i->limits, &v);
	rcr_board_write(entry, &v);
	process_posted(m, place, val, status, now);
	return 0;
}

/**
 * rcr_meters_post() - write the latest value of a posted meter
 * @name: name of the meter
 * @place: index of its entry, from 0
 * @val: value in the meter's unit x 10^-digits; ignored unless @status is RCR_STATUS_OK
 * @status: RCR_STATUS_OK, or the reason why there is no value
 * @f: filled in on failure
 *
 * Context: may sleep.
 * Return: 0; -ENOENT for an unknown meter; -EPERM for a computed one; -ENXIO for an
 * unknown place.
 */
int rcr_meters_post(const char *name, unsigned int place, s64 val, u32 status,
		    struct rcr_failure *f)
{
	struct rcr_meter *m;
	int err;

	mutex_lock(&rcr_meters_lock);
	m = rcr_meters_look_up(name, f);
	err = m ? post_value(m, place, val, status, f) : -ENOENT;
	mutex_unlock(&rcr_meters_lock);
	return err;
}

/*
 * Notifier of a new run, whose period may differ. Called after the meters were bound to the run,
 * as their notifier is registered earlier.
 */
static int requeue_for_run(struct notifier_block *block, unsigned long unused, void *run)
{
	mutex_lock(&rcr_meters_lock);
	rcr_duties_requeue();
	rcr_worker_heartbeat();
	mutex_unlock(&rcr_meters_lock);
	return NOTIFY_OK;
}

static struct notifier_block run_listener = { .notifier_call = requeue_for_run };

/* Initialize watches and the worker. Context: may sleep; after rcr_meters_init(). */
int rcr_watches_init(void)
{
	int err = rcr_worker_init();

	if (err)
		return err;
	blocking_notifier_chain_register(&rcr_meters_chain, &meters_listener);
	rcr_run_register_notifier(&run_listener);
	return 0;
}

/* Undo rcr_watches_init() when all watchers and subscribers are closed. May sleep. */
void rcr_watches_exit(void)
{
	rcr_run_unregister_notifier(&run_listener);
	blocking_notifier_chain_unregister(&rcr_meters_chain, &meters_listener);
	rcr_worker_exit();
}
