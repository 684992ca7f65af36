// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf_read.c - reads the events of perf in each tick, and checks that they still count.
 *
 * A core event may have been moved to a counter that cannot count it, and a profiler that uses
 * the msr device may have changed its registers. The drivers of Intel's uncore read a counter
 * in two halves, which can give a wrong value.
 */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "msr_read.h"
#include "perf.h"

/* Upper bound of an uncore counter's increment between two reads: see read_count(). */
#define FAR BIT_ULL(31)
#define READS 4

/* The kernel's drivers of Intel's uncore. */
static bool is_uncore(const struct perf_event *e)
{
	return !strncmp(e->pmu->name, "uncore_", 7);
}

/*
 * Read until two consecutive values are close together: then both are correct, except for a
 * possible error of a multiple of 2^44.
 */
static u64 read_until_stable(struct perf_event *e)
{
	u64 before, count = local64_read(&e->count);
	unsigned int i;

	for (i = 0; i < READS; i++) {
		before = count;
		e->pmu->read(e);
		count = local64_read(&e->count);
		if (count - before < FAR)
			break;
	}
	return count;
}

/*
 * The uncore drivers read a counter of a PCI device in two halves, the lower one first. If the
 * upper half increments in between, the value is 2^32 too large and the next one is 2^32
 * smaller, which they take for a wrap of 44 or 48 bits (snbep_uncore_pci_read_counter()).
 */
static u64 read_count(struct perf_event *e, u64 last)
{
	u64 count;

	e->pmu->read(e);
	count = local64_read(&e->count);
	if (likely(count - last < FAR) || !is_uncore(e))
		return count;
	count = last + ((read_until_stable(e) - last) & GENMASK_ULL(43, 0));
	local64_set(&e->count, count);
	return count;
}

/* Differs after each new assignment: perf numbers the assignments of each counter. */
static u64 assignment_of(const struct perf_event *e)
{
	return READ_ONCE(e->hw.last_tag) << 8 | (READ_ONCE(e->hw.idx) & 0xff);
}

/**
 * rcr_perf_events_begin() - take the baseline of created core events
 * @c: state of this CPU
 * @which: the counters, bit n for counter n
 *
 * Context: on that CPU in an interrupt.
 */
void rcr_perf_events_begin(struct rcr_cpu_counters *c, u32 which)
{
	unsigned long created = c->created & which;
	unsigned int i;

	for_each_set_bit(i, &created, RCR_MAX_COUNTERS) {
		struct perf_event *e = c->event[i];

		if (!e)
			continue;
		if (rcr_perf_is_active(e, smp_processor_id()))
			read_until_stable(e);
		rcr_reading_begin(c, i, local64_read(&e->count));
		c->tag[i] = assignment_of(e);
	}
	c->created &= ~created;
}

/* Bits of a control that perf and the event must agree on. */
#define COMPARED_BITS	(~(RCR_SELECT_INT | RCR_SELECT_HOST | RCR_SELECT_GUEST))

/*
 * True if the registers do not hold the values that perf wrote: a profiler has overwritten them
 * through the msr device. Interrupts are off, so perf is not in the middle of a change.
 */
static bool is_foreign(const struct perf_event *e, u64 global)
{
	const struct hw_perf_event *hw = &e->hw;
	u64 control, expected = hw->config | RCR_SELECT_ENABLE;
	u64 mask = COMPARED_BITS;

	if (!(global & BIT_ULL(hw->idx)))
		return true;
	if (hw->idx >= INTEL_PMC_IDX_FIXED) {
		mask = 0x3ull << (4 * (hw->idx - INTEL_PMC_IDX_FIXED));
		expected = rcr_pmu_fixed_modes(!e->attr.exclude_kernel,
					       !e->attr.exclude_user,
					       hw->idx - INTEL_PMC_IDX_FIXED);
	}
	return rcr_rdmsr_tick(hw->config_base, &control) ||
	       ((control ^ expected) & mask);
}

/*
 * True if the event is on a counter that can count it. Report a gap if perf has assigned it a
 * counter since the last tick: it may have been on a wrong one in between.
 */
static bool check_place(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
			unsigned int i, const struct perf_event *e)
{
	if (!rcr_perf_is_well_placed(set, i, e)) {
		c->misplaced |= BIT(i);
		return false;
	}
	if (c->tag[i] != assignment_of(e)) {
		c->tag[i] = assignment_of(e);
		rcr_reading_interrupt(c, i);
	}
	return true;
}

static u8 perf_read_event(const struct rcr_counter_set *set, struct rcr_cpu_counters *c,
			  unsigned int i, struct perf_event *e, u64 global, u64 *now)
{
	if (!e && ((set->interrupted | set->tracepoints) & BIT(i)))
		return RCR_STATUS_BUSY;
	if (!e)
		return rcr_perf_is_shared(set, i) ? RCR_STATUS_ELSEWHERE : RCR_STATUS_OFFLINE;
	if (!rcr_perf_is_active(e, smp_processor_id()))
		return RCR_STATUS_BUSY;
	/* set->interrupted are the core counters; e->pmu would cost another cache line. */
	if (set->interrupted & BIT(i)) {
		if ((set->restricted & BIT(i)) && !check_place(set, c, i, e))
			return RCR_STATUS_MISPLACED;
		if (is_foreign(e, global))
			return RCR_STATUS_FOREIGN;
	}
	*now = read_count(e, c->reading[i].last);
	return RCR_STATUS_OK;
}

/* The kernel's uncore driver does not check the package freeze. */
static u8 check_package(const struct rcr_counter_set *set, const struct perf_event *e,
			u8 *package)
{
	if (!is_uncore(e))
		return RCR_STATUS_OK;
	if (!*package)
		*package = rcr_package_status(set->machine);
	return *package;
}

/* The global control; all ones where the family has none. */
static u64 read_core_global(const struct rcr_pmu *pmu)
{
	u64 global;

	if (!pmu->global_control)
		return ~0ull;
	return rcr_rdmsr_tick(pmu->global_control, &global) ? 0 : global;
}

/**
 * rcr_perf_read() - read perf events of this CPU
 * @set: the set
 * @c: state of this CPU
 * @mask: the counters, all of them of perf, bit n for counter n
 * @now: by counter: set to the value read
 * @status: by counter: set to RCR_STATUS_OK if @now is valid
 *
 * Context: hard interrupt, on that CPU.
 */
void rcr_perf_read(const struct rcr_counter_set *set, struct rcr_cpu_counters *c, u32 mask,
		   u64 *now, u8 *status)
{
	u64 global = set->interrupted & mask ?
		     read_core_global(rcr_counter_set_core(set)) : 0;
	/*
	 * Pairs with rcr_readings_pause(): if a span has ended, its gaps are visible. One that
	 * begins now stops no event before the reads below, because interrupts are off.
	 */
	u32 paused = smp_load_acquire(&c->paused);
	unsigned long which = mask;
	u8 package = 0;		/* not known yet */
	unsigned int i;

	for_each_set_bit(i, &which, RCR_MAX_COUNTERS) {
		struct perf_event *e = READ_ONCE(c->event[i]);

		status[i] = perf_read_event(set, c, i, e, global, &now[i]);
		if (status[i] == RCR_STATUS_OK && set->freezable & BIT(i))
			status[i] = check_package(set, e, &package);
		if (status[i] == RCR_STATUS_OK && (paused & BIT(i)))
			status[i] = RCR_STATUS_GAP;
	}
}
