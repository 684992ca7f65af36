/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * event.h - what to count, as numbers
 */
#ifndef RCR_EVENT_H
#define RCR_EVENT_H

#include <linux/types.h>
#include <linux/rcrtool.h>

struct rcr_failure;

/**
 * struct rcr_event - what to count, before it has a register
 * @name: as the user calls it
 * @kind: of what; a register that counts by itself is RCR_EVENT_HARDWARE here
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
 *
 * There is no hole between two members, and what follows the 0 of a text is 0:
 * rcr_event_same() compares the bytes.
 */
struct rcr_event {
	char name[RCR_NAME_LEN];
	char unit[RCR_UNIT_LEN];
	u64 config;
	u64 config1;
	u64 config2;
	enum rcr_event_type kind;
	u32 umask;
	u32 filter[RCR_FILTERS];
	u16 event;
	bool is_register;
	u8 cmask;
	bool inv;
	bool edge;
	bool os;
	bool user;
	bool per_node;
	bool host;
	bool guest;
	u8 scope;
	bool joules;
	bool slow;
	bool pinned;
	u8 counter;
};

int rcr_event_check(const struct rcr_event *e, struct rcr_failure *f);
bool rcr_event_same(const struct rcr_event *a, const struct rcr_event *b);
bool rcr_event_is_core(const struct rcr_event *e);

static inline bool rcr_event_is_hardware(const struct rcr_event *e)
{
	return e->kind == RCR_EVENT_HARDWARE;
}

#endif
