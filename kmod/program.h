/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * program.h - puts a set of events on the machine, and takes it off.
 */
#ifndef RCR_PROGRAM_H
#define RCR_PROGRAM_H

#include <linux/types.h>
#include "event.h"
#include "failure.h"

struct rcr_params;

/**
 * struct rcr_plan - what is to be counted
 * @event: the events
 * @count: how many
 * @generation: that it will have
 * @period: distance of two samples, ns
 */
struct rcr_plan {
	const struct rcr_event *event;
	unsigned int count;
	u32 generation;
	u64 period;
};

void rcr_program_init(const struct rcr_params *p);
void rcr_program_exit(void);
unsigned int rcr_program_default(struct rcr_event *event);
bool rcr_program_runs(void);

int rcr_program_set(const struct rcr_plan *plan, struct rcr_failure *f);
int rcr_program_again(const struct rcr_plan *plan, struct rcr_failure *f);
int rcr_program_nothing(const struct rcr_plan *plan,
			const struct rcr_failure *why);
void rcr_program_pause(void);
void rcr_program_resume(void);

#endif
