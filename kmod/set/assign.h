/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * assign.h - assignment of events to hardware counters.
 */
#ifndef RCR_ASSIGN_H
#define RCR_ASSIGN_H

#include <linux/types.h>

/**
 * struct rcr_need - counters that an event can use
 * @allowed: bit n: counter n can count it
 * @pair: it also takes the next higher counter
 */
struct rcr_need {
	u32 allowed;
	bool pair;
};

int rcr_place(const struct rcr_need *need, unsigned int events, u8 *counter);

#endif
