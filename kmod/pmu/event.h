/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * event.h - an event as a user writes it: NAME=event:0x03,umask:0xff
 */
#ifndef RCR_EVENT_H
#define RCR_EVENT_H

#include <linux/types.h>
#include <linux/rcrtool.h>

struct rcr_failure;

/* What an event is an event of. */
enum rcr_event_kind {
	RCR_EVENT_HARDWARE,		/* a PMU: event select and the rest */
	RCR_EVENT_SOFTWARE,		/* the kernel: an enum perf_sw_ids */
	RCR_EVENT_TRACEPOINT,		/* the kernel: a tracepoint's id */
	RCR_EVENT_PMU,			/* the kernel: a PMU that it drives */
};

#define RCR_UNIT_LEN	16

/* Filters of one box, at most. */
#define RCR_FILTERS	2

/**
 * struct rcr_event - what to count, before it has a register
 * @name: as the user calls it
 * @kind: of what
 * @unit: the box whose event it is; empty: the core's
 * @is_register: no event: the unit's only register, which counts by itself
 * @event: event select; how many bits it may have is the family's. Of a
 *	software event its number, of a tracepoint its id, of a kernel's PMU its type
 * @umask: unit mask
 * @cmask: counter mask: count cycles with at least that many events; 0 off
 * @inv: count where @cmask is not reached instead
 * @edge: count rising edges
 * @os: count in the kernel
 * @user: count in user mode
 * @filter: what the filters of its box shall hold, which all counters of that share;
 *	0: it does not matter
 * @per_node: its unit mask is of nodes: that of the node where it counts is
 *	turned over
 * @host: count outside of virtual machines only
 * @guest: count inside of virtual machines only
 * @config: of a kernel's PMU: what perf_event_attr has of that name
 * @config1: the same
 * @config2: the same
 * @scope: of a kernel's PMU: an enum rcr_scope: which CPUs share it
 * @joules: of a kernel's PMU: it counts units of 2^-32 J, as "power" does
 * @slow: it is read outside of the tick, and less often
 * @pinned: it is for @counter and no other
 * @counter: number of a general counter
 */
struct rcr_event {
	char name[RCR_NAME_LEN];
	enum rcr_event_kind kind;
	char unit[RCR_UNIT_LEN];
	bool is_register;
	u16 event;
	u32 umask;
	u32 filter[RCR_FILTERS];
	u8 cmask;
	bool inv;
	bool edge;
	bool os;
	bool user;
	bool per_node;
	bool host;
	bool guest;
	u64 config;
	u64 config1;
	u64 config2;
	u8 scope;
	bool joules;
	bool slow;
	bool pinned;
	u8 counter;
};

int rcr_events_parse(const char *text, struct rcr_event *events,
		     unsigned int max, struct rcr_failure *failure);
void rcr_event_format(const struct rcr_event *e, char *text);
bool rcr_event_same(const struct rcr_event *a, const struct rcr_event *b);
bool rcr_event_is_core(const struct rcr_event *e);

static inline bool rcr_event_is_hardware(const struct rcr_event *e)
{
	return e->kind == RCR_EVENT_HARDWARE;
}

#endif
