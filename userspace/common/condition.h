/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * condition.h - when a meter crosses a bound, in words:
 *
 *	METER > BOUND [over TIME] [for TIME] [below BOUND]
 *	METER < BOUND [over TIME] [for TIME] [above BOUND]
 */
#ifndef COMMON_CONDITION_H
#define COMMON_CONDITION_H

#include "quantity.h"

/**
 * struct condition - a bound of a meter
 * @meter: its name or number
 * @is_below: it is crossed downwards
 * @bound: it is
 * @window_ns: over how much time the value is; 0: the module's choice
 * @hold_ns: how long the value must be beyond the bound
 * @has_back: @back is given
 * @back: where the value has to have been before it is crossed again
 */
struct condition {
	char meter[RCR_METER_NAME_LEN];
	bool is_below;
	struct quantity bound;
	uint64_t window_ns;
	uint64_t hold_ns;
	bool has_back;
	struct quantity back;
};

/* Reads it; -1 with the reason. */
int condition_parse(const char *text, struct condition *c, struct why *why);

/* The watch that it is for a meter with values of @scale; -1 with the reason. */
int condition_watch(const struct condition *c, const struct quantity_scale *scale,
		    struct rcr_watch *watch, struct why *why);

#endif
