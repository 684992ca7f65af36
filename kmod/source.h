/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * source.h - where counts come from: the interface of every source.
 */
#ifndef RCR_SOURCE_H
#define RCR_SOURCE_H

#include <linux/types.h>
#include <linux/rcrtool.h>

struct perf_event;
struct rcr_counter_set;
struct rcr_event;
struct rcr_failure;
struct rcr_pmu;

/**
 * struct rcr_reading - what one CPU keeps of one counter
 * @last: what the register read last
 * @total: counted since the set was programmed, 64 bits, never steps back
 * @status: enum rcr_status of the latest sample
 */
struct rcr_reading {
	u64 last;
	u64 total;
	u8 status;
};

/**
 * struct rcr_saved - what a register pair held before it was ours
 * @control: the bits of the control register that belong to the counter
 * @counter: the count register
 * @taken: we have written it and have to put it back
 */
struct rcr_saved {
	u64 control;
	u64 counter;
	bool taken;
};

/**
 * struct rcr_cpu_counters - one CPU's side of the set
 * @reading: read and written by every tick
 * @saved: msr: read and written when the CPU starts and stops
 * @saved_global: msr: our bits of the global control before they were ours
 * @global: msr: our bits there, all counters together
 * @event: perf: the kernel's counters, NULL while there is none
 */
struct rcr_cpu_counters {
	struct rcr_reading reading[RCR_MAX_COUNTERS];
	struct rcr_saved saved[RCR_MAX_COUNTERS];
	u64 saved_global;
	u64 global;
	struct perf_event *event[RCR_MAX_COUNTERS];
};

/**
 * struct rcr_source - a way to reach counters
 * @name: as the source= parameter has it
 * @note: what others should know while it counts, one sentence; or NULL
 * @build: makes a set of events; nothing is programmed. 0, or -errno with the
 *	reason in @f.
 * @reserve: makes the set's registers ours, on all CPUs, without touching them.
 *	May sleep. 0, or -errno with the reason in @f.
 * @release: undoes @reserve. May sleep.
 * @start: programs this CPU's counters and takes their baseline; totals go on
 *	from what they are. When not @all have to count, those that cannot are
 *	busy. Runs on that CPU, may sleep, also in a hotplug callback. 0, or
 *	-errno with the reason in @f and every register as it was.
 * @stop: puts every register of this CPU back. Runs on that CPU, no tick does;
 *	also in a hotplug callback.
 * @read: brings @reading up to date. Hard interrupt, on that CPU.
 * @settle: makes, or unmakes when not @online, what may not be made under the
 *	hotplug lock. Any CPU, may sleep, ticks may run; NULL: nothing. 0, or
 *	-errno with the reason in @f.
 * @revive: tries again what was pushed aside. Any CPU, under the hotplug lock;
 *	NULL: nothing.
 */
struct rcr_source {
	const char *name;
	const char *note;
	int (*build)(struct rcr_counter_set *set, const struct rcr_pmu *pmu,
		     const struct rcr_event *events, unsigned int count,
		     struct rcr_failure *f);
	int (*reserve)(const struct rcr_counter_set *set, struct rcr_failure *f);
	void (*release)(const struct rcr_counter_set *set);
	int (*start)(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
		     bool all, struct rcr_failure *f);
	void (*stop)(const struct rcr_counter_set *set, struct rcr_cpu_counters *c);
	void (*read)(const struct rcr_counter_set *set, struct rcr_cpu_counters *c);
	int (*settle)(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
		      int cpu, bool online, struct rcr_failure *f);
	void (*revive)(const struct rcr_counter_set *set, struct rcr_cpu_counters *c);
};

extern const struct rcr_source rcr_source_msr;
extern const struct rcr_source rcr_source_perf;

bool rcr_source_perf_serves_core(void);

#endif
