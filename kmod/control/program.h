/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * program.h - programs sets of events on all sampled CPUs.
 */
#ifndef RCR_PROGRAM_H
#define RCR_PROGRAM_H

#include <linux/types.h>
#include "pmu/event.h"
#include "error.h"

#define RCR_ALL_NEW	~0u

/**
 * struct rcr_plan - a set to program
 * @event: its events
 * @count: number of events
 * @generation: generation of the set
 * @period: sampling period, ns
 * @restores: the set ran before: skip the check that each CPU runs work items, and set counters
 *	that cannot be programmed to RCR_STATUS_BUSY until they can
 * @spare: general counters of each core that stay free; 0: take the parameter spare=
 * @is_default: the family's default set, see struct rcr_counter_set
 * @only: index of the only event to replace; fail if any other counter would have to move.
 *	RCR_ALL_NEW: all counters may move
 * @instead: the event that replaces @only
 */
struct rcr_plan {
	const struct rcr_event *event;
	unsigned int count;
	u32 generation;
	u64 period;
	bool restores;
	unsigned int spare;
	bool is_default;
	unsigned int only;
	const struct rcr_event *instead;
};

void rcr_program_init(void);
void rcr_program_exit(void);
const char *rcr_program_policy(void);
unsigned int rcr_program_default(struct rcr_event *event);
unsigned int rcr_program_running(const struct rcr_event **event);
int rcr_program_find(const char *name);
bool rcr_program_counts(const struct rcr_event *e);
int rcr_program_knows(const struct rcr_event *e, struct rcr_failure *f);
int rcr_program_where(const struct rcr_event *e, u64 *counters,
		      struct rcr_failure *f);

int rcr_program_fits(const struct rcr_plan *plan, struct rcr_failure *f);
int rcr_program_set(const struct rcr_plan *plan, struct rcr_failure *f);
int rcr_program_nothing(const struct rcr_plan *plan,
			const struct rcr_failure *why);
void rcr_program_halt(u32 which, bool halted);
bool rcr_program_may_run(struct rcr_failure *f);
void rcr_program_mark(u32 kind, u16 flags, const char *text);
void rcr_program_pause(void);
int rcr_program_resume(struct rcr_failure *f);

#endif
