/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * assign.h - assignment of events to counters.
 */
#ifndef RCR_ASSIGN_H
#define RCR_ASSIGN_H

#include <linux/types.h>

/**
 * struct rcr_need - requirements of an event
 * @allowed: counters that can count it, bit n for counter n
 * @pair: it takes the next counter, too
 */
struct rcr_need {
	u32 allowed;
	bool pair;
};

int rcr_place(const struct rcr_need *need, unsigned int events, u8 *counter);

#endif
