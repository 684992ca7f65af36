/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf.h - functions that the files of the perf source share.
 */
#ifndef RCR_PERF_H
#define RCR_PERF_H

#include <linux/compiler.h>
#include <linux/perf_event.h>
#include <asm/perf_event.h>

#include "source.h"

/* Upper bound of the probe events and placeholders of a CPU. */
#define RCR_PROBES	(RCR_FIXED_FIRST + RCR_SPARE_MOST)

/**
 * enum rcr_perf_mode - how an event outside the set requests a counter
 * @RCR_PERF_IDLE: disabled
 * @RCR_PERF_FLEXIBLE: after all other events; takes no counter from them
 * @RCR_PERF_PINNED: before the events of tasks. A pinned task event that gets no counter
 *	stays in the error state
 */
enum rcr_perf_mode {
	RCR_PERF_IDLE,
	RCR_PERF_FLEXIBLE,
	RCR_PERF_PINNED,
};

/**
 * struct rcr_probes - temporary events on one CPU
 * @event: each proves that a general counter is free, or keeps one from the set
 * @count: number of events
 * @pinned: number of placeholders, which are the first events
 */
struct rcr_probes {
	struct perf_event *event[RCR_PROBES];
	unsigned int count;
	unsigned int pinned;
};

static inline bool rcr_perf_is_active(const struct perf_event *e, int cpu)
{
	return READ_ONCE(e->state) == PERF_EVENT_STATE_ACTIVE &&
	       READ_ONCE(e->oncpu) == cpu;
}

/* perf numbers general counters from 0 and fixed ones from 32. */
static inline bool rcr_perf_is_general(const struct perf_event *e)
{
	return READ_ONCE(e->hw.idx) < INTEL_PMC_IDX_FIXED;
}

/* True if the CPUs of a unit share the counter. */
static inline bool rcr_perf_is_shared(const struct rcr_counter_set *set, unsigned int i)
{
	return set->counter[i].scope != RCR_SCOPE_CPU;
}

/* True if a core event is on a counter that can count it. */
static inline bool rcr_perf_is_well_placed(const struct rcr_counter_set *set, unsigned int i,
					   const struct perf_event *e)
{
	int index = READ_ONCE(e->hw.idx);

	if (!(set->restricted & BIT(i)))
		return true;
	if (index >= INTEL_PMC_IDX_FIXED)
		index += RCR_FIXED_FIRST - INTEL_PMC_IDX_FIXED;
	return index >= 0 && index < 32 && (set->allowed[i] & BIT(index));
}

/* perf_spare.c: counters of a core that the set leaves to others */
struct perf_event *rcr_perf_create(u32 type, u64 config, enum rcr_perf_mode mode, int cpu);
bool rcr_probes_add(struct rcr_probes *p, const struct rcr_counter_set *set,
		    enum rcr_perf_mode mode, int cpu);
void rcr_probes_end(struct rcr_probes *p);
int rcr_perf_check_demand(const struct rcr_counter_set *set,
			  const struct rcr_cpu_counters *c, int cpu, struct rcr_failure *f);
int rcr_perf_check_spare(const struct rcr_counter_set *set,
			 const struct rcr_cpu_counters *c, int cpu, struct rcr_probes *p,
			 struct rcr_failure *f);
int rcr_perf_check_cycles(const struct rcr_counter_set *set, int cpu,
			  struct rcr_failure *f);

#endif
