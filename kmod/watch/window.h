/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * window.h - the window of a watch: counts of a place's CPUs in the last four quarters.
 */
#ifndef RCR_WINDOW_H
#define RCR_WINDOW_H

#include <linux/types.h>

#include "meter/value.h"

#define RCR_WINDOW_QUARTERS	4

/**
 * struct rcr_window_end - the sample of a CPU that ends the last quarter
 * @time: time of the sample, CLOCK_MONOTONIC, ns; 0: no sample yet
 * @tsc: TSC of the sample
 * @slow_tsc: TSC at which the slow counters were read
 * @changes: as in struct rcr_record
 * @ok: bit n: operand n was RCR_STATUS_OK
 */
struct rcr_window_end {
	u64 time;
	u64 tsc;
	u64 slow_tsc;
	u64 changes;
	u64 ok;
};

/**
 * struct rcr_window - the window of a watch; callers serialize
 * @lanes: number of CPUs of the place; 0: not allocated
 * @operands: number of operands of the formula
 * @quarter: number of quarters since the window was started
 * @begun: @end is valid
 * @time: time of the newest sample at the end of each quarter, CLOCK_MONOTONIC, ns, by
 *	@quarter % (RCR_WINDOW_QUARTERS + 1)
 * @end: end of the last quarter, by lane
 * @value: totals at @end, by lane and operand
 * @cell: by quarter and lane: the count of each operand, then the counted time of each, TSC
 *	cycles
 * @whole: duration of the quarter, TSC cycles, by quarter and lane
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
