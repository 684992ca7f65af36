/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * counter_set.h - the set of counters that is counted.
 */
#ifndef RCR_COUNTER_SET_H
#define RCR_COUNTER_SET_H

#include <linux/rcrtool.h>
#include "pmu/event.h"
#include "error.h"
#include "pmu/pmu.h"

/* Sources of counts, see source.h. */
enum rcr_source_id {
	RCR_SOURCE_MSR,
	RCR_SOURCE_PERF,
	RCR_SOURCES,
};

/* Largest number of general counters of a core that can be kept free. */
#define RCR_SPARE_MOST	8

/* The counter does not continue one of the previous set. */
#define RCR_FROM_NONE	0xff

/**
 * struct rcr_counter_set - a set, or the reason for which there is none
 * @generation: changes with the set
 * @machine: the machine, NULL for an unknown CPU
 * @count: number of counters
 * @counter: description of each, for readers
 * @event: event of each
 * @by: the counters of each source, bit n for the set's counter n
 * @reg: register of each that we program ourselves
 * @box: boxes of the machine of which it has counters
 * @boxes: number of boxes
 * @box_of: box of each counter, as a number in @box
 * @interrupted: counters that stop for a moment whenever one of them is added or removed
 * @allowed: perf: by counter of a core: registers that can count the event, see
 *	struct rcr_demand
 * @restricted: perf: those of a core that not every general counter can count
 * @pairs: perf: those of a core that take two general counters
 * @spare: perf: general counters of each core that stay free for others
 * @restores: it was programmed before: a counter without a register is busy until there is one
 * @is_default: the family's default set, which takes nothing from others
 * @driven: those that uncore PMUs of the kernel count
 * @tracepoints: those that are tracepoints, whose creation may wait for others
 * @order: order in which perf events are created
 * @from: by counter: the counter of the previous set that it continues, untouched, or
 *	RCR_FROM_NONE
 * @kept: those that have continued when the set was programmed, bit n for counter n
 * @scope: the counters of each scope, bit n for the set's counter n
 * @slow: those that are read outside of the tick, bit n for the set's counter n
 * @scaled: those that are reported in another unit than they are counted in, bit n for the
 *	set's counter n
 * @gauges: those of @scaled that are momentary values, and not counts
 * @freezable: the counters that struct rcr_family.package_freeze stops, bit n for the set's
 *	counter n; possibly more, of those that the kernel's PMUs count
 * @general: the core's general counters that are ours, bit n for counter n
 * @halted: halted counters, bit n for the set's counter n; the only member that changes while
 *	the set is counted
 * @failure: the reason for which the set is inert, if it is
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

/* The PMU of the core. */
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
