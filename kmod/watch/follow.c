// SPDX-License-Identifier: GPL-2.0-only
/*
 * follow.c - has others show each meter there is, under its name.
 *
 * News may come late, or out of order: what counts is what is there now. A name may have
 * gone from one meter to another meanwhile, so all that is gone is taken down before
 * anything is put up.
 */
#include <linux/container_of.h>
#include <linux/string.h>

#include "meter/meter.h"
#include "watch.h"

/* All at one moment: no two of them have the same name. */
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

/* With the follower's lock held. */
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
 * rcr_meters_follow() - shows all meters, and those that come from now on
 * @f: who does; its functions are there
 *
 * Whoever has added a meter, or removed one, finds it shown, or taken down.
 *
 * Context: may sleep; meters may come and go meanwhile.
 */
void rcr_meters_follow(struct rcr_meters_follower *f)
{
	mutex_init(&f->lock);
	memset(f->shown, 0, sizeof(f->shown));
	f->block.notifier_call = follow_meters;
	blocking_notifier_chain_register(&rcr_meters_chain, &f->block);
	update_follower(f);
}

/* Takes all of them down. Meters may still come and go. May sleep. */
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
