/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * flight.h - keeps the last seconds before something happened.
 */
#ifndef RCR_FLIGHT_H
#define RCR_FLIGHT_H

#include <linux/types.h>
#include <linux/rcrtool.h>
#include "error.h"

struct rcr_excerpt;

/**
 * struct rcr_flight_reader - an open /dev/rcrflight
 * @admin: it was opened with CAP_SYS_RAWIO: it holds its window, and reading that to the
 *	end fetches it
 * @window: number of the window that it reads, from its first read on; 0: none yet
 * @size: bytes of that window
 * @held: that window; NULL where not @admin
 */
struct rcr_flight_reader {
	bool admin;
	u64 window;
	size_t size;
	struct rcr_excerpt *held;
};

/* What happened: bits of a mask, enum rcr_trigger of <linux/rcrtool.h>. */
enum rcr_flight_cause {
	RCR_FLIGHT_MARK		= RCR_TRIGGER_MARK,
	RCR_FLIGHT_OOM		= RCR_TRIGGER_OOM,
	RCR_FLIGHT_CROSSING	= RCR_TRIGGER_CROSSING,
};

#define RCR_FLIGHT_CAUSES (RCR_FLIGHT_MARK | RCR_FLIGHT_OOM | RCR_FLIGHT_CROSSING)

/**
 * struct rcr_flight_state - how the recorder fares
 * @length: of a window, ns; 0: it is off
 * @causes: mask of enum rcr_flight_cause
 * @bytes: memory that a window takes; 0 when there is none
 * @missed: triggers after the one whose window is kept
 * @failure: why it cannot record, if it cannot
 * @kept: there is a window to be read
 * @fetched: it has been fetched, and the descriptors that held it are closed
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

void rcr_flight_open(struct rcr_flight_reader *r);
void rcr_flight_close(struct rcr_flight_reader *r);
size_t rcr_flight_size(struct rcr_flight_reader *r);
ssize_t rcr_flight_read(struct rcr_flight_reader *r, char __user *buf, size_t count,
			loff_t *pos);

#endif
