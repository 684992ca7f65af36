/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * condition.h - parses conditions: a meter crosses a bound.
 *
 *	METER > BOUND [over TIME] [for TIME] [below BOUND]
 *	METER < BOUND [over TIME] [for TIME] [above BOUND]
 */
#ifndef COMMON_CONDITION_H
#define COMMON_CONDITION_H

#include "parse/quantity.h"

/**
 * struct condition - a bound of a meter
 * @meter: name or number of the meter
 * @is_below: the bound is crossed downwards
 * @bound: the bound
 * @window_ns: time that the value is taken over, ns; 0: the module's choice
 * @hold_ns: time that the value must stay beyond the bound, ns
 * @has_back: @back is given
 * @back: the value must come back to this before it can cross the bound again
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

/* Parses a condition; returns -1 with @why filled in on failure. */
int condition_parse(const char *text, struct condition *c, struct why *why);

/* Converts a condition to a watch of a meter; returns -1 with @why filled in on failure. */
int condition_watch(const struct condition *c, const struct quantity_scale *scale,
		    struct rcr_watch *watch, struct why *why);

#endif
