/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * counter_set.h - a counter set: events with the counters and registers that count them.
 */
#ifndef RCR_COUNTER_SET_H
#define RCR_COUNTER_SET_H

#include <linux/rcrtool.h>
#include "pmu/event.h"
#include "error.h"
#include "pmu/pmu.h"

/* Sources of counts: each programs and reads its own counters, see source.h. */
enum rcr_source_id {
	RCR_SOURCE_MSR,
	RCR_SOURCE_PERF,
	RCR_SOURCES,
};

/* Upper limit of the parameter spare=. */
#define RCR_SPARE_MOST	8

/* Value of rcr_counter_set.from for a counter that starts at 0. */
#define RCR_FROM_NONE	0xff

/**
 * struct rcr_counter_set - a counter set, or the reason why nothing is counted
 * @generation: number of the set; increases with each change
 * @machine: PMUs of the machine; NULL for an unknown CPU
 * @count: number of counters
 * @counter: description of each counter, as user space reads it
 * @event: event of each counter
 * @by: counters of each source
 * @reg: registers of each counter; used by RCR_SOURCE_MSR only
 * @box: boxes of the machine with counters in the set
 * @boxes: number of entries in @box
 * @box_of: index in @box, by counter
 * @interrupted: counters that pause briefly when any of them is added or removed
 * @allowed: perf: core counters that can count the event, by counter, see struct rcr_demand
 * @restricted: perf: core events that not every general counter can count
 * @pairs: perf: core events that take two general counters
 * @spare: perf: number of general counters of each core that stay free for others
 * @restores: the set ran before: a counter that cannot be programmed now is
 *	RCR_STATUS_BUSY until it can be
 * @is_default: the default set of the CPU family, which takes no counter from others
 * @driven: events of the kernel's PMU drivers, except the core PMU
 * @tracepoints: tracepoints, whose creation may wait for other CPUs
 * @order: order in which perf events are created
 * @from: counter of the previous set that each continues, or RCR_FROM_NONE
 * @kept: counters that continued a counter of the previous set when this set replaced it
 * @scope: counters of each scope
 * @slow: counters that are read outside of the tick
 * @scaled: counters whose totals are converted from register units to rcr_counter.unit
 * @gauges: those of @scaled that are momentary values instead of counts
 * @freezable: counters that struct rcr_family.package_freeze stops, and events of kernel PMUs
 *	that it might stop
 * @general: general core counters that the set uses, bit n for counter n of the core
 * @halted: counters that are halted; the only member that changes while the set runs:
 *	written under rcr_control_lock, read with READ_ONCE()
 * @failure: the reason why the set is inert
 *
 * In each u32 mask bit n is the set's counter n, unless noted. The set is constant once it
 * is published, except for @halted.
 */
struct rcr_counter_set {
	u32 generation;
	const struct rcr_machine *machine;
	unsigned int count;
	struct rcr_counter counter[RCR_MAX_COUNTERS];
	struct rcr_event event[RCR_MAX_COUNTERS];
	u32 by[RCR_SOURCES];
	struct rcr_register reg[RCR_MAX_COUNTERS];
	const struct rcr_box *box[RCR_MAX_COUNTERS];
	unsigned int boxes;
	u8 box_of[RCR_MAX_COUNTERS];
	u32 interrupted;
	u32 allowed[RCR_MAX_COUNTERS];
	u32 restricted;
	u32 pairs;
	u32 spare;
	bool restores;
	bool is_default;
	u32 driven;
	u32 tracepoints;
	u8 order[RCR_MAX_COUNTERS];
	u8 from[RCR_MAX_COUNTERS];
	u32 kept;
	u32 scope[RCR_SCOPES];
	u32 slow;
	u32 scaled;
	u32 gauges;
	u32 freezable;
	u32 general;
	u32 halted;
	struct rcr_failure failure;
};

/* The core PMU; the set has a machine. */
static inline const struct rcr_pmu *rcr_counter_set_core(const struct rcr_counter_set *set)
{
	return set->machine->box[0].pmu;
}

/* Context: any. */
static inline bool rcr_is_halted(const struct rcr_counter_set *set, unsigned int i)
{
	return READ_ONCE(set->halted) & BIT(i);
}

int rcr_counter_set_no_unit(const struct rcr_machine *m, const struct rcr_event *e,
			    struct rcr_failure *f);
int rcr_counter_set_demand(const struct rcr_machine *m, const struct rcr_event *e,
			   struct rcr_demand *demand, struct rcr_failure *f);
int rcr_counter_set_build(struct rcr_counter_set *set,
			  const struct rcr_counter_set *before, u32 which,
			  struct rcr_failure *f);
unsigned int rcr_counter_set_find(const struct rcr_counter_set *set,
				  const struct rcr_event *e);
u32 rcr_counter_set_owned(const struct rcr_counter_set *set, u32 scopes);
void rcr_counter_set_inherit(struct rcr_counter_set *set,
			     const struct rcr_counter_set *before);

#endif
