// SPDX-License-Identifier: GPL-2.0-only
/*
 * worker.c - the worker that runs the periodic work items of subscriptions and watches. It
 * sleeps while there are none.
 *
 * The worker is unbound, has normal priority, and takes at most half of a CPU's time: items
 * that take longer than their interval are evaluated less often.
 */
#include <linux/hrtimer.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/workqueue.h>

#include "board/board.h"
#include "compat/compat.h"
#include "meter/meter.h"
#include "watch.h"

/* Protected by rcr_meters_lock, except @queue, which is constant after init. */
static struct timerqueue_head duties;
static struct workqueue_struct *queue;
static struct hrtimer timer;
static u64 rest_until;		/* earliest time of the next pass, CLOCK_MONOTONIC, ns */

static u64 first_due(void)
{
	struct timerqueue_node *first = timerqueue_getnext(&duties);

	return first ? ktime_to_ns(first->expires) : 0;
}

static void arm_timer(void)
{
	u64 due = first_due();

	if (due)
		hrtimer_start(&timer, ns_to_ktime(max(due, rest_until)), HRTIMER_MODE_ABS);
}

/* Queue at the next multiple of the interval: items of the same interval share a pass. */
static void queue_duty(struct rcr_duty *d, u64 now)
{
	u64 interval = d->interval(d), into;

	div64_u64_rem(now, interval, &into);
	d->node.expires = ns_to_ktime(now - into + interval);
	timerqueue_add(&duties, &d->node);
}

/**
 * rcr_duty_start() - start a periodic work item
 * @d: the work item
 * @run: see struct rcr_duty
 * @interval: see struct rcr_duty
 *
 * Context: under rcr_meters_lock.
 */
void rcr_duty_start(struct rcr_duty *d, void (*run)(struct rcr_duty *d),
		    u64 (*interval)(const struct rcr_duty *d))
{
	timerqueue_init(&d->node);
	d->run = run;
	d->interval = interval;
	queue_duty(d, ktime_get_ns());
	if (timerqueue_getnext(&duties) == &d->node)
		arm_timer();
}

/* Stop a periodic work item. Context: under rcr_meters_lock. */
void rcr_duty_stop(struct rcr_duty *d)
{
	timerqueue_del(&duties, &d->node);
	/* Without work items the worker must not run. */
	if (!timerqueue_getnext(&duties))
		hrtimer_try_to_cancel(&timer);
}

/* Requeue all work items after intervals have changed. Context: under rcr_meters_lock. */
void rcr_duties_requeue(void)
{
	struct timerqueue_head old = duties;
	struct timerqueue_node *first;
	u64 now = ktime_get_ns();

	timerqueue_init_head(&duties);
	while ((first = timerqueue_getnext(&old))) {
		timerqueue_del(&old, first);
		queue_duty(container_of(first, struct rcr_duty, node), now);
	}
	arm_timer();
}

/* Write the heartbeat of the blackboard. Context: under rcr_meters_lock. */
void rcr_worker_heartbeat(void)
{
	u64 due = first_due(), now = ktime_get_ns();

	rcr_board_heartbeat(rcr_pass_period() ? RCR_BOARD_RUNNING : RCR_BOARD_STOPPED,
			    due > now ? due - now : 0);
}

static void run_due(u64 now)
{
	struct timerqueue_node *first;
	struct rcr_duty *d;

	for (;;) {
		first = timerqueue_getnext(&duties);
		if (!first || ktime_to_ns(first->expires) > now)
			return;
		d = container_of(first, struct rcr_duty, node);
		timerqueue_del(&duties, first);
		d->run(d);
		queue_duty(d, now);
		cond_resched();
	}
}

static void run_pass(struct work_struct *unused)
{
	u64 began, took;

	mutex_lock(&rcr_meters_lock);
	began = ktime_get_ns();
	rcr_meters_catch_up();
	rcr_pass_begin();
	run_due(began);
	rcr_pass_end();
	rcr_worker_heartbeat();
	took = ktime_get_ns() - began;
	rest_until = began + 2 * took;
	arm_timer();
	mutex_unlock(&rcr_meters_lock);
}

static DECLARE_WORK(pass_work, run_pass);

static enum hrtimer_restart wake_worker(struct hrtimer *unused)
{
	queue_work(queue, &pass_work);
	return HRTIMER_NORESTART;
}

/* Context: may sleep. Return: 0 or -ENOMEM. */
int rcr_worker_init(void)
{
	timerqueue_init_head(&duties);
	rcr_hrtimer_setup(&timer, wake_worker, CLOCK_MONOTONIC, HRTIMER_MODE_ABS);
	queue = alloc_workqueue("rcrtool_meters", WQ_UNBOUND | WQ_FREEZABLE | WQ_SYSFS, 1);
	return queue ? 0 : -ENOMEM;
}

/* All work items are stopped. May sleep. */
void rcr_worker_exit(void)
{
	hrtimer_cancel(&timer);
	cancel_work_sync(&pass_work);
	destroy_workqueue(queue);
}
