// SPDX-License-Identifier: GPL-2.0-only
/*
 * engine.c - a reader of all rings, in the kernel: follows the samples of every CPU
 * tick by tick, accounts them in the meters, and has the blackboard refreshed while
 * somebody reads it.
 *
 * Nothing of it runs in the sampler's interrupt, but in work that sets the time of the
 * next, on its own CPU, that of the load of the module. While somebody reads the board
 * that is by a timer of high resolution. While nobody does, the work comes with the
 * kernel's own tick: one that finds a CPU at work has the scheduler interrupt another
 * one to look after the load, so the work shall be done before the next. A tick
 * is accounted when every CPU has told it; a CPU that is silent is waited for
 * some time, one that is not sampled not at all. What comes later than that is in
 * the windows, but in no tick.
 */
#include <linux/atomic.h>
#include <linux/hrtimer.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include <asm/tsc.h>

#include "board.h"
#include "compat/compat.h"
#include "ring/run.h"
#include "alarm.h"
#include "engine.h"
#include "evaluate.h"
#include "groups.h"
#include "meters.h"
#include "publish.h"
#include "watch.h"

/* How long a CPU is waited for that should have told a tick. */
#define PATIENCE_NS	(250 * NSEC_PER_MSEC)

/* When nothing is sampled: how often to see whether something is. */
#define IDLE_NS		(50 * NSEC_PER_MSEC)

/* While nobody reads: how often to account, while the rings have it all. */
#define UNREAD_NS	(20 * NSEC_PER_MSEC)
#define UNREAD_RING	4		/* in that part of a ring's time at the latest */

/* A round ends after that long, and the next one goes on. */
#define ROUND_MS	50

#define STALE_NS	((u64)NSEC_PER_SEC)

static struct hrtimer timer;
static struct workqueue_struct *queue;
static struct delayed_work work;
static u64 interval;			/* from round to round, ns */
static atomic_t readers;		/* who wants the board to be up to date */
static u64 board_period;		/* as it was asked for, ns */

/* All of this under rcr_meters_lock. */
static struct rcr_run *run;
static struct rcr_feed_layout layout;
static struct rcr_feed *feeds;		/* by lane */
static bool *present;			/* by lane */
static struct rcr_record *record;
static struct rcr_scratch scratch;
static struct rcr_span span;		/* the ticks that come next */
static struct rcr_span done;		/* those accounted last */
static bool begun;			/* a tick of this run has been accounted */
static bool behind;			/* what is accounted is not on the board yet */
static bool more;			/* the rings have more than one round takes */
static bool stopped;
static struct rcr_engine_state state;
static u64 round_began;			/* TSC */
static u64 round_time;			/* CLOCK_MONOTONIC, ns */

static u64 tsc_hz(void)
{
	return (u64)tsc_khz * 1000;
}

static struct rcr_ring *ring_of(unsigned int lane)
{
	return run->ring[rcr_groups_cpu(lane)].ring;
}

/* The next sample of a lane makes its next step. Is there one? */
static bool advance(unsigned int lane)
{
	struct rcr_feed *f = &feeds[lane];
	struct rcr_ring *ring = ring_of(lane);
	u64 oldest;

	for (;;) {
		switch (rcr_ring_read(ring, f->position, (u64 *)record)) {
		case RCR_RING_EMPTY:
			return false;
		case RCR_RING_LOST:
			oldest = rcr_ring_oldest(ring);
			state.lost += oldest - f->position;
			f->position = oldest;
			continue;
		case RCR_RING_RECORD:
			break;
		}
		f->position++;
		if (record->item.type == RCR_ITEM_SAMPLE &&
		    rcr_feed_take(f, &layout, record))
			break;
	}
	return true;
}

/* Need nobody wait for this CPU's next sample? */
static bool is_given_up(unsigned int lane, u64 newest)
{
	u64 next = rcr_ring_next(ring_of(lane));

	return next == RCR_RING_NEVER ||
	       (s64)(round_time - max(next, newest)) > (s64)PATIENCE_NS;
}

/* Has the lane a step that reaches to @tick? */
static bool reaches(unsigned int lane, u64 tick)
{
	struct rcr_feed *f = &feeds[lane];

	while (!f->stepped || f->step.to < tick)
		if (!advance(lane))
			return false;
	return true;
}

/* The first tick that any CPU tells. False: none does yet. */
static bool find_beginning(u64 *tick)
{
	unsigned int lane;
	bool found = false;

	for (lane = 0; lane < rcr_groups_lanes(); lane++) {
		if (!feeds[lane].stepped && !advance(lane))
			continue;
		if (!found || feeds[lane].step.from + 1 < *tick)
			*tick = feeds[lane].step.from + 1;
		found = true;
	}
	return found;
}

/* Time of @tick, by a step that reaches to it or over it. */
static u64 time_of(const struct rcr_step *s, u64 tick)
{
	return s->time - (s->to - tick) * run->timing.period;
}

static void include(const struct rcr_step *s, u64 *newest)
{
	if (s->from >= span.from) {		/* not yet */
		span.to = min(span.to, s->from);
		return;
	}
	span.to = min(span.to, s->to);
	span.tsc = max(span.tsc, s->tsc);
	*newest = s->time;
}

/*
 * The ticks from span.from on that can be accounted together: up to the end of the
 * step that ends first. False: some CPU has to be waited for, or all of them.
 */
static bool find_span(void)
{
	/* First: what a run that had ended then has not now, it never will have. */
	bool ended = smp_load_acquire(&run->ended);
	unsigned int lane, lanes = rcr_groups_lanes();
	u64 newest = 0;

	span.to = U64_MAX;
	for (lane = 0; lane < lanes; lane++) {
		const struct rcr_step *s = &feeds[lane].step;

		present[lane] = reaches(lane, span.from);
		if (!present[lane])
			continue;
		include(s, &newest);
		present[lane] = s->from < span.from;
	}
	if (!newest)
		return false;
	for (lane = 0; lane < lanes; lane++)
		if (!ended && !present[lane] && feeds[lane].step.to < span.from &&
		    !is_given_up(lane, newest))
			return false;
	for (lane = 0; lane < lanes; lane++)
		if (present[lane])
			span.time = time_of(&feeds[lane].step, span.to);
	return true;
}

/* A meter's history goes on from here, or begins. */
static void begin_window(struct rcr_meter *m)
{
	rcr_evaluate_begin(m, done.to, done.time, done.period);
}

static bool is_counted(const struct rcr_meter *m)
{
	return m && rcr_meter_is_counted(m);
}

/* Nothing of this run is accounted: that is up to the tick before its first. */
static void begin_windows(void)
{
	unsigned int i;

	done = span;
	done.to = span.from - 1;
	done.time = span.time - (span.to - done.to) * span.period;
	for (i = 0; i < RCR_METERS_MAX; i++)
		if (is_counted(rcr_meters[i]))
			begin_window(rcr_meters[i]);
	begun = true;
}

/* Whoever watches sees every tick. */
static void show_watchers(const struct rcr_meter *m)
{
	unsigned int i, entry = rcr_board_first_entry(m->number);
	struct rcr_board_value v;

	for (i = 0; i < m->instances; i++, entry++) {
		if (!rcr_watch_is_on(entry))
			continue;
		rcr_evaluate_values(m, &m->instance[i], &done, &scratch, &v);
		rcr_alarm(m, i, &v);
	}
}

static void account_span(void)
{
	unsigned int i, lane;

	done = span;
	for (i = 0; i < RCR_METERS_MAX; i++) {
		if (!is_counted(rcr_meters[i]))
			continue;
		rcr_evaluate_account(rcr_meters[i], &done, &scratch);
		show_watchers(rcr_meters[i]);
	}
	for (lane = 0; lane < rcr_groups_lanes(); lane++)
		if (present[lane])
			feeds[lane].accounted = span.to;
	state.ticks += span.to - span.from + 1;
}

/* Accounts the next span. False: there is none yet. */
static bool account_next(void)
{
	if (!begun && !find_beginning(&span.from))
		return false;
	if (!find_span())
		return false;
	if (!begun)
		begin_windows();
	account_span();
	span.from = span.to + 1;
	behind = true;
	return true;
}

/* Accounts all that can be, for as long as a round may take. Others run between spans. */
static void account(void)
{
	u64 end = round_began + (u64)tsc_khz * ROUND_MS;

	do {
		more = account_next();
		cond_resched();
	} while (more && rdtsc() < end);
}

static void publish(void)
{
	if (behind)
		rcr_publish(&done, &scratch);
	behind = false;
}

static void set_layout(void)
{
	unsigned int i;

	layout.count = run->set.count;
	layout.slow = run->set.slow;
	layout.slow_offset = rcr_run_slow_offset(run);
	layout.gauges = 0;
	for (i = 0; i < run->set.count; i++)
		if (run->set.counter[i].unit == RCR_UNIT_MILLIDEGREE)
			layout.gauges |= BIT(i);
}

/* Is anything counted, and is there room to read it into? */
static bool is_sampled(void)
{
	return record && run && !run->set.failure.error && run->set.count;
}

/*
 * No sooner than there is something new, but for seeing that another run is there; and
 * for nobody only so that nothing is lost.
 */
static u64 sampled_interval(void)
{
	u64 ns = max(board_period, min_t(u64, run->timing.period, NSEC_PER_SEC));
	u64 unread = min_t(u64, UNREAD_NS,
			   run->timing.period * run->capacity / UNREAD_RING);

	return atomic_read(&readers) ? ns : max(ns, unread);
}

static void set_interval(void)
{
	interval = is_sampled() ? sampled_interval() : IDLE_NS;
}

/*
 * Is the run that was followed over? Another one is the present one a moment before:
 * whoever left it then would leave behind what a CPU has not told.
 */
static bool is_over(const struct rcr_run *now)
{
	/* Pairs with the release of run.c: all records are there. */
	return now != run && (!is_sampled() || smp_load_acquire(&run->ended));
}

/* Room for one of the run. Without it nothing is accounted; each round tries again. */
static void make_record(void)
{
	kfree(record);
	record = kzalloc(max_t(u32, run->record_size, sizeof(*record)), GFP_KERNEL);
}

/* Goes from a run of which all has been read to the present one. */
static void follow(void)
{
	struct rcr_run *now = rcr_run_get_current();

	if (!is_over(now)) {
		rcr_run_put(now);
		return;
	}
	if (is_sampled()) {
		do
			account();
		while (more);
		publish();
	}
	rcr_run_put(run);
	run = now;
	make_record();
	memset(feeds, 0, rcr_groups_lanes() * sizeof(*feeds));
	set_layout();
	begun = false;
	span.period = run->timing.period;
	span.tsc = 0;
	rcr_meters_bind_all(run);
}

/* A round: all that the rings have, and on the board where somebody wants it there. */
static void look(bool wanted)
{
	round_began = rdtsc();
	round_time = ktime_get_ns();
	state.rounds++;
	follow();
	if (!record)
		make_record();
	rcr_meters_look_after(run, rcr_groups_update());
	set_interval();
	if (is_sampled()) {
		account();
		if (wanted)
			publish();
		rcr_board_beat(RCR_BOARD_RUNNING, interval, STALE_NS + 4 * interval);
	} else {
		rcr_board_beat(RCR_BOARD_STOPPED, interval, STALE_NS);
	}
	state.cycles += rdtsc() - round_began;
}

/*
 * One of them, never two. Of this CPU half is left to others, who run behind us: what the
 * rings have lost meanwhile is counted.
 */
static void set_next(bool wanted)
{
	u64 took = ktime_get_ns() - round_time;

	if (stopped)
		return;
	if (more || took > interval / 2) {
		hrtimer_start(&timer, ns_to_ktime(took), HRTIMER_MODE_REL_PINNED);
	} else if (!wanted && interval >= TICK_NSEC) {
		queue_delayed_work(queue, &work, nsecs_to_jiffies(interval));
	} else {
		hrtimer_forward_now(&timer, ns_to_ktime(interval));
		hrtimer_start_expires(&timer, HRTIMER_MODE_ABS_PINNED);
	}
}

static void look_at_rings(struct work_struct *unused)
{
	bool wanted = atomic_read(&readers);

	mutex_lock(&rcr_meters_lock);
	look(wanted);
	set_next(wanted);
	mutex_unlock(&rcr_meters_lock);
}

static enum hrtimer_restart time_to_look(struct hrtimer *unused)
{
	queue_delayed_work(queue, &work, 0);
	return HRTIMER_NORESTART;
}

/**
 * rcr_engine_refresh() - brings the board up to date, for one look at it
 *
 * Context: under rcr_meters_lock; may sleep.
 */
void rcr_engine_refresh(void)
{
	look(true);
}

/* As rcr_engine_refresh(), for who has not got the lock. Context: may sleep. */
void rcr_engine_catch_up(void)
{
	mutex_lock(&rcr_meters_lock);
	rcr_engine_refresh();
	mutex_unlock(&rcr_meters_lock);
}

/**
 * rcr_engine_attend() - somebody reads the board from now on
 *
 * It is up to date when this returns, and kept so until rcr_engine_leave(), once the
 * next round has come.
 *
 * Context: may sleep.
 */
void rcr_engine_attend(void)
{
	atomic_inc(&readers);
	rcr_engine_catch_up();
}

/* One reader less. Context: any. */
void rcr_engine_leave(void)
{
	atomic_dec(&readers);
}

/**
 * rcr_engine_run() - what is counted, as far as meters know
 *
 * Context: under rcr_meters_lock; may sleep.
 * Return: the present run, to which all meters are bound.
 */
const struct rcr_run *rcr_engine_run(void)
{
	follow();
	return run;
}

/* A meter has been made, or bound anew: it begins with the next tick. */
void rcr_engine_begin_meter(unsigned int number)
{
	if (begun && is_counted(rcr_meters[number]))
		begin_window(rcr_meters[number]);
}

/* Context: may sleep. */
void rcr_engine_look(struct rcr_engine_state *copy)
{
	mutex_lock(&rcr_meters_lock);
	*copy = state;
	mutex_unlock(&rcr_meters_lock);
}

static int make_room(void)
{
	unsigned int lanes = rcr_groups_lanes();

	feeds = kvcalloc(lanes, sizeof(*feeds), GFP_KERNEL);
	present = kvcalloc(lanes, sizeof(*present), GFP_KERNEL);
	if (!feeds || !present || rcr_scratch_init(&scratch, lanes))
		return -ENOMEM;
	if (rcr_watch_init(rcr_board_first_entry(RCR_METERS_MAX)))
		return -ENOMEM;
	queue = alloc_workqueue("rcrtool_meters", WQ_UNBOUND | WQ_HIGHPRI | WQ_FREEZABLE, 0);
	return queue ? 0 : -ENOMEM;
}

static void give_back(void)
{
	if (queue)
		destroy_workqueue(queue);
	rcr_watch_exit();
	rcr_scratch_free(&scratch);
	kvfree(present);
	kvfree(feeds);
}

/**
 * rcr_engine_init() - begins to keep the meters
 * @board_period_us: how often the blackboard is refreshed, at the most
 *
 * Context: may sleep; meters and board are there.
 * Return: 0 or -ENOMEM.
 */
int rcr_engine_init(u32 board_period_us)
{
	int err = make_room();

	if (err) {
		give_back();
		return err;
	}
	board_period = (u64)board_period_us * NSEC_PER_USEC;
	span.present = present;
	span.feed = feeds;
	span.tsc_hz = tsc_hz();
	INIT_DELAYED_WORK(&work, look_at_rings);
	mutex_lock(&rcr_meters_lock);
	follow();
	set_interval();
	mutex_unlock(&rcr_meters_lock);
	rcr_hrtimer_setup(&timer, time_to_look, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_PINNED);
	queue_delayed_work(queue, &work, 0);
	return 0;
}

/* Nobody looks at meters any more. May sleep. */
void rcr_engine_exit(void)
{
	mutex_lock(&rcr_meters_lock);
	stopped = true;
	mutex_unlock(&rcr_meters_lock);
	hrtimer_cancel(&timer);
	cancel_delayed_work_sync(&work);
	give_back();
	rcr_run_put(run);
	run = NULL;
	kfree(record);
	record = NULL;
}
