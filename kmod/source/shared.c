// SPDX-License-Identifier: GPL-2.0-only
/*
 * shared.c - registers that the counters of a box share: its global control, and filters
 * that say which of an event's occurrences all of them count. Written before they count,
 * read with them, put back when nobody of ours needs them any more.
 *
 * A filter that no event of the set asks for is left alone. All of it runs on the
 * registers' own CPU.
 */
#include <linux/bits.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "compat/compat.h"
#include "msr_read.h"
#include "set/counter_set.h"
#include "source.h"

/**
 * struct shared - what some counters of a box want of one of its shared registers
 * @address: of the register
 * @mask: the bits that have to do with them; 0: none
 * @on: what these are while they count
 */
struct shared {
	u32 address;
	u64 mask;
	u64 on;
};

static struct shared shared_of(const struct rcr_counter_set *set, unsigned int i,
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

/* Has the counters count by it; @control gets what it held. */
static int write_shared(const struct rcr_box *box, const struct shared *s,
			const struct rcr_cpu_counters *cpu, u64 *control,
			struct rcr_failure *f)
{
	struct pci_dev *pci = rcr_pci_here(box, cpu);
	u32 told = rcr_box_told(box, s->address);
	u64 wanted;

	if (rcr_read_control(pci, s->address, control))
		return rcr_fail_with(f, -EIO, RCR_REASON_UNREADABLE, "%u%x", smp_processor_id(),
				     told);
	wanted = (*control & ~s->mask) | s->on;
	if (wanted != *control && rcr_write_control(pci, s->address, wanted))
		return rcr_fail_with(f, -EIO, RCR_REASON_REFUSES, "%u%x%llx", smp_processor_id(),
				     told, wanted);
	return 0;
}

/*
 * A counter of ours that runs in the box already has found the register as it was before
 * us; a new one shall put that back, too.
 */
static int start_one(const struct rcr_counter_set *set, unsigned int box, unsigned int k,
		     struct rcr_cpu_counters *cpu, u32 which, struct rcr_failure *f)
{
	u64 ours = 0, before = 0, control;
	struct shared all = { };
	unsigned int i;
	int err;

	for (i = 0; i < set->count; i++) {
		struct shared s = shared_of(set, i, k);

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
		cpu->saved[i].shared[k] = before & shared_of(set, i, k).mask;
		cpu->saved[i].written |= BIT(k);
	}
	return err;
}

/**
 * rcr_shared_start() - writes the shared registers of a box, its global control last
 * @set: the set
 * @box: which of its boxes
 * @cpu: this CPU's side of the set
 * @which: the counters that begin, bit n for the set's counter n
 * @f: filled in on failure
 *
 * Return: 0; -EIO for a register that faults.
 */
int rcr_shared_start(const struct rcr_counter_set *set, unsigned int box,
		     struct rcr_cpu_counters *cpu, u32 which, struct rcr_failure *f)
{
	unsigned int k;
	int err = 0;

	for (k = 0; k < RCR_SHARED && !err; k++)
		err = start_one(set, box, k, cpu, which, f);
	return err;
}

/*
 * What would stop others of the box stays as it is while one of them counts on, for us or
 * for somebody else; a filter, while one that counts on asks for it itself.
 */
static bool is_needed(const struct rcr_counter_set *set, unsigned int box, unsigned int k,
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
 * A filter that somebody else has written since stays. Our overflow bits are cleared:
 * nobody after us shall take them for theirs.
 */
static void restore_one(const struct rcr_box *box, unsigned int k, const struct shared *s,
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
 * rcr_shared_stop() - puts the shared registers of a box back
 * @set: the set
 * @box: which of its boxes
 * @cpu: this CPU's side of the set
 * @restored: the counters that were put back just now
 * @alone: no other counter of the box that was to be put back was not
 */
void rcr_shared_stop(const struct rcr_counter_set *set, unsigned int box,
		     struct rcr_cpu_counters *cpu, u32 restored, bool alone)
{
	unsigned int i, k;

	for (k = 0; k < RCR_SHARED; k++) {
		struct shared all = { };
		u64 before = 0;

		for (i = 0; i < set->count; i++) {
			struct shared s = shared_of(set, i, k);

			if (set->box_of[i] != box || !(restored & BIT(i)) ||
			    !(cpu->saved[i].written & BIT(k)))
				continue;
			cpu->saved[i].written &= ~BIT(k);
			all.address = s.address;
			all.mask |= s.mask;
			all.on |= s.on;
			before |= cpu->saved[i].shared[k];
		}
		if (all.mask && !is_needed(set, box, k, restored, alone))
			restore_one(set->box[box], k, &all, cpu, before);
	}
}

/* Writes a counter's shared registers again: 0, or -EIO for one that faults. */
int rcr_shared_rewrite(const struct rcr_counter_set *set, unsigned int i,
		       const struct rcr_cpu_counters *cpu, struct rcr_failure *f)
{
	unsigned int k;
	u64 control;
	int err = 0;

	for (k = 0; k < RCR_SHARED; k++) {
		struct shared s = shared_of(set, i, k);

		if (s.mask)
			err = write_shared(set->box[set->box_of[i]], &s, cpu, &control, f) ?: err;
	}
	return err;
}

/* Does a counter count by another filter in one set than in the other? */
bool rcr_filter_differs(const struct rcr_register *a, const struct rcr_register *b)
{
	return memcmp(a->filter, b->filter, sizeof(a->filter));
}

/**
 * rcr_filter_forget() - a counter goes on in a set that may ask for no filter
 * @r: its registers in that set
 * @saved: what it keeps; those filters are put back by who asked for them, and are not its
 *	own any more
 */
void rcr_filter_forget(const struct rcr_register *r, struct rcr_saved *saved)
{
	unsigned int k;

	for (k = 0; k < RCR_FILTERS; k++)
		if (!r->filter[k].bits)
			saved->written &= ~BIT(k);
}

/**
 * rcr_filter_look() - reads a counter's filters
 * @r: its registers
 * @changed: gets bits set when they are not as we wrote them
 *
 * Return: 0, or not for a register that faults.
 */
int rcr_filter_look(const struct rcr_register *r, u64 *changed)
{
	unsigned int k;
	int err = 0;
	u64 now;

	for (k = 0; k < RCR_FILTERS && !err; k++) {
		if (!r->filter[k].bits)
			continue;
		err = rcr_rdmsr_safe(r->filter[k].address, &now);
		*changed |= now ^ r->filter[k].bits;
	}
	return err;
}
