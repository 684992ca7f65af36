// SPDX-License-Identifier: GPL-2.0-only
/*
 * sources.c - call each source for its counters of a set, and update their totals.
 */
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/security.h>
#include <linux/string.h>
#include <asm/tsc.h>

#include "msr_read.h"
#include "source.h"
#include "pmu/width.h"

static const char *const names[RCR_SOURCES] = {
	[RCR_SOURCE_MSR] = "msr",
	[RCR_SOURCE_PERF] = "perf",
};

/* Number of a source, or -EINVAL. */
int rcr_sources_find(const char *name)
{
	return match_string(names, RCR_SOURCES, name);
}

const char *rcr_source_name(enum rcr_source_id id)
{
	return names[id];
}

/* Names of the sources of a set, for messages. */
const char *rcr_sources_name(const struct rcr_counter_set *set)
{
	if (set->by[RCR_SOURCE_MSR] && set->by[RCR_SOURCE_PERF])
		return "perf+msr";
	return names[set->by[RCR_SOURCE_MSR] ? RCR_SOURCE_MSR : RCR_SOURCE_PERF];
}

/*
 * Note for other users of the counters while the set is sampled; NULL if there is none. Only
 * core counters are exclusive.
 */
const char *rcr_sources_note(const struct rcr_counter_set *set)
{
	if (!set->general)
		return NULL;
	return "perf fails with EBUSY; an NMI watchdog enabled now must be toggled after unload";
}

/* Find the counters whose unit is not events, and the gauges among them. */
static void find_units(struct rcr_counter_set *set)
{
	unsigned int i;

	set->scaled = 0;
	set->gauges = 0;
	for (i = 0; i < set->count; i++) {
		if (set->counter[i].unit != RCR_UNIT_EVENT)
			set->scaled |= BIT(i);
		if (set->counter[i].unit == RCR_UNIT_MILLIDEGREE)
			set->gauges |= BIT(i);
	}
}

/**
 * rcr_sources_build() - find counters for the events of a set
 * @set: its events and their sources are set
 * @before: the sampled set, whose counters are kept where possible; NULL: none
 * @f: filled in on failure
 *
 * No register is written.
 *
 * Return: 0, or -errno.
 */
int rcr_sources_build(struct rcr_counter_set *set, const struct rcr_counter_set *before,
		      struct rcr_failure *f)
{
	u32 msr = set->by[RCR_SOURCE_MSR], perf = set->by[RCR_SOURCE_PERF];
	int err = 0;

	if (msr)
		err = rcr_counter_set_build(set, before, msr, f);
	if (!err && perf)
		err = rcr_perf_build(set, perf, f);
	find_units(set);
	return err;
}

/**
 * rcr_sources_reserve() - reserve the counters of a set that the previous set does not have
 * @set: the set
 * @before: the sampled set, or NULL
 * @f: filled in on failure
 *
 * perf arbitrates its counters itself; for it only the lockdown is checked.
 *
 * Context: may sleep.
 * Return: 0, or -errno and nothing is reserved. rcr_msr_release() undoes it.
 */
int rcr_sources_reserve(const struct rcr_counter_set *set,
			const struct rcr_counter_set *before, struct rcr_failure *f)
{
	if (set->by[RCR_SOURCE_PERF] && security_locked_down(LOCKDOWN_PERF))
		return rcr_fail(f, -EPERM, RCR_REASON_LOCKDOWN_PERF);
	return set->by[RCR_SOURCE_MSR] ? rcr_msr_reserve(set, before, f) : 0;
}

/* Start the counters of @which that this CPU owns; see rcr_msr_start(). */
int rcr_sources_start(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
		      u32 which, struct rcr_failure *f)
{
	which &= c->owned;
	rcr_perf_events_begin(c, which);
	return rcr_msr_start(set, c, which & set->by[RCR_SOURCE_MSR], f);
}

/* Fill in the use of the general counters of a CPU's core. May sleep. */
void rcr_sources_core_use(const struct rcr_counter_set *set, const struct rcr_cpu_counters *c,
			  int cpu, struct rcr_core_use *use)
{
	*use = (struct rcr_core_use){
		.counters = set->interrupted | set->general ? set->machine->box[0].counters : 0,
		.used = hweight32(set->general),
	};
	if (!set->general)
		rcr_perf_core_use(set, c, cpu, use);
}

static void read_counters(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
			  u32 which, struct rcr_snapshot *s)
{
	u32 msr = which & set->by[RCR_SOURCE_MSR], perf = which & set->by[RCR_SOURCE_PERF];

	if (msr)
		rcr_msr_read(set, c, msr, s->now, s->status);
	if (perf)
		rcr_perf_read(set, c, perf, s->now, s->status);
}

/* Update a total from a value read @elapsed TSC ticks after the previous one. */
static void update_count(struct rcr_cpu_counters *c, unsigned int i,
			 const struct rcr_register *reg, u8 status, u64 now, u64 elapsed)
{
	struct rcr_reading *r = &c->reading[i];
	/* Counters of perf have 64 bits; their @beyond is 0. */
	u64 counted = (now - r->last) & ~reg->unused_bits;
	u64 limit = rcr_width_limit(elapsed, reg->most);

	/* Fast path of rcr_reading_take(): no status change and no gap to report. */
	if (likely(status == RCR_STATUS_OK && rcr_readings_ok(c) & BIT(i) &&
		   counted <= limit)) {
		r->total += counted;
		r->last = now;
	} else {
		rcr_reading_take(c, i, status, now, counted, limit);
	}
}

/* Rare paths are not inlined, so that a tick saves fewer registers. */
static noinline void update_unread(const struct rcr_counter_set *set,
				   struct rcr_cpu_counters *c, u32 which)
{
	unsigned long rest = which;
	unsigned int i;

	for_each_set_bit(i, &rest, set->count)
		rcr_reading_take(c, i, c->owned & BIT(i) ? RCR_STATUS_HALTED : RCR_STATUS_ELSEWHERE,
				 0, 0, 0);
}

static noinline void update_gauges(struct rcr_cpu_counters *c, unsigned long gauges,
				   const struct rcr_snapshot *s)
{
	unsigned int i;

	for_each_set_bit(i, &gauges, RCR_MAX_COUNTERS)
		rcr_reading_set_gauge(c, i, s->status[i], s->now[i]);
}

static noinline void restart_counts(struct rcr_cpu_counters *c, unsigned long restarted)
{
	unsigned int i;

	for_each_set_bit(i, &restarted, RCR_MAX_COUNTERS)
		rcr_reading_begin(c, i, 0);
	c->restarted &= ~restarted;
}

static u32 all_counters(const struct rcr_counter_set *set)
{
	return set->by[RCR_SOURCE_MSR] | set->by[RCR_SOURCE_PERF];
}

/* Add a snapshot to the totals; of @which only @read was read. */
static void update_totals(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
			  u32 which, u32 read, const struct rcr_snapshot *s, u64 elapsed)
{
	u32 counts = read & ~set->gauges;
	u32 others = which & ~read & all_counters(set);
	const struct rcr_register *reg = set->reg;
	unsigned int i;

	for (i = 0; counts; counts >>= 1, i++, reg++)
		if (counts & 1)
			update_count(c, i, reg, s->status[i], s->now[i], elapsed);
	if (others)
		update_unread(set, c, others);
	if (read & set->gauges)
		update_gauges(c, read & set->gauges, s);
	if (read & c->restarted)
		restart_counts(c, read & c->restarted);
}

static noinline void update_slow(const struct rcr_counter_set *set,
				 struct rcr_cpu_counters *c)
{
	const struct rcr_slow_snapshot *s = &c->slow;

	update_totals(set, c, s->which, s->read, &s->snapshot, s->pass.end - c->slow_pass.begin);
	c->slow_pass = s->pass;
	c->slow.fresh = false;
}

/* Slow path: counters that are not plain, or irregular. */
static noinline void read_rest(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
			       u32 read, u32 others)
{
	read_counters(set, c, read, &c->snapshot);
	update_totals(set, c, read | (others & ~c->reported), read, &c->snapshot,
		      rdtsc_ordered() - c->pass.begin);
	c->reported = others;
}

/* Write the totals that the fast path has not written. */
static noinline void write_rest(const struct rcr_cpu_counters *c, u32 which, u64 *value)
{
	const struct rcr_reading *r = c->reading;

	for (; which; which >>= 1, r++, value++)
		if (which & 1)
			WRITE_ONCE(*value, r->total);
}

/**
 * rcr_sources_prepare() - set the fields of a CPU's state that a tick reads
 * @set: the set
 * @c: state of the CPU; no tick reads it
 * @owned: the counters that the CPU reads, bit n for counter n
 *
 * Context: any.
 */
void rcr_sources_prepare(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
			 u32 owned)
{
	c->set = set;
	/* May interrupt a read of the slow counters. */
	WRITE_ONCE(c->owned, owned);
	c->all = all_counters(set);
	c->ticked = c->all & ~(set->slow & c->owned);
	WRITE_ONCE(c->halted, READ_ONCE(set->halted));
	c->reported = 0;
	rcr_msr_fast_build(&c->fast, set, c->owned);
}

/**
 * rcr_sources_read() - read all counters; slow ones from their latest snapshot
 * @set: the set
 * @c: state of this CPU
 * @value: by counter: set to the total
 *
 * Context: hard interrupt on that CPU.
 */
void rcr_sources_read(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
		      u64 *value)
{
	u32 running = c->ticked & ~READ_ONCE(c->halted);
	u32 plain = running & c->fast.plain & rcr_readings_ok(c);
	struct rcr_pass *pass = &c->pass;
	u64 begin = rdtsc_ordered();
	u32 read, others, rest;

	plain &= ~rcr_msr_fast_read(&c->fast, c->reading, plain, begin - pass->begin, value);
	rest = c->ticked & ~plain;
	read = rest & running & c->owned;
	others = rest & ~read;
	if (read | (others ^ c->reported))
		read_rest(set, c, read, others);
	pass->begin = begin;
	pass->end = rdtsc_ordered();
	if (c->slow.fresh)
		update_slow(set, c);
	if (c->all & ~plain)
		write_rest(c, c->all & ~plain, value);
}

/**
 * rcr_sources_begin_slow() - begin a snapshot of the slow counters
 * @set: the set
 * @c: state of this CPU
 * @s: filled in
 *
 * Context: on that CPU, interrupts off.
 */
void rcr_sources_begin_slow(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
			    struct rcr_slow_snapshot *s)
{
	u32 slow = set->slow & c->owned;

	s->which = slow;
	s->read = slow & ~READ_ONCE(c->halted);
	/* An interrupt that changes the set increments the serial number: the snapshot is stale. */
	s->serial = c->slow.serial;
	s->pass.begin = rdtsc_ordered();
	s->fresh = true;
}

/**
 * rcr_sources_read_slow() - read slow counters
 * @set: the set
 * @c: state of this CPU
 * @which: counters to read now, bit n for counter n
 * @s: initialized by rcr_sources_begin_slow()
 *
 * Totals are updated by the tick that writes them to its record, so none grows without a
 * sample. Interrupts are off for one counter at a time: its control and its count must be
 * read together, but ticks must not wait for all counters. An interrupt in between may end
 * the set; the serial number then differs, and @set is not accessed again.
 *
 * Context: on that CPU, a task with preemption disabled, or an interrupt.
 */
void rcr_sources_read_slow(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
			   u32 which, struct rcr_slow_snapshot *s)
{
	unsigned long read = s->read & which, flags;
	unsigned int i;
	bool is_old;

	for_each_set_bit(i, &read, RCR_MAX_COUNTERS) {
		local_irq_save(flags);
		is_old = c->slow.serial != s->serial;
		if (!is_old)
			read_counters(set, c, BIT(i), &s->snapshot);
		local_irq_restore(flags);
		if (is_old)
			return;
	}
}

/**
 * rcr_sources_end_slow() - pass a snapshot to the next tick, unless it is stale
 * @c: state of this CPU
 * @s: the complete snapshot
 *
 * Context: on that CPU, as rcr_sources_read_slow().
 */
void rcr_sources_end_slow(struct rcr_cpu_counters *c, struct rcr_slow_snapshot *s)
{
	unsigned long flags;

	s->pass.end = rdtsc_ordered();
	local_irq_save(flags);
	if (c->slow.serial == s->serial) {
		c->slow = *s;
		c->slow.serial++;
	}
	local_irq_restore(flags);
}
