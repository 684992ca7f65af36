/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * control.h - what may be done to the counter set, and by whom it was done last.
 */
#ifndef RCR_CONTROL_H
#define RCR_CONTROL_H

#include <linux/notifier.h>
#include <linux/types.h>
#include "pmu/event.h"
#include "error.h"

struct cpumask;

/* A request that goes for any generation: the caller did not look before. */
#define RCR_ANY_GENERATION 0

/**
 * struct rcr_staged - the set as it will be when it is finalized
 * @event: what to count
 * @count: how many
 */
struct rcr_staged {
	struct rcr_event event[RCR_MAX_COUNTERS];
	unsigned int count;
};

/**
 * struct rcr_base - what runs when nobody holds a set
 * @set: the events
 * @defaults: those of the family's default set that root has not finalized, which give
 *	way to what is held, bit n for event n
 * @wanted: those that count whoever has had them removed, likewise; only while they are
 *	added
 */
struct rcr_base {
	struct rcr_staged set;
	u32 defaults;
	u32 wanted;
};

/* Bytes of the names of holders, see rcr_hold_names(). */
#define RCR_HOLDERS_LEN 128

/**
 * struct rcr_control - the state that the verbs change
 * @generation: grows with each change; from 1
 * @staged: the set that finalize will program
 * @base: what runs, but for what is held
 * @away: events of @base that have given way to what is held
 * @period: ns
 * @holders: who holds events, see rcr_hold_names(); only of a copy
 */
struct rcr_control {
	u32 generation;
	struct rcr_staged staged;
	struct rcr_base base;
	u32 away;
	u64 period;
	char holders[RCR_HOLDERS_LEN];
};

/* What a verb is for, instead of one counter's name. */
#define RCR_ALL_COUNTERS NULL

extern struct blocking_notifier_head rcr_control_chain;	/* gets each new generation */

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

/* A change: one of these, between rcr_control_begin() and rcr_control_end(). */
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

/* lockdown.c: a kernel that is locked down later */
int rcr_lockdown_init(void);
void rcr_lockdown_exit(void);

#endif
