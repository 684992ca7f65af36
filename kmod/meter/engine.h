/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * engine.h - reads the rings as they fill, and keeps all meters up to date.
 */
#ifndef RCR_ENGINE_H
#define RCR_ENGINE_H

#include <linux/types.h>

struct rcr_run;

/**
 * struct rcr_engine_state - for people
 * @rounds: how often it looked at the rings
 * @ticks: that it has accounted
 * @lost: records that were overwritten before it came to them
 * @cycles: that it took, of the TSC
 */
struct rcr_engine_state {
	u64 rounds;
	u64 ticks;
	u64 lost;
	u64 cycles;
};

int rcr_engine_init(u32 board_period_us);
void rcr_engine_exit(void);
const struct rcr_run *rcr_engine_run(void);
void rcr_engine_begin_meter(unsigned int number);
void rcr_engine_refresh(void);
void rcr_engine_catch_up(void);
void rcr_engine_attend(void);
void rcr_engine_leave(void);
void rcr_engine_look(struct rcr_engine_state *state);

#endif
