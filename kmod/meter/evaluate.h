/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * evaluate.h - from steps of CPUs to the values of a meter.
 */
#ifndef RCR_EVALUATE_H
#define RCR_EVALUATE_H

#include "meter.h"

/**
 * struct rcr_span - ticks that are accounted together, for no CPU's step ends
 * between them
 * @from: the first
 * @to: the last
 * @time: of the last, CLOCK_MONOTONIC, ns
 * @period: distance of two, ns
 * @tsc: of the latest sample
 * @tsc_hz: cycles of the TSC in a second
 * @present: by lane: its step reaches over the span
 * @feed: by lane
 */
struct rcr_span {
	u64 from;
	u64 to;
	u64 time;
	u64 period;
	u64 tsc;
	u64 tsc_hz;
	const bool *present;
	const struct rcr_feed *feed;
};

/**
 * struct rcr_scratch - memory to evaluate with, for as many lanes as there are
 * @lane: of the lanes that have a part
 * @delta: their counts in a window
 * @cycles: and the times of these
 */
struct rcr_scratch {
	struct rcr_lane *lane;
	u64 *delta;
	u64 *cycles;
};

int rcr_scratch_init(struct rcr_scratch *scratch, unsigned int lanes);
void rcr_scratch_free(struct rcr_scratch *scratch);
void rcr_evaluate_begin(struct rcr_meter *m, s64 tick, u64 time, u64 period);
void rcr_evaluate_account(struct rcr_meter *m, const struct rcr_span *s,
			  struct rcr_scratch *scratch);
void rcr_evaluate_values(const struct rcr_meter *m, const struct rcr_instance *i,
			 const struct rcr_span *s, struct rcr_scratch *scratch,
			 struct rcr_board_value *v);

#endif
