/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * program.h - puts a set of events on the machine, and takes it off.
 */
#ifndef RCR_PROGRAM_H
#define RCR_PROGRAM_H

#include <linux/types.h>
#include "pmu/event.h"
#include "error.h"

#define RCR_ALL_NEW	~0u

/**
 * struct rcr_plan - what is to be counted
 * @event: the events
 * @count: how many
 * @generation: that it will have
 * @period: distance of two samples, ns
 * @restores: it ran before: no CPU is asked whether it runs work items, and what finds
 *	no counter is busy, until there is one
 * @spare: general counters of each core that stay free; 0: as many as the parameters ask for
 * @is_default: it is the family's default set, see struct rcr_counter_set
 * @only: the one event that is exchanged; all others go on untouched, or nothing is
 *	changed. RCR_ALL_NEW: whatever it takes.
 * @instead: what is counted instead of that one
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
