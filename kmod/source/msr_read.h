/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * msr_read.h - read counters programmed by this module: addresses and fast path.
 */
#ifndef RCR_MSR_READ_H
#define RCR_MSR_READ_H

#include "compat/compat.h"
#include "set/counter_set.h"
#include "hw/hw.h"
#include "source.h"

/* PCI function of a box in this CPU's package; NULL: its registers are MSRs. */
static inline struct pci_dev *rcr_pci_here(const struct rcr_box *box,
					   const struct rcr_cpu_counters *cpu)
{
	return box->pmu->pci ? rcr_pci_box_find(box->pmu, box->number, cpu->package) : NULL;
}

struct rcr_register rcr_register_here(const struct rcr_counter_set *set, unsigned int i,
				      const struct rcr_cpu_counters *cpu);
u8 rcr_package_status(const struct rcr_machine *m);
void rcr_msr_fast_build(struct rcr_msr_fast *fast, const struct rcr_counter_set *set, u32 owned);
void rcr_msr_read(const struct rcr_counter_set *set, struct rcr_cpu_counters *cpu,
		  u32 mask, u64 *now, u8 *status);

static __always_inline bool rcr_plain_is_ours(const struct rcr_plain *p)
{
	u64 control;

	if (!p->control)
		return true;
	/* A faulting control reads as 0, which never matches. */
	rcr_rdmsr_tick(p->control, &control);
	return !((control ^ p->select) & p->mask);
}

/* Return: false, with nothing changed, if the counter is in an unusual state. */
static __always_inline bool rcr_plain_take(const struct rcr_plain *p, struct rcr_reading *r,
					   u64 elapsed, u64 *value)
{
	u64 now, counted;

	if (!rcr_plain_is_ours(p) || rcr_rdmsr_tick(p->counter, &now) || now > p->width)
		return false;
	counted = (now - r->last) & p->width;
	if (counted > elapsed * p->most)
		return false;
	r->last = now;
	counted += r->total;
	r->total = counted;
	WRITE_ONCE(*value, counted);
	return true;
}

static inline bool rcr_plain_global_is_on(const struct rcr_plain_global *g)
{
	u64 global;

	return !rcr_rdmsr_tick(g->address, &global) && (global & g->mask) == g->on;
}

/**
 * rcr_msr_fast_read() - read plain counters and update their totals
 * @fast: plain counters of the set
 * @r: by counter: readings of this CPU
 * @which: the counters, all of them plain, bit n for counter n
 * @elapsed: lower bound of the TSC ticks since the previous read; a counter that seems to
 *	exceed its limit is left to the slow path
 * @value: by counter: set to the total of each counter that was read
 *
 * Context: on that CPU, interrupts off.
 * Return: those of @which that were not read: the first one in an unusual state and all that
 * follow it.
 */
static __always_inline u32 rcr_msr_fast_read(const struct rcr_msr_fast *fast,
					     struct rcr_reading *r, u32 which, u64 elapsed,
					     u64 *value)
{
	const struct rcr_plain *p = fast->reg;
	u32 left = which;

	if (fast->global.address && unlikely(!rcr_plain_global_is_on(&fast->global)))
		return which;
	for (; left; left >>= 1, p++, r++, value++)
		if (left & 1 && unlikely(!rcr_plain_take(p, r, elapsed, value)))
			return left << (p - fast->reg);
	return 0;
}

#endif
