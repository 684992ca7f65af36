/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * flight.h - keeps the last seconds before something happened.
 */
#ifndef RCR_FLIGHT_H
#define RCR_FLIGHT_H

#include <linux/types.h>
#include <linux/rcrtool.h>
#include "failure.h"

struct rcr_excerpt;

/* What happened: bits of a mask, enum rcr_trigger of <linux/rcrtool.h>. */
enum rcr_flight_cause {
	RCR_FLIGHT_MARK		= RCR_TRIGGER_MARK,
	RCR_FLIGHT_OOM		= RCR_TRIGGER_OOM,
	RCR_FLIGHT_CROSSING	= RCR_TRIGGER_CROSSING,
};

/**
 * struct rcr_flight_state - how the recorder fares
 * @length: of a window, ns; 0: it is off
 * @causes: mask of enum rcr_flight_cause
 * @bytes: memory that a window takes; 0 when there is none
 * @missed: triggers after the one whose window is kept
 * @failure: why it cannot record, if it cannot
 * @kept: there is a window to be read
 * @fetched: somebody has read it
 * @kept_bytes: its size
 * @cause: text of its trigger
 */
struct rcr_flight_state {
	u64 length;
	u32 causes;
	u64 bytes;
	u64 missed;
	struct rcr_failure failure;
	bool kept;
	bool fetched;
	u64 kept_bytes;
	char cause[RCR_MARK_LEN];
};

int rcr_flight_init(void);
void rcr_flight_exit(void);

int rcr_flight_arm(u64 length, u32 causes, struct rcr_failure *f);
void rcr_flight_disarm(void);
void rcr_flight_look(struct rcr_flight_state *state);
void rcr_flight_trigger(enum rcr_flight_cause cause, const char *text);

struct rcr_excerpt *rcr_flight_open(void);
void rcr_flight_fetched(struct rcr_excerpt *e);

#endif
