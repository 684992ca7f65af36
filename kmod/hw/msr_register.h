/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * msr_register.h - one counter's registers: saved, programmed, put back.
 */
#ifndef RCR_MSR_REGISTER_H
#define RCR_MSR_REGISTER_H

#include <linux/types.h>
#include "pmu/event.h"

struct rcr_failure;
struct rcr_register;

/**
 * struct rcr_saved - what a register pair held before it was ours
 * @control: the bits of the control register that belong to the counter
 * @counter: the count register
 * @global: its bits of the global control
 * @filter: its box's filters
 * @filtered: those that we have written, bit n for filter n
 * @taken: we have written it and have to put it back
 */
struct rcr_saved {
	u64 control;
	u64 counter;
	u64 global;
	u64 filter[RCR_FILTERS];
	u8 filtered;
	bool taken;
};

int rcr_register_save(const struct rcr_register *r, struct rcr_saved *saved,
		      struct rcr_failure *f);
int rcr_register_program(const struct rcr_register *r, const char *name,
			 struct rcr_saved *saved, struct rcr_failure *f);
int rcr_register_rewrite(const struct rcr_register *r, const char *name,
			 struct rcr_saved *saved, struct rcr_failure *f);
bool rcr_register_restore(const struct rcr_register *r, struct rcr_saved *saved);
void rcr_register_disable(const struct rcr_register *r);

#endif
