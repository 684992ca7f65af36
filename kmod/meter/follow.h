/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * follow.h - who shows each meter there is, as files for example.
 */
#ifndef RCR_FOLLOW_H
#define RCR_FOLLOW_H

#include <linux/mutex.h>
#include <linux/notifier.h>

#include "meter.h"

/**
 * struct rcr_meters_follower - what somebody shows of the meters
 * @put_up: shows a meter, or leaves it
 * @take_down: undoes that; when it returns nobody looks there any more
 * @lock: held while these are called, and never by those who look
 * @shown: the serial of each meter that was put up; 0: none
 * @now: each meter that there is; a serial of 0: none
 * @block: its place in the chain
 */
struct rcr_meters_follower {
	void (*put_up)(unsigned int number, u32 serial, const char *name);
	void (*take_down)(unsigned int number);
	struct mutex lock;		/* shown, now */
	u32 shown[RCR_METERS_MAX];
	struct {
		u32 serial;
		char name[RCR_METER_NAME_LEN];
	} now[RCR_METERS_MAX];
	struct notifier_block block;
};

void rcr_meters_follow(struct rcr_meters_follower *f);
void rcr_meters_unfollow(struct rcr_meters_follower *f);

#endif
