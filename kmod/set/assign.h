/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * assign.h - which counter gets which event.
 */
#ifndef RCR_ASSIGN_H
#define RCR_ASSIGN_H

#include <linux/types.h>

/**
 * struct rcr_need - what an event needs of the counters
 * @allowed: counters that can count it, bit n for counter n
 * @pair: it takes the counter above it, too
 */
struct rcr_need {
	u32 allowed;
	bool pair;
};

int rcr_place(const struct rcr_need *need, unsigned int events, u8 *counter);

#endif
