/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * control.h - requests that change the counter set.
 */
#ifndef RCR_CONTROL_H
#define RCR_CONTROL_H

#include <linux/notifier.h>
#include <linux/types.h>
#include "pmu/event.h"
#include "error.h"

struct cpumask;

/* A request for any generation: the caller has not read one before. */
#define RCR_ANY_GENERATION 0

/**
 * struct rcr_staged - a set that can be finalized
 * @event: its events
 * @count: number of events
 */
struct rcr_staged {
	struct rcr_event event[RCR_MAX_COUNTERS];
	unsigned int count;
};

/**
 * struct rcr_base - the set without holds
 * @set: the events
 * @defaults: those of the family's default set that root has not finalized, which give
 *	way to holds, bit n for event n
 * @wanted: those that must count even if a holder has removed them, likewise; only while they
 *	are added
 */
struct rcr_base {
	struct rcr_staged set;
	u32 defaults;
	u32 wanted;
};

/* Size of the names of holders, see rcr_hold_names(). */
#define RCR_HOLDERS_LEN 128

/**
 * struct rcr_control - state of the control subsystem
 * @generation: incremented by each change; from 1
 * @staged: the set that finalize will program
 * @base: the set without holds
 * @away: events of @base that have given way to holds
 * @period: sampling period, ns
 * @holders: names of the holders, see rcr_hold_names(); only in a copy
 */
struct rcr_control {
	u32 generation;
	struct rcr_staged staged;
	struct rcr_base base;
	u32 away;
	u64 period;
	char holders[RCR_HOLDERS_LEN];
};

/* Selects all counters instead of one. */
#define RCR_ALL_COUNTERS NULL

extern struct blocking_notifier_head rcr_control_chain;	/* called with each new generation */

int rcr_control_init(void);
void rcr_control_exit(void);
void rcr_control_pause(void);
void rcr_control_resume(void);
void rcr_control_shutdown(void);
void rcr_control_obey(void);
void rcr_control_look(struct rcr_control *copy);
u32 rcr_control_generation(void);
int rcr_control_enter(u32 generation, struct rcr_failure *f);
void rcr_control_leave(void);
bool rcr_staged_has(const struct rcr_staged *s, const struct rcr_event *e);

/* Changes: one of these, between rcr_control_begin() and rcr_control_end(). */
int rcr_control_begin(u32 generation, struct rcr_failure *f);
int rcr_control_end(u32 *generation, int err);
int rcr_control_add(const struct rcr_event *event, unsigned int count, struct rcr_failure *f);
int rcr_control_remove(const char *name, struct rcr_failure *f);
int rcr_control_finalize(const void *holder, struct rcr_failure *f);
int rcr_control_halt(const char *name, struct rcr_failure *f);
int rcr_control_continue(const char *name, struct rcr_failure *f);
int rcr_control_rewrite(const char *name, struct rcr_failure *f);
int rcr_control_reassign(const char *name, const struct rcr_event *event,
			 struct rcr_failure *f);
int rcr_control_reset(struct rcr_failure *f);
int rcr_control_period(u64 period, struct rcr_failure *f);

int rcr_control_extend(u32 *generation, const struct rcr_event *event,
		       unsigned int count, struct rcr_failure *f);
void rcr_control_let_go(const void *holder);
int rcr_control_mark(u32 kind, u16 flags, const char *text, struct rcr_failure *f);
u8 rcr_control_status(u32 generation, unsigned int counter,
		      struct cpumask *not_ok);

/* power.c: suspend and resume */
int rcr_power_init(void);
void rcr_power_exit(void);

/* lockdown.c: lockdown after the set was programmed */
int rcr_lockdown_init(void);
void rcr_lockdown_exit(void);

#endif
