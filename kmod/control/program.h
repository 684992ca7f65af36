/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * program.h - programs a set of events on all CPUs.
 */
#ifndef RCR_PROGRAM_H
#define RCR_PROGRAM_H

#include <linux/types.h>
#include "pmu/event.h"
#include "error.h"

#define RCR_ALL_NEW	~0u

/**
 * struct rcr_plan - a set to be programmed
 * @event: the events
 * @count: number of events
 * @generation: its generation
 * @period: sampling period, ns
 * @restores: the set was programmed before: do not wait for work items on each CPU, and an event
 *	without a counter is busy until there is one
 * @spare: general counters of each core that stay free; 0: as the module parameter says
 * @is_default: it is the family's default set, see struct rcr_counter_set
 * @only: the one event that is replaced; all others continue untouched, or the plan fails.
 *	RCR_ALL_NEW: others may move
 * @instead: the event that replaces it
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
