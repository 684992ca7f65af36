/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * event.h - struct rcr_event, an event as numbers.
 */
#ifndef RCR_EVENT_H
#define RCR_EVENT_H

#include <linux/types.h>
#include <linux/rcrtool.h>

struct rcr_failure;

/**
 * struct rcr_event - an event that is not assigned to a counter yet
 * @name: name given by the user
 * @kind: type; a free-running register is RCR_EVENT_HARDWARE here
 * @unit: box of the event; empty: the core
 * @is_register: the only register of @unit, which is free-running
 * @event: event select, whose width depends on the family; number of a software event, id
 *	of a tracepoint, type of a kernel PMU
 * @umask: unit mask
 * @cmask: counter mask: count cycles with at least that many events; 0: off
 * @inv: count cycles with fewer events than @cmask instead
 * @edge: count rising edges
 * @os: count in kernel mode
 * @user: count in user mode
 * @filter: values of the filters of its box, which all counters of the box share; 0: any
 * @per_node: the unit mask selects nodes: invert the bit of the node on which it counts
 * @host: count on the host only
 * @guest: count in guests only
 * @config: kernel PMU: perf_event_attr.config
 * @config1: kernel PMU: perf_event_attr.config1
 * @config2: kernel PMU: perf_event_attr.config2
 * @scope: kernel PMU: enum rcr_scope, the CPUs that share it
 * @joules: kernel PMU: it counts units of 2^-32 J, as "power" does
 * @slow: read outside the tick, at the slow period
 * @pinned: it may use @counter only
 * @counter: number of a general counter
 *
 * There is no padding, and strings are padded with zeros: rcr_event_same() compares bytes.
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
