/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * source.h - sources of counts: registers programmed by this module (msr.c), and perf (perf.c).
 */
#ifndef RCR_SOURCE_H
#define RCR_SOURCE_H

#include <linux/atomic.h>
#include <linux/types.h>
#include <linux/rcrtool.h>
#include "hw/hw.h"
#include "set/counter_set.h"

struct perf_event;

/*
 * Most counters are plain: a control and a count register, both MSRs. struct rcr_plain holds
 * only the fields of them that a tick needs, to occupy few cache lines. The fast path reads
 * them and adds up their totals in one loop. Any irregularity is left to the slow path
 * (msr_read.c, total.c), which reads the registers again.
 */

/**
 * struct rcr_reading - value of one counter on one CPU
 * @last: value of the register when it was read last
 * @total: 64-bit count since the counter joined the set, never decreases
 */
struct rcr_reading {
	u64 last;
	u64 total;
};

/**
 * struct rcr_plain - registers of a plain counter
 * @control: address of the control register; 0: none
 * @counter: address of the count register
 * @select: value of the control, within @mask, while the counter counts for us
 * @mask: bits of the control that belong to the counter
 * @width: mask of the bits of the count
 * @most: largest increment per TSC tick
 */
struct rcr_plain {
	u32 control;
	u32 counter;
	u64 select;
	u64 mask;
	u64 width;
	u64 most;
};

/**
 * struct rcr_plain_global - expected value of the core's global control
 * @address: address of the register; 0: no plain counter depends on it
 * @mask: bits of all plain counters
 * @on: value of these bits while all plain counters count
 */
struct rcr_plain_global {
	u32 address;
	u64 mask;
	u64 on;
};

/**
 * struct rcr_msr_fast - plain counters of a set, for the ticks of one CPU
 * @plain: counters that are plain and read by this CPU, bit n for counter n of the set
 * @global: expected value of the core's global control
 * @reg: by counter: registers; valid for plain ones
 *
 * Filled in by rcr_msr_fast_build(), constant afterwards.
 */
struct rcr_msr_fast {
	u32 plain;
	struct rcr_plain_global global;
	struct rcr_plain reg[RCR_MAX_COUNTERS];
};

/**
 * struct rcr_pass - time span in which counters were read together
 * @begin: TSC before the first read
 * @end: TSC after the last read
 */
struct rcr_pass {
	u64 begin;
	u64 end;
};

/**
 * struct rcr_snapshot - values read from counters
 * @now: by counter: value read
 * @status: by counter: enum rcr_status; @now is valid only if it is RCR_STATUS_OK
 */
struct rcr_snapshot {
	u64 now[RCR_MAX_COUNTERS];
	u8 status[RCR_MAX_COUNTERS];
};

/**
 * struct rcr_slow_snapshot - values of slow counters, until the next tick takes them
 * @snapshot: values and statuses
 * @which: counters that it covers, bit n for counter n
 * @read: those of @which that were read; the others are halted
 * @pass: time span of the reads
 * @serial: number of the snapshot; also incremented to invalidate one in progress
 * @fresh: not taken by a tick yet
 */
struct rcr_slow_snapshot {
	struct rcr_snapshot snapshot;
	u32 which;
	u32 read;
	struct rcr_pass pass;
	u32 serial;
	bool fresh;
};

/* RCR_MAX_COUNTERS statuses as 64-bit words. */
#define RCR_STATUS_WORDS	(RCR_MAX_COUNTERS / sizeof(u64))

/**
 * struct rcr_cpu_counters - state of a set on one CPU
 * @set: the set; valid while any of its counters is programmed on this CPU
 * @pass: time span of the latest read by a tick
 * @all: all counters of the set, bit n for counter n. A copy, so that a tick usually reads
 *	memory of its own node only
 * @ticked: counters whose value or status a tick sets: all but the slow ones of this CPU
 * @owned: counters that this CPU reads, bit n for counter n
 * @halted: counters that the user has halted
 * @ok: counters that were RCR_STATUS_OK in the latest sample. Written by ticks only
 * @reported: unread counters whose status has been set already
 * @gaps: counters that were stopped since the latest sample; the next one reports it
 * @changed: a status differs from that of the latest sample
 * @status: enum rcr_status of the latest sample; 0: not sampled yet
 * @status_word: the same as 64-bit words, as copied to a record
 * @reading: values, read and written by each tick
 * @fast: plain counters
 * @broken: counters whose register faulted; not read until they are rewritten
 * @slow_pass: time span of the latest read of the slow counters
 * @slow: values of that read, until a tick takes them
 * @snapshot: values read by a tick. Not on the stack, which kernels with stack
 *	initialization would clear in each tick
 * @global: msr: global controls by box, valid during a read
 * @elsewhere: perf: shared counters that the kernel reads on another CPU; reset by hotplug
 * @restarted: counters whose register has been set to 0 since it was read
 * @paused: perf: counters that the kernel may stop at the moment
 * @created: perf: events without a baseline, bit n for counter n
 * @misplaced: perf: events that a tick found on a counter that cannot count them
 * @tag: perf: assignment_of() an event when it was read last; events with constraints only
 * @node: node of the CPU, for events with a node mask
 * @package: package of the CPU, for boxes that are PCI functions
 * @faults: number of faulting accesses since load
 * @saved: msr: registers before start; written when the CPU starts and stops
 * @saved_upper: msr: the same for the upper counter of a pair
 * @event: perf: read by each tick; NULL: no event
 * @detached: perf: removed events that a tick may still read, until an IPI to each CPU
 */
struct rcr_cpu_counters {
	const struct rcr_counter_set *set;
	struct rcr_pass pass;
	u32 all;
	u32 ticked;
	u32 owned;
	u32 halted;
	u32 ok;
	u32 reported;
	atomic_t gaps;
	u8 changed;
	union {
		u8 status[RCR_MAX_COUNTERS];
		u64 status_word[RCR_STATUS_WORDS];
	};
	struct rcr_reading reading[RCR_MAX_COUNTERS];
	struct rcr_msr_fast fast;
	u32 broken;
	struct rcr_pass slow_pass;
	struct rcr_slow_snapshot slow;
	struct rcr_snapshot snapshot;
	u64 global[RCR_MAX_COUNTERS];
	u32 elsewhere;
	u32 restarted;
	u32 paused;
	u32 created;
	u32 misplaced;
	u32 node;
	u32 package;
	u32 faults;
	struct rcr_saved saved[RCR_MAX_COUNTERS];
	struct rcr_saved saved_upper[RCR_MAX_COUNTERS];
	struct perf_event *event[RCR_MAX_COUNTERS];
	struct perf_event *detached[RCR_MAX_COUNTERS];
	u64 tag[RCR_MAX_COUNTERS];
};

/**
 * struct rcr_core_use - use of the general counters of a core
 * @counters: number of counters
 * @used: counters used by the set
 * @others: counters held by pinned events of others
 * @watchdog: whether the NMI watchdog uses one, or may
 */
struct rcr_core_use {
	u32 counters;
	u32 used;
	u32 others;
	enum rcr_watchdog watchdog;
};

/* sources.c: all sources of a set */
int rcr_sources_find(const char *name);
const char *rcr_source_name(enum rcr_source_id id);
const char *rcr_sources_name(const struct rcr_counter_set *set);
const char *rcr_sources_note(const struct rcr_counter_set *set);
int rcr_sources_build(struct rcr_counter_set *set, const struct rcr_counter_set *before,
		      struct rcr_failure *f);
int rcr_sources_reserve(const struct rcr_counter_set *set,
			const struct rcr_counter_set *before, struct rcr_failure *f);
int rcr_sources_start(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
		      u32 which, struct rcr_failure *f);
void rcr_sources_prepare(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
			 u32 owned);
void rcr_sources_read(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
		      u64 *value);
void rcr_sources_begin_slow(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
			    struct rcr_slow_snapshot *s);
void rcr_sources_read_slow(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
			   u32 which, struct rcr_slow_snapshot *s);
void rcr_sources_end_slow(struct rcr_cpu_counters *c, struct rcr_slow_snapshot *s);
void rcr_sources_core_use(const struct rcr_counter_set *set, const struct rcr_cpu_counters *c,
			  int cpu, struct rcr_core_use *use);

/* msr.c */
int rcr_msr_reserve(const struct rcr_counter_set *set, const struct rcr_counter_set *before,
		    struct rcr_failure *f);
void rcr_msr_release(const struct rcr_counter_set *set, const struct rcr_counter_set *next);
int rcr_msr_start(const struct rcr_counter_set *set, struct rcr_cpu_counters *cpu, u32 wanted,
		  struct rcr_failure *f);
void rcr_msr_stop(const struct rcr_counter_set *set, struct rcr_cpu_counters *cpu, u32 which);
int rcr_msr_rewrite(const struct rcr_counter_set *set, struct rcr_cpu_counters *cpu, u32 wanted,
		    struct rcr_failure *f);

/* shared.c: registers shared by the counters of a box */
int rcr_shared_start(const struct rcr_counter_set *set, unsigned int box,
		     struct rcr_cpu_counters *cpu, u32 which, struct rcr_failure *f);
void rcr_shared_stop(const struct rcr_counter_set *set, unsigned int box,
		     struct rcr_cpu_counters *cpu, u32 restored, bool alone);
int rcr_shared_rewrite(const struct rcr_counter_set *set, unsigned int i,
		       const struct rcr_cpu_counters *cpu, struct rcr_failure *f);
bool rcr_filter_differs(const struct rcr_register *a, const struct rcr_register *b);
void rcr_filter_forget(const struct rcr_register *r, struct rcr_saved *saved);
int rcr_filter_check(const struct rcr_register *r, u64 *changed);

/* perf.c */
void rcr_source_perf_init(void);
void rcr_source_perf_exit(void);
bool rcr_source_perf_serves_core(void);
void rcr_source_perf_exclude(u32 type);
int rcr_source_perf_check(const struct rcr_event *e, struct rcr_failure *f);
int rcr_perf_build(struct rcr_counter_set *set, u32 mask, struct rcr_failure *f);
int rcr_perf_events_create(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
			   int cpu, bool all, struct rcr_failure *f);
void rcr_perf_events_destroy(const struct rcr_counter_set *set, struct rcr_cpu_counters *c);
int rcr_perf_rewrite(const struct rcr_counter_set *set, struct rcr_cpu_counters *c, int cpu,
		     u32 which, struct rcr_failure *f);
u32 rcr_perf_missing(const struct rcr_counter_set *set, const struct rcr_cpu_counters *c, int cpu);
int rcr_perf_create_late(const struct rcr_counter_set *set, struct rcr_cpu_counters *c, int cpu,
			 u32 which, struct rcr_failure *f);
bool rcr_perf_detach(const struct rcr_counter_set *set, struct rcr_cpu_counters *c, int cpu,
		     bool online);
void rcr_perf_release_detached(const struct rcr_counter_set *set, struct rcr_cpu_counters *c);
void rcr_perf_core_use(const struct rcr_counter_set *set, const struct rcr_cpu_counters *c,
		       int cpu, struct rcr_core_use *use);
void rcr_perf_reenable(const struct rcr_counter_set *set, struct rcr_cpu_counters *c);

/* perf_read.c: what a tick reads */
void rcr_perf_events_begin(struct rcr_cpu_counters *c, u32 which);
void rcr_perf_read(const struct rcr_counter_set *set, struct rcr_cpu_counters *c, u32 mask,
		   u64 *now, u8 *status);

/* Counters that were RCR_STATUS_OK in the latest sample and have no gap to report. */
static inline u32 rcr_readings_ok(const struct rcr_cpu_counters *c)
{
	return c->ok & ~atomic_read(&c->gaps);
}

void rcr_reading_begin(struct rcr_cpu_counters *c, unsigned int i, u64 now);
void rcr_reading_set_gauge(struct rcr_cpu_counters *c, unsigned int i, u8 status, u64 now);
void rcr_reading_interrupt(struct rcr_cpu_counters *c, unsigned int i);
void rcr_readings_pause(struct rcr_cpu_counters *c, u32 which, bool begins);
void rcr_reading_take(struct rcr_cpu_counters *c, unsigned int i, u8 status, u64 now,
		      u64 counted, u64 limit);

#endif
