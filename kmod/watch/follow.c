// SPDX-License-Identifier: GPL-2.0-only
/*
 * follow.c - keeps lists of meters up to date, such as the event files of perf_pmu_sysfs.c.
 *
 * Notifications can arrive late or out of order, so each one compares the list with the current
 * meters. Another meter may have taken the name of a removed one: removed meters are hidden
 * before new ones are shown.
 */
#include <linux/container_of.h>
#include <linux/string.h>

#include "meter/meter.h"
#include "watch.h"

/* Copy all meters under one lock, so that names are unique. */
static void read_meters(struct rcr_meters_follower *f)
{
	const struct rcr_meter *m;
	unsigned int i;

	mutex_lock(&rcr_meters_lock);
	for (i = 0; i < RCR_METERS_MAX; i++) {
		m = rcr_meters[i];
		f->now[i].serial = m ? m->serial : 0;
		if (m)
			strscpy(f->now[i].name, m->spec.name, sizeof(f->now[i].name));
	}
	mutex_unlock(&rcr_meters_lock);
}

/* Context: under the follower's lock. */
static void hide_meter(struct rcr_meters_follower *f, unsigned int number)
{
	f->hide(number);
	f->shown[number] = 0;
}

static void update_follower(struct rcr_meters_follower *f)
{
	unsigned int i;

	mutex_lock(&f->lock);
	read_meters(f);
	for (i = 0; i < RCR_METERS_MAX; i++)
		if (f->shown[i] && f->shown[i] != f->now[i].serial)
			hide_meter(f, i);
	for (i = 0; i < RCR_METERS_MAX; i++) {
		if (f->shown[i] || !f->now[i].serial)
			continue;
		f->show(i, f->now[i].serial, f->now[i].name);
		f->shown[i] = f->now[i].serial;
	}
	mutex_unlock(&f->lock);
}

static int follow_meters(struct notifier_block *block, unsigned long unused, void *none)
{
	update_follower(container_of(block, struct rcr_meters_follower, block));
	return NOTIFY_OK;
}

/**
 * rcr_meters_follow() - show all meters, now and in future
 * @f: the follower, with @show and @hide set
 *
 * When adding or removing a meter returns, the meter has been shown or hidden.
 *
 * Context: may sleep; meters may be added and removed concurrently.
 */
void rcr_meters_follow(struct rcr_meters_follower *f)
{
	mutex_init(&f->lock);
	memset(f->shown, 0, sizeof(f->shown));
	f->block.notifier_call = follow_meters;
	blocking_notifier_chain_register(&rcr_meters_chain, &f->block);
	update_follower(f);
}

/* Hide all meters; meters may still be added and removed. May sleep. */
void rcr_meters_unfollow(struct rcr_meters_follower *f)
{
	unsigned int i;

	blocking_notifier_chain_unregister(&rcr_meters_chain, &f->block);
	mutex_lock(&f->lock);
	for (i = 0; i < RCR_METERS_MAX; i++)
		if (f->shown[i])
			hide_meter(f, i);
	mutex_unlock(&f->lock);
}
