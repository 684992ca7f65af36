// SPDX-License-Identifier: GPL-2.0-only
/*
 * shared.c - registers shared by the counters of a box: its global control, and filters that
 * restrict the occurrences that all of them count. They are written before the counters start,
 * checked in each read, and restored after the last of our counters stops.
 *
 * A filter that no event of the set uses is not written. All functions run on a CPU that can
 * access the registers.
 */
#include <linux/bits.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "compat/compat.h"
#include "msr_read.h"
#include "set/counter_set.h"
#include "source.h"

/**
 * struct shared - value that some counters of a box need in one of its shared registers
 * @address: address of the register
 * @mask: bits that belong to the counters; 0: none
 * @on: value of these bits while they count
 */
struct shared {
	u32 address;
	u64 mask;
	u64 on;
};

static struct shared shared_register(const struct rcr_counter_set *set, unsigned int i,
				     unsigned int k)
{
	const struct rcr_box *box = set->box[set->box_of[i]];
	const struct rcr_register *r = &set->reg[i];
	const struct rcr_filter *filter;

	if (k == RCR_SHARED_GLOBAL)
		return (struct shared){ rcr_box_address(box, box->pmu->global_control),
					r->global, r->global_on };
	filter = &r->filter[k];
	return (struct shared){ filter->address, filter->bits ? ~0ull : 0, filter->bits };
}

/* Write a shared register; @control is set to its previous value. */
static int write_shared(const struct rcr_box *box, const struct shared *s,
			const struct rcr_cpu_counters *cpu, u64 *control,
			struct rcr_failure *f)
{
	struct pci_dev *pci = rcr_pci_here(box, cpu);
	u32 address = rcr_box_full_address(box, s->address);
	u64 wanted;

	if (rcr_read_control(pci, s->address, control))
		return rcr_fail_with(f, -EIO, RCR_REASON_UNREADABLE, "%u%x", smp_processor_id(),
				     address);
	wanted = (*control & ~s->mask) | s->on;
	if (wanted != *control && rcr_write_control(pci, s->address, wanted))
		return rcr_fail_with(f, -EIO, RCR_REASON_REFUSES, "%u%x%llx", smp_processor_id(),
				     address, wanted);
	return 0;
}

/*
 * Counters of ours that already run in the box have saved the original value of the register;
 * new counters save the same value.
 */
static int start_shared(const struct rcr_counter_set *set, unsigned int box, unsigned int k,
			struct rcr_cpu_counters *cpu, u32 which, struct rcr_failure *f)
{
	u64 ours = 0, before = 0, control;
	struct shared all = { };
	unsigned int i;
	int err;

	for (i = 0; i < set->count; i++) {
		struct shared s = shared_register(set, i, k);

		if (set->box_of[i] != box)
			continue;
		if (which & BIT(i)) {
			all.address = s.address;
			all.mask |= s.mask;
			all.on |= s.on;
		} else if (cpu->saved[i].taken && (cpu->saved[i].written & BIT(k))) {
			ours |= s.mask;
			before |= cpu->saved[i].shared[k];
		}
	}
	if (!all.mask)
		return 0;
	err = write_shared(set->box[box], &all, cpu, &control, f);
	before |= control & ~ours;
	for (i = 0; i < set->count && !err; i++) {
		if (set->box_of[i] != box || !(which & BIT(i)))
			continue;
		cpu->saved[i].shared[k] = before & shared_register(set, i, k).mask;
		cpu->saved[i].written |= BIT(k);
	}
	return err;
}

/**
 * rcr_shared_start() - write the shared registers of a box, its global control last
 * @set: the set
 * @box: number of the box in the set
 * @cpu: state of this CPU
 * @which: the counters that start, bit n for counter n
 * @f: filled in on failure
 *
 * Return: 0, or -EIO if a register faults.
 */
int rcr_shared_start(const struct rcr_counter_set *set, unsigned int box,
		     struct rcr_cpu_counters *cpu, u32 which, struct rcr_failure *f)
{
	unsigned int k;
	int err = 0;

	for (k = 0; k < RCR_SHARED && !err; k++)
		err = start_shared(set, box, k, cpu, which, f);
	return err;
}

/*
 * True if counters that continue depend on the register. The global control is needed while a
 * counter of the box was not restored and counts for us or for others; a filter, while one of
 * our events uses it.
 */
static bool is_shared_needed(const struct rcr_counter_set *set, unsigned int box, unsigned int k,
			     u32 restored, bool alone)
{
	unsigned int i;

	if (k == RCR_SHARED_GLOBAL)
		return !alone && set->box[box]->pmu->global_stops;
	for (i = 0; i < set->count; i++)
		if (set->box_of[i] == box && !(restored & BIT(i)) && set->event[i].filter[k])
			return true;
	return false;
}

/*
 * A filter that another tool has overwritten is left alone. Overflow bits of our counters are
 * cleared, as the next user of the counters would take them for its own.
 */
static void restore_shared(const struct rcr_box *box, unsigned int k, const struct shared *s,
			   const struct rcr_cpu_counters *cpu, u64 before)
{
	struct pci_dev *pci = rcr_pci_here(box, cpu);
	u32 clear = rcr_box_address(box, box->pmu->global_clear);
	u64 control;

	if (rcr_read_control(pci, s->address, &control) ||
	    (k != RCR_SHARED_GLOBAL && control != s->on))
		return;
	rcr_write_control(pci, s->address, (control & ~s->mask) | before);
	if (k == RCR_SHARED_GLOBAL && clear)
		rcr_write_control(pci, clear, s->mask);
}

/**
 * rcr_shared_stop() - restore the shared registers of a box
 * @set: the set
 * @box: number of the box in the set
 * @cpu: state of this CPU
 * @restored: the counters that have just been restored
 * @alone: no other counter of the box was to be restored and was not
 */
void rcr_shared_stop(const struct rcr_counter_set *set, unsigned int box,
		     struct rcr_cpu_counters *cpu, u32 restored, bool alone)
{
	unsigned int i, k;

	for (k = 0; k < RCR_SHARED; k++) {
		struct shared all = { };
		u64 before = 0;

		for (i = 0; i < set->count; i++) {
			struct shared s = shared_register(set, i, k);

			if (set->box_of[i] != box || !(restored & BIT(i)) ||
			    !(cpu->saved[i].written & BIT(k)))
				continue;
			cpu->saved[i].written &= ~BIT(k);
			all.address = s.address;
			all.mask |= s.mask;
			all.on |= s.on;
			before |= cpu->saved[i].shared[k];
		}
		if (all.mask && !is_shared_needed(set, box, k, restored, alone))
			restore_shared(set->box[box], k, &all, cpu, before);
	}
}

/* Rewrite a counter's shared registers. Return: 0, or -EIO if one faults. */
int rcr_shared_rewrite(const struct rcr_counter_set *set, unsigned int i,
		       const struct rcr_cpu_counters *cpu, struct rcr_failure *f)
{
	unsigned int k;
	u64 control;
	int err = 0;

	for (k = 0; k < RCR_SHARED; k++) {
		struct shared s = shared_register(set, i, k);

		if (s.mask)
			err = write_shared(set->box[set->box_of[i]], &s, cpu, &control, f) ?: err;
	}
	return err;
}

/* True if a counter has different filters in two sets. */
bool rcr_filter_differs(const struct rcr_register *a, const struct rcr_register *b)
{
	return memcmp(a->filter, b->filter, sizeof(a->filter));
}

/**
 * rcr_filter_forget() - drop saved filters that a counter does not use in the next set
 * @r: registers of the counter in the next set
 * @saved: its saved values; the previous set restores these filters
 */
void rcr_filter_forget(const struct rcr_register *r, struct rcr_saved *saved)
{
	unsigned int k;

	for (k = 0; k < RCR_FILTERS; k++)
		if (!r->filter[k].bits)
			saved->written &= ~BIT(k);
}

/**
 * rcr_filter_check() - compare a counter's filters with the values written
 * @r: registers of the counter
 * @changed: bits that differ are set
 *
 * Return: 0, or -errno if a register faults.
 */
int rcr_filter_check(const struct rcr_register *r, u64 *changed)
{
	unsigned int k;
	int err = 0;
	u64 now;

	for (k = 0; k < RCR_FILTERS && !err; k++) {
		if (!r->filter[k].bits)
			continue;
		err = rdmsrq_safe(r->filter[k].address, &now);
		*changed |= now ^ r->filter[k].bits;
	}
	return err;
}
