// SPDX-License-Identifier: GPL-2.0-only
/*
 * watch.c - wakes watchers when a meter crosses a bound.
 *
 * The worker evaluates each watch every quarter of its window; that of a posted meter is
 * evaluated when a value is posted. Accesses to user memory, which may sleep, are made without
 * rcr_meters_lock, so that no reader can delay an evaluation.
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

/* The entries of a meter are adjacent: the number of the entry is a good hash. */
#define BUCKETS		256

#define SHORTEST_WINDOW	(10ull * NSEC_PER_MSEC)

/**
 * struct watch - a watched bound
 * @duty: work item of the worker; not started for a posted meter
 * @of_entry: in @bucket
 * @of_watcher: in @watcher's list
 * @watcher: the watcher to wake
 * @what: the bound
 * @number: number of the meter
 * @place: number of the instance
 * @bound: @bound of the meter when @window was allocated
 * @window: window of the value
 * @state: position of the value
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

/* All of these under rcr_meters_lock. */
static struct hlist_head bucket[BUCKETS];
static unsigned int watches;
static LIST_HEAD(watchers);		/* with at least one watch */

/* Initialize a watcher of the calling task. */
void rcr_watcher_open(struct rcr_watcher *w)
{
	memset(w, 0, sizeof(*w));
	INIT_LIST_HEAD(&w->watches);
	w->user = rcr_caller_user();
	spin_lock_init(&w->lock);
	init_waitqueue_head(&w->wait);
}

/* Is the number below the limit of the user? */
static bool has_room(kuid_t user)
{
	const struct rcr_watcher *w;
	unsigned int of_user = 0;

	list_for_each_entry(w, &watchers, node)
		if (uid_eq(w->user, user))
			of_user += w->count;
	return watches < RCR_WATCHES_ALL && of_user < RCR_WATCHES_OF_USER;
}

static struct rcr_meter *meter_of(const struct watch *at)
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

/* Evaluate the meter at the place; a value that is not OK does not count. */
static void see_value(struct watch *at, s64 val, u32 status, u64 time)
{
	struct rcr_crossing c = {
		.size = sizeof(c), .cookie = at->what.cookie, .time = time, .value = val,
	};

	if (status != RCR_STATUS_OK) {
		rcr_crossing_absent(&at->state);
		return;
	}
	if (!rcr_crossing_see(&at->state, &at->what, val, time))
		return;
	c.count = at->state.count;
	queue_crossing(at->watcher, &c);
}

static u64 quarter_of(const struct watch *at, const struct rcr_meter *m)
{
	u64 window = at->what.window_ns ?: div_u64(m->spec.scale, RCR_SCALE_PARTS);

	window = max3(window, SHORTEST_WINDOW, 2 * rcr_pass_period());
	return window / RCR_WINDOW_QUARTERS;
}

/*
 * Make the window fit the present binding. Its memory is charged to the watcher; only if a place
 * has more CPUs than before the worker allocates it again. False: no memory.
 */
static bool has_window(struct watch *at, const struct rcr_meter *m, const struct rcr_view *v)
{
	if (at->window.lanes && at->bound == m->bound)
		return true;
	at->bound = m->bound;
	if (rcr_window_restart(&at->window, &m->binding, v))
		return true;
	rcr_window_free(&at->window);
	return !rcr_window_init(&at->window, &m->binding, v);
}

/* Is the meter live, with a window? */
static bool is_counted(const struct watch *at, const struct rcr_meter *m)
{
	return rcr_meter_is_counted(m) && at->place < m->instances &&
	       rcr_groups_get(m->instance[at->place].place)->lanes;
}

static int make_window(struct watch *at)
{
	struct rcr_meter *m = meter_of(at);
	bool made;

	if (!is_counted(at, m))
		return 0;
	rcr_pass_begin();
	made = has_window(at, m, rcr_pass_view(m, at->place));
	rcr_pass_end();
	return made ? 0 : -ENOMEM;
}

static u64 watch_interval(const struct rcr_duty *d)
{
	const struct watch *at = container_of(d, struct watch, duty);
	const struct rcr_meter *m = meter_of(at);

	return m ? quarter_of(at, m) : NSEC_PER_SEC;
}

static void run_watch(struct rcr_duty *d)
{
	struct watch *at = container_of(d, struct watch, duty);
	struct rcr_meter *m = meter_of(at);
	const struct rcr_view *v;
	s64 val = 0;
	u32 status;

	if (!m)
		return;
	if (!is_counted(at, m)) {
		rcr_crossing_absent(&at->state);
		return;
	}
	v = rcr_pass_view(m, at->place);
	if (!has_window(at, m, v)) {
		rcr_crossing_absent(&at->state);
		return;
	}
	rcr_window_add(&at->window, &m->binding, v);
	status = rcr_window_value(&at->window, &m->binding, v, rcr_pass_workspace(),
				  &val);
	see_value(at, val, status, v->time);
}

static void link_watch(struct watch *at, struct rcr_watcher *w)
{
	const struct rcr_meter *m = meter_of(at);

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

/* Does the entry still belong to the meter that it was found for? */
static int find_entry(struct watch *at)
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
 * rcr_watcher_add() - watches one more bound
 * @w: the watcher
 * @what: the bound
 *
 * The serial of a removed meter is invalidated before its watches end, so a watch that is added
 * meanwhile is either refused here or ended there.
 *
 * Context: may sleep.
 * Return: 0; -EINVAL, -ENOENT no such entry, -ESTALE it belongs to another meter, -ENOSPC
 * too many watches, of the watcher, its user, or all, -ENOMEM.
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
	if (w->count >= RCR_WATCHES_MAX || !has_room(w->user))
		err = -ENOSPC;
	else
		err = find_entry(at) ?: make_window(at);
	if (!err) {
		link_watch(at, w);
		rcr_worker_beat();
	}
	mutex_unlock(&rcr_meters_lock);
	if (err) {
		rcr_window_free(&at->window);
		kfree(at);
	}
	return err;
}

/* End all watches: when it returns the watcher is not woken any more. May sleep. */
void rcr_watcher_close(struct rcr_watcher *w)
{
	struct watch *old, *next;

	mutex_lock(&rcr_meters_lock);
	list_for_each_entry_safe(old, next, &w->watches, of_watcher)
		free_watch(old);
	mutex_unlock(&rcr_meters_lock);
}

/**
 * rcr_watcher_peek() - copies the next crossing
 * @w: the watcher; one reader at a time
 * @c: filled in
 * @number: argument of rcr_watcher_drop() once it has been read
 *
 * A removed meter is reported after its crossings: once while other meters are watched, and
 * always if there are none.
 *
 * Return: 1 with a crossing, 0 there is none yet, -ESTALE a meter was removed,
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

/* Crossing @number has been read. */
void rcr_watcher_drop(struct rcr_watcher *w, u64 number)
{
	spin_lock(&w->lock);
	rcr_crossing_drop(&w->queue, number);
	spin_unlock(&w->lock);
}

/* EPOLLIN: a crossing can be read. EPOLLERR: a meter was removed. */
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

/* Notifier: meters were added or removed. End the watches of removed ones. */
static int end_watches(struct notifier_block *block, unsigned long unused, void *none)
{
	struct hlist_node *next;
	struct rcr_watcher *w;
	struct watch *at;
	unsigned int i;

	mutex_lock(&rcr_meters_lock);
	for (i = 0; i < BUCKETS; i++)
		hlist_for_each_entry_safe(at, next, &bucket[i], of_entry) {
			if (meter_of(at))
				continue;
			w = at->watcher;
			free_watch(at);
			report_gone(w);
		}
	mutex_unlock(&rcr_meters_lock);
	return NOTIFY_OK;
}

static struct notifier_block meters_listener = { .notifier_call = end_watches };

static void see_posted(const struct rcr_meter *m, unsigned int place, s64 val, u32 status,
		       u64 time)
{
	u32 entry = rcr_board_first_entry(m->number) + place;
	struct watch *at;

	hlist_for_each_entry(at, &bucket[entry % BUCKETS], of_entry)
		if (at->what.entry == entry && at->what.serial == m->serial)
			see_value(at, val, status, time);
}

/* Without a new value the entry keeps the latest one, with the new status. */
static void set_status(const struct rcr_meter *m, u32 entry, u32 status, u64 now,
		       struct rcr_board_value *v)
{
	if (rcr_board_look(entry, m->serial, v))
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
		set_status(m, entry, status, now, &v);
	v.tsc = rdtsc();
	rcr_limits_judge(&i->limits, &v);
	rcr_board_write(entry, &v);
	see_posted(m, place, val, status, now);
	return 0;
}

/**
 * rcr_meters_post() - posts a value of a meter
 * @name: name of the meter
 * @place: number of the instance, from 0
 * @val: value in its unit x 10^-digits
 * @status: RCR_STATUS_OK, or the reason for which there is no value: @val is ignored then
 * @f: filled in on failure
 *
 * Context: may sleep.
 * Return: 0; -ENOENT, -EPERM the meter is computed, -ENXIO no such place.
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

/* Periods may have changed. The meters are bound already: their notifier is called first. */
static int follow_run(struct notifier_block *block, unsigned long unused, void *run)
{
	mutex_lock(&rcr_meters_lock);
	rcr_duties_requeue();
	rcr_worker_beat();
	mutex_unlock(&rcr_meters_lock);
	return NOTIFY_OK;
}

static struct notifier_block run_listener = { .notifier_call = follow_run };

/* Context: may sleep, after rcr_meters_init(). Return: 0 or -ENOMEM. */
int rcr_watches_init(void)
{
	int err = rcr_worker_init();

	if (err)
		return err;
	blocking_notifier_chain_register(&rcr_meters_chain, &meters_listener);
	rcr_run_register_notifier(&run_listener);
	return 0;
}

/* Context: no watcher and no subscriber is left; may sleep. */
void rcr_watches_exit(void)
{
	rcr_run_unregister_notifier(&run_listener);
	blocking_notifier_chain_unregister(&rcr_meters_chain, &meters_listener);
	rcr_worker_exit();
}
