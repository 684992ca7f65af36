/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * counter_set.h - which counters are counted now.
 */
#ifndef RCR_COUNTER_SET_H
#define RCR_COUNTER_SET_H

#include <linux/rcrtool.h>
#include "pmu/event.h"
#include "error.h"
#include "pmu/pmu.h"

/* Who counts: the sources, see source.h. */
enum rcr_source_id {
	RCR_SOURCE_MSR,
	RCR_SOURCE_PERF,
	RCR_SOURCES,
};

/* General counters of each core that may be asked to stay free. */
#define RCR_SPARE_MOST	8

/* A counter that goes on from none of the set before. */
#define RCR_FROM_NONE	0xff

/**
 * struct rcr_counter_set - the set, or why there is none
 * @generation: changes when what is counted changes
 * @machine: what there is to count with, NULL for an unknown CPU
 * @count: counters
 * @counter: what each is, for people
 * @event: what each counts
 * @by: the counters of each source, bit n for the set's counter n
 * @reg: how each is run, where we program it ourselves
 * @box: the machine's boxes of which it has counters
 * @boxes: how many
 * @box_of: whose counter each is, as @box numbers them
 * @interrupted: the counters that stand still for a moment whenever one of them
 *	comes or goes
 * @allowed: perf: by counter of a core: where the event can be counted, see
 *	struct rcr_demand
 * @restricted: perf: those of a core that not every general counter can count
 * @pairs: perf: those of a core that take two general counters
 * @spare: perf: how many general counters of each core stay free for others
 * @restores: it ran before: what finds no counter is busy, until there is one
 * @is_default: the family's default set, which takes nothing from others
 * @driven: those that PMUs of the kernel's own count, besides the core's
 * @tracepoints: those that are tracepoints, whose creation may wait for others
 * @order: in which order the kernel is asked for them
 * @from: which counter of the set before each goes on from, untouched, or
 *	RCR_FROM_NONE
 * @kept: those that did so when the set took the place of that one, bit n for counter n
 * @scope: the counters of each scope, bit n for the set's counter n
 * @slow: those that are read outside of the tick, bit n for the set's counter n
 * @scaled: those that are told in another unit than they are counted in, bit n for
 *	the set's counter n
 * @gauges: those of them that are values at a moment, and no counts
 * @freezable: the counters that struct rcr_family.package_freeze stops, bit n for the
 *	set's counter n; of those that the kernel's PMUs count, which may be others
 * @general: the core's general counters that are ours, bit n for counter n
 * @halted: which are told to stand still, bit n for the set's counter n; the
 *	only member that changes while the set is counted
 * @failure: why the set is inert, if it is
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

/* The PMU of the cores. */
static inline const struct rcr_pmu *rcr_counter_set_core(const struct rcr_counter_set *set)
{
	return set->machine->box[0].pmu;
}

/* May be asked from any context. */
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
