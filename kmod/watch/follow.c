// SPDX-License-Identifier: GPL-2.0-only
/*
 * follow.c - calls interfaces that have a file for each meter.
 *
 * Notifications may be late or out of order, so a follower compares what it shows with the
 * present list. A name may have moved to another meter meanwhile: all files of removed meters
 * are removed before new ones are created.
 */
#include <linux/container_of.h>
#include <linux/string.h>

#include "meter/meter.h"
#include "watch.h"

/* A snapshot of the list: no two meters in it have the same name. */
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
static void take_down_meter(struct rcr_meters_follower *f, unsigned int number)
{
	f->take_down(number);
	f->shown[number] = 0;
}

static void update_follower(struct rcr_meters_follower *f)
{
	unsigned int i;

	mutex_lock(&f->lock);
	read_meters(f);
	for (i = 0; i < RCR_METERS_MAX; i++)
		if (f->shown[i] && f->shown[i] != f->now[i].serial)
			take_down_meter(f, i);
	for (i = 0; i < RCR_METERS_MAX; i++) {
		if (f->shown[i] || !f->now[i].serial)
			continue;
		f->put_up(i, f->now[i].serial, f->now[i].name);
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
 * rcr_meters_follow() - registers a follower: it shows all present and future meters
 * @f: the follower, with its functions set
 *
 * When a meter has been added or removed, its files have been as well.
 *
 * Context: may sleep; meters may be added and removed meanwhile.
 */
void rcr_meters_follow(struct rcr_meters_follower *f)
{
	mutex_init(&f->lock);
	memset(f->shown, 0, sizeof(f->shown));
	f->block.notifier_call = follow_meters;
	blocking_notifier_chain_register(&rcr_meters_chain, &f->block);
	update_follower(f);
}

/* Unregister a follower, and remove all its files. Meters may change meanwhile. May sleep. */
void rcr_meters_unfollow(struct rcr_meters_follower *f)
{
	unsigned int i;

	blocking_notifier_chain_unregister(&rcr_meters_chain, &f->block);
	mutex_lock(&f->lock);
	for (i = 0; i < RCR_METERS_MAX; i++)
		if (f->shown[i])
			take_down_meter(f, i);
	mutex_unlock(&f->lock);
}
