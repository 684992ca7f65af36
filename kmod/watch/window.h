/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * window.h - the window of a watch: counts of the CPUs of a place in its quarters.
 */
#ifndef RCR_WINDOW_H
#define RCR_WINDOW_H

#include <linux/types.h>

#include "meter/value.h"

#define RCR_WINDOW_QUARTERS	4

/**
 * struct rcr_window_end - end of the last quarter on a CPU
 * @time: time of that sample, CLOCK_MONOTONIC, ns; 0: there was none
 * @tsc: likewise, TSC
 * @slow_tsc: of the slow counters
 * @changes: see struct rcr_record
 * @ok: operands that were RCR_STATUS_OK
 */
struct rcr_window_end {
	u64 time;
	u64 tsc;
	u64 slow_tsc;
	u64 changes;
	u64 ok;
};

/**
 * struct rcr_window - the window of a watch
 * @lanes: number of CPUs of the place
 * @operands: of the form
 * @quarter: number of quarters so far
 * @begun: @end is valid
 * @time: newest sample at the end of each quarter, CLOCK_MONOTONIC, ns, by @quarter %
 *	(RCR_WINDOW_QUARTERS + 1)
 * @end: by lane
 * @value: values at @end, by lane and operand
 * @cell: by quarter, lane and operand: the counts, then the counted times
 * @whole: by quarter and lane: length of the quarter, TSC cycles
 */
struct rcr_window {
	unsigned int lanes;
	unsigned int operands;
	u64 quarter;
	bool begun;
	u64 time[RCR_WINDOW_QUARTERS + 1];
	struct rcr_window_end *end;
	u64 *value;
	u64 *cell;
	u64 *whole;
};

int rcr_window_init(struct rcr_window *w, const struct rcr_binding *b,
		    const struct rcr_view *v);
bool rcr_window_restart(struct rcr_window *w, const struct rcr_binding *b,
			const struct rcr_view *v);
void rcr_window_free(struct rcr_window *w);
void rcr_window_add(struct rcr_window *w, const struct rcr_binding *b,
		    const struct rcr_view *v);
u32 rcr_window_value(struct rcr_window *w, const struct rcr_binding *b,
		     const struct rcr_view *v, struct rcr_workspace *space, s64 *val);

#endif
