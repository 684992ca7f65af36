/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * control.h - verbs that change the counter set, and the state that they change.
 */
#ifndef RCR_CONTROL_H
#define RCR_CONTROL_H

#include <linux/notifier.h>
#include <linux/types.h>
#include "pmu/event.h"
#include "error.h"

struct cpumask;

/* Generation of a request that does not depend on the current state. */
#define RCR_ANY_GENERATION 0

/**
 * struct rcr_staged - a list of events, such as the staged set
 * @event: the events
 * @count: number of events
 */
struct rcr_staged {
	struct rcr_event event[RCR_MAX_COUNTERS];
	unsigned int count;
};

/**
 * struct rcr_base - the set that is counted when there are no holders
 * @set: its events
 * @defaults: bit n: event n was programmed by default, not finalized by root, and gives way to
 *	events of holders
 * @wanted: bit n: count event n although a holder has removed it; set only while
 *	rcr_control_extend() adds events
 */
struct rcr_base {
	struct rcr_staged set;
	u32 defaults;
	u32 wanted;
};

/* Buffer size for rcr_hold_names(). */
#define RCR_HOLDERS_LEN 128

/**
 * struct rcr_control - the state that the verbs change; under rcr_control_lock
 * @generation: incremented by each change; from 1
 * @staged: the set that finalize will program
 * @base: the base set, without the changes of holders
 * @away: bit n: event n of @base has given way to events of holders
 * @period: sampling period, ns
 * @holders: holders of events, see rcr_hold_names(); filled in by rcr_control_read() only
 */
struct rcr_control {
	u32 generation;
	struct rcr_staged staged;
	struct rcr_base base;
	u32 away;
	u64 period;
	char holders[RCR_HOLDERS_LEN];
};

/* Name argument of a verb that applies to all counters. */
#define RCR_ALL_COUNTERS NULL

extern struct blocking_notifier_head rcr_control_chain;	/* called with each new generation */

int rcr_control_init(void);
void rcr_control_exit(void);
void rcr_control_pause(void);
void rcr_control_resume(void);
void rcr_control_shutdown(void);
void rcr_control_check_lockdown(void);
void rcr_control_read(struct rcr_control *copy);
u32 rcr_control_generation(void);
int rcr_control_enter(u32 generation, struct rcr_failure *f);
void rcr_control_leave(void);
bool rcr_staged_has(const struct rcr_staged *s, const struct rcr_event *e);

/* Verbs; each is called between rcr_control_begin() and rcr_control_end(). */
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
void rcr_control_release(const void *holder);
int rcr_control_mark(u32 kind, u16 flags, const char *text, struct rcr_failure *f);
u8 rcr_control_status(u32 generation, unsigned int counter,
		      struct cpumask *not_ok);

/* power.c: suspend, resume and reboot */
int rcr_power_init(void);
void rcr_power_exit(void);

/* lockdown.c: stops counting when the kernel is locked down */
int rcr_lockdown_init(void);
void rcr_lockdown_exit(void);

#endif
