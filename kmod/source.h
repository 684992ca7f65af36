/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * source.h - where counts come from: the interface of every source.
 */
#ifndef RCR_SOURCE_H
#define RCR_SOURCE_H

#include <linux/types.h>
#include <linux/rcrtool.h>

struct rcr_counter_set;
struct rcr_failure;

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
 * @saved: read and written when the CPU starts and stops
 * @saved_global: our bits of the global control before they were ours
 * @global: our bits there, all counters together
 */
struct rcr_cpu_counters {
	struct rcr_reading reading[RCR_MAX_COUNTERS];
	struct rcr_saved saved[RCR_MAX_COUNTERS];
	u64 saved_global;
	u64 global;
};

/**
 * struct rcr_source - a way to reach counters
 * @name: as the source= parameter has it
 * @reserve: makes the set's registers ours, on all CPUs, without touching them.
 *	May sleep. 0, or -errno with the reason in @f.
 * @release: undoes @reserve. May sleep.
 * @start: programs this CPU's counters and takes their baseline; totals go on
 *	from what they are. Runs on that CPU, may sleep. 0, or -errno with the
 *	reason in @f and every register as it was.
 * @stop: puts every register of this CPU back. Runs on that CPU, no tick does.
 * @read: brings @reading up to date. Hard interrupt, on that CPU.
 */
struct rcr_source {
	const char *name;
	int (*reserve)(const struct rcr_counter_set *set, struct rcr_failure *f);
	void (*release)(const struct rcr_counter_set *set);
	int (*start)(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
		     struct rcr_failure *f);
	void (*stop)(const struct rcr_counter_set *set, struct rcr_cpu_counters *c);
	void (*read)(const struct rcr_counter_set *set, struct rcr_cpu_counters *c);
};

extern const struct rcr_source rcr_source_msr;

#endif
