// SPDX-License-Identifier: GPL-2.0-only
/*
 * subscription.c - keeps entries of the blackboard up to date for mappings and perf events.
 *
 * All data is protected by rcr_meters_lock.
 */
#include <linux/errno.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "board/board.h"
#include "caller.h"
#include "meter/meter.h"
#include "watch.h"

#define DEFAULT_INTERVAL	(100ull * NSEC_PER_MSEC)
#define SHORTEST_INTERVAL	((u64)NSEC_PER_MSEC)

/* Value of subscription.place for all places of a meter. */
#define ALL_PLACES		~0u

/**
 * struct subscription - one or all entries of a meter that are kept up to date
 * @duty: periodic work item
 * @node: in rcr_subscriber.subscriptions
 * @serial: serial of the meter
 * @number: number of the meter
 * @place: index of the meter's instance, or ALL_PLACES
 * @wanted: requested interval, ns
 */
struct subscription {
	struct rcr_duty duty;
	struct list_head node;
	u32 serial;
	u32 number;
	u32 place;
	u64 wanted;
};

static LIST_HEAD(subscribers);		/* subscribers that have subscriptions */

static struct rcr_meter *subscribed_meter(const struct subscription *s)
{
	struct rcr_meter *m = rcr_meters[s->number];

	return m && m->serial == s->serial ? m : NULL;
}

static void evaluate_subscribed(const struct subscription *s)
{
	struct rcr_meter *m = subscribed_meter(s);

	if (!m)
		return;
	if (s->place == ALL_PLACES)
		rcr_pass_evaluate_all(m);
	else if (s->place < m->instances)
		rcr_pass_evaluate(m, s->place);
}

static u64 subscription_interval(const struct rcr_duty *d)
{
	const struct subscription *s = container_of(d, struct subscription, duty);

	return max3(s->wanted, SHORTEST_INTERVAL, rcr_pass_period() ?: DEFAULT_INTERVAL);
}

static void run_subscription(struct rcr_duty *d)
{
	evaluate_subscribed(container_of(d, struct subscription, duty));
}

/* Initialize a subscriber for the user of the current task. */
void rcr_subscriber_open(struct rcr_subscriber *s)
{
	memset(s, 0, sizeof(*s));
	INIT_LIST_HEAD(&s->subscriptions);
	s->user = rcr_caller_user();
}

static struct subscription *find_subscription(struct rcr_subscriber *who, u32 serial, u32 place)
{
	struct subscription *s;

	list_for_each_entry(s, &who->subscriptions, node)
		if (s->serial == serial && s->place == place)
			return s;
	return NULL;
}

static void end_subscription(struct rcr_subscriber *who, struct subscription *s)
{
	rcr_duty_stop(&s->duty);
	list_del(&s->node);
	if (!--who->count)
		list_del(&who->node);
	kfree(s);
}

/* Free subscriptions of meters that were removed. */
static void end_stale_subscriptions(struct rcr_subscriber *who)
{
	struct subscription *s, *next;

	list_for_each_entry_safe(s, next, &who->subscriptions, node)
		if (!subscribed_meter(s))
			end_subscription(who, s);
}

static void start_subscription(struct rcr_subscriber *who, struct subscription *s)
{
	struct subscription *old = find_subscription(who, s->serial, s->place);

	if (old)
		end_subscription(who, old);
	list_add(&s->node, &who->subscriptions);
	if (!who->count++)
		list_add_tail(&who->node, &subscribers);
	rcr_meters_catch_up();
	rcr_pass_begin();
	evaluate_subscribed(s);
	rcr_pass_end();
	rcr_duty_start(&s->duty, run_subscription, subscription_interval);
	rcr_worker_heartbeat();
}

/* True if the subscriber and its user may have another subscription. */
static bool is_within_limits(const struct rcr_subscriber *who)
{
	const struct rcr_subscriber *s;
	unsigned int of_user = 0;

	list_for_each_entry(s, &subscribers, node)
		if (uid_eq(s->user, who->user))
			of_user += s->count;
	return who->count < RCR_SUBSCRIPTIONS_MAX && of_user < RCR_SUBSCRIPTIONS_OF_USER;
}

/* Resolve the entry of a request to a meter and a place. */
static int resolve_entry(struct subscription *s, const struct rcr_subscription *what)
{
	u32 serial = rcr_board_serial(what->entry);

	if (!serial)
		return -ENOENT;
	if (serial != what->serial)
		return -ESTALE;
	s->serial = serial;
	s->number = rcr_board_meter_of(what->entry, &s->place);
	if (what->flags & RCR_SUBSCRIBE_METER)
		s->place = ALL_PLACES;
	return 0;
}

static int subscribe_entry(struct rcr_subscriber *who, struct subscription *s,
			   const struct rcr_subscription *what)
{
	int err = resolve_entry(s, what);

	if (err)
		return err;
	end_stale_subscriptions(who);
	if (!is_within_limits(who) && !find_subscription(who, s->serial, s->place))
		return -ENOSPC;
	start_subscription(who, s);
	return 0;
}

/**
 * rcr_subscribe() - keep entries up to date until the subscriber is closed
 * @who: the subscriber
 * @what: entry, serial, flags and interval; replaces a subscription of the same place
 *
 * The entries are up to date on return.
 *
 * Context: may sleep.
 * Return: 0; -EINVAL; -ENOENT if no meter uses the entry; -ESTALE if another meter uses it;
 * -ENOSPC if a limit is exceeded; -ENOMEM.
 */
int rcr_subscribe(struct rcr_subscriber *who, const struct rcr_subscription *what)
{
	struct subscription *s;
	int err;

	if (what->flags & ~RCR_SUBSCRIBE_METER || what->interval_ns > RCR_SCALE_MAX_NS)
		return -EINVAL;
	s = kzalloc(sizeof(*s), GFP_KERNEL_ACCOUNT);
	if (!s)
		return -ENOMEM;
	s->wanted = what->interval_ns ?: DEFAULT_INTERVAL;
	mutex_lock(&rcr_meters_lock);
	err = subscribe_entry(who, s, what);
	mutex_unlock(&rcr_meters_lock);
	if (err)
		kfree(s);
	return err;
}

/* End all subscriptions. May sleep. */
void rcr_subscriber_close(struct rcr_subscriber *who)
{
	struct subscription *s, *next;

	mutex_lock(&rcr_meters_lock);
	list_for_each_entry_safe(s, next, &who->subscriptions, node)
		end_subscription(who, s);
	mutex_unlock(&rcr_meters_lock);
}
