/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * source.h - where counts come from: registers of ours (msr.c), and perf (perf.c).
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
 * Counters that are two registers and nothing else, as most are: what a tick has to know of
 * them, and nothing else, so that few cache lines hold all of them. While nothing happens in
 * them but counts, they are looked at and added up in one go. Whatever is not as usual is
 * left to those who know what it means (msr_read.c, total.c), who read the registers again.
 */

/**
 * struct rcr_reading - what one CPU keeps of one counter
 * @last: what the register read last
 * @total: counted since it came into the set, 64 bits, never steps back
 */
struct rcr_reading {
	u64 last;
	u64 total;
};

/**
 * struct rcr_plain - the registers of a plain counter
 * @control: address of its control register; 0: there is none
 * @counter: address of its count register
 * @select: what the control holds, in the bits of @mask, while it counts for us
 * @mask: the bits of the control that are its own
 * @width: the bits that a count has
 * @most: what it counts in a TSC tick at most
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
 * struct rcr_plain_global - what has to be in the core's global control
 * @address: of that; 0: no plain counter needs it
 * @mask: the bits of all plain counters
 * @on: what they are while all of these count
 */
struct rcr_plain_global {
	u32 address;
	u64 mask;
	u64 on;
};

/**
 * struct rcr_msr_fast - the plain counters of one set, for the ticks of one CPU
 * @plain: which of those that this CPU reads they are, bit n for the set's counter n
 * @global: what has to be in the core's global control for them
 * @reg: by counter: the registers of a plain one
 *
 * Made from the set by rcr_msr_fast_build(), and fixed from then on.
 */
struct rcr_msr_fast {
	u32 plain;
	struct rcr_plain_global global;
	struct rcr_plain reg[RCR_MAX_COUNTERS];
};

/**
 * struct rcr_pass - when counters were read together
 * @begin: TSC before the first of them
 * @end: TSC after the last
 */
struct rcr_pass {
	u64 begin;
	u64 end;
};

/**
 * struct rcr_look - what counters read, and whether that is worth anything
 * @now: by counter: what it reads
 * @status: by counter: RCR_STATUS_OK if that is a count of ours
 */
struct rcr_look {
	u64 now[RCR_MAX_COUNTERS];
	u8 status[RCR_MAX_COUNTERS];
};

/**
 * struct rcr_slow_look - what slow counters read, until a tick takes it
 * @look: what each read
 * @which: for which counters it stands, bit n for counter n
 * @read: which of them were looked at: the others are halted
 * @pass: when
 * @serial: how often there was one
 * @fresh: no tick has taken it
 */
struct rcr_slow_look {
	struct rcr_look look;
	u32 which;
	u32 read;
	struct rcr_pass pass;
	u32 serial;
	bool fresh;
};

/* Words of RCR_MAX_COUNTERS statuses. */
#define RCR_STATUS_WORDS	(RCR_MAX_COUNTERS / sizeof(u64))

/**
 * struct rcr_cpu_counters - one CPU's side of the set
 * @set: the set, as long as any of its counters is programmed here
 * @pass: when they were read last, by a tick
 * @all: the counters of the set, bit n for the set's counter n. Here, as all that a
 *	usual tick reads, so that it reads no memory of another node
 * @ticked: those that the tick reads, or whose status it sets: all but the slow ones of
 *	this CPU
 * @mine: the counters that this CPU reads, bit n for the set's counter n
 * @halted: those that are told to stand still
 * @usual: those that were RCR_STATUS_OK in the latest sample; only written by ticks
 * @settled: those that are not read, and whose status says so already
 * @gaps: those that stood still since the latest sample, which the next one reports
 * @changed: a status differs from that of the latest sample
 * @status: enum rcr_status of the latest sample; 0: there was none yet
 * @status_word: the same, as a record holds them
 * @reading: read and written by every tick
 * @fast: the plain ones of them, as a tick reads them
 * @broken: those whose register faulted: they are left alone until a rewrite
 * @slow_pass: when those were that no tick reads
 * @slow: what they read then, which the next tick takes
 * @look: what a tick reads, until it has become totals. Not on the tick's stack: a
 *	kernel that clears stacks would do it at each tick
 * @global: msr: the global controls by box, while counters are looked at
 * @elsewhere: perf: the shared counters that the kernel reads on another CPU, as
 *	far as is known; forgotten when CPUs come and go
 * @restarted: those whose register has been set to 0 since it was looked at
 * @disturbed: perf: those that the kernel may stop for a moment just now
 * @created: perf: events that have no baseline yet, bit n for counter n
 * @misplaced: perf: events that a tick found on a counter that cannot count them
 * @tag: perf: number of the kernel's latest assignment of a counter, with that counter,
 *	when the event was read last; of events that only some counters can count
 * @node: number of its node, for what is selected by node
 * @package: number of its package, for what is a PCI function
 * @faults: accesses that faulted, since load
 * @saved: msr: read and written when the CPU starts and stops
 * @saved_upper: msr: the same of the upper register of a pair
 * @event: perf: read by every tick, NULL for one that is not there
 * @detached: perf: events that a tick may still read, until each CPU has answered an IPI
 */
struct rcr_cpu_counters {
	const struct rcr_counter_set *set;
	struct rcr_pass pass;
	u32 all;
	u32 ticked;
	u32 mine;
	u32 halted;
	u32 usual;
	u32 settled;
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
	struct rcr_slow_look slow;
	struct rcr_look look;
	u64 global[RCR_MAX_COUNTERS];
	u32 elsewhere;
	u32 restarted;
	u32 disturbed;
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
 * struct rcr_core_use - who uses the general counters of a core
 * @counters: how many there are
 * @used: how many the set uses
 * @others: how many pinned events of others hold
 * @watchdog: whether the NMI watchdog uses one, or may
 */
struct rcr_core_use {
	u32 counters;
	u32 used;
	u32 others;
	enum rcr_watchdog watchdog;
};

/* sources.c: all sources of a set together */
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
			 u32 mine);
void rcr_sources_read(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
		      u64 *value);
void rcr_sources_begin_slow(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
			    struct rcr_slow_look *l);
void rcr_sources_look_slow(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
			   u32 which, struct rcr_slow_look *l);
void rcr_sources_end_slow(struct rcr_cpu_counters *c, struct rcr_slow_look *l);
void rcr_sources_core(const struct rcr_counter_set *set, const struct rcr_cpu_counters *c,
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

/* shared.c: registers that the counters of a box share */
int rcr_shared_start(const struct rcr_counter_set *set, unsigned int box,
		     struct rcr_cpu_counters *cpu, u32 which, struct rcr_failure *f);
void rcr_shared_stop(const struct rcr_counter_set *set, unsigned int box,
		     struct rcr_cpu_counters *cpu, u32 restored, bool alone);
int rcr_shared_rewrite(const struct rcr_counter_set *set, unsigned int i,
		       const struct rcr_cpu_counters *cpu, struct rcr_failure *f);
bool rcr_filter_differs(const struct rcr_register *a, const struct rcr_register *b);
void rcr_filter_forget(const struct rcr_register *r, struct rcr_saved *saved);
int rcr_filter_look(const struct rcr_register *r, u64 *changed);

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
void rcr_perf_events_begin(struct rcr_cpu_counters *c, u32 which);
void rcr_perf_look(const struct rcr_counter_set *set, struct rcr_cpu_counters *c, u32 mask,
		   u64 *now, u8 *status);
int rcr_perf_renew(const struct rcr_counter_set *set, struct rcr_cpu_counters *c, int cpu,
		   u32 which, struct rcr_failure *f);
u32 rcr_perf_lacks(const struct rcr_counter_set *set, const struct rcr_cpu_counters *c, int cpu);
int rcr_perf_settle(const struct rcr_counter_set *set, struct rcr_cpu_counters *c, int cpu,
		    u32 which, struct rcr_failure *f);
bool rcr_perf_detach(const struct rcr_counter_set *set, struct rcr_cpu_counters *c, int cpu,
		     bool online);
void rcr_perf_release_detached(const struct rcr_counter_set *set, struct rcr_cpu_counters *c);
void rcr_perf_core_use(const struct rcr_counter_set *set, const struct rcr_cpu_counters *c,
		       int cpu, struct rcr_core_use *use);
void rcr_perf_revive(const struct rcr_counter_set *set, struct rcr_cpu_counters *c);

/* Those that were RCR_STATUS_OK in the latest sample, and for which nothing has to be told. */
static inline u32 rcr_readings_usual(const struct rcr_cpu_counters *c)
{
	return c->usual & ~atomic_read(&c->gaps);
}

void rcr_reading_begin(struct rcr_cpu_counters *c, unsigned int i, u64 now);
void rcr_reading_show(struct rcr_cpu_counters *c, unsigned int i, u8 status, u64 now);
void rcr_reading_interrupt(struct rcr_cpu_counters *c, unsigned int i);
void rcr_readings_disturb(struct rcr_cpu_counters *c, u32 which, bool begins);
void rcr_reading_take(struct rcr_cpu_counters *c, unsigned int i, u8 status, u64 now,
		      u64 counted, u64 limit);

#endif
