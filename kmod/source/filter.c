// SPDX-License-Identifier: GPL-2.0-only
/*
 * filter.c - registers of a box that say which of an event's occurrences all its
 * counters count: written before they count, looked at with them, put back when
 * nobody of ours needs them any more.
 *
 * A filter that no event of the set asks for is left alone. All of it runs on the
 * registers' own CPU.
 */
#include <linux/bits.h>
#include <linux/smp.h>

#include "compat/compat.h"
#include "set/counter_set.h"
#include "source.h"

static int write_filter(const struct rcr_filter *filter, u32 val, struct rcr_failure *f)
{
	if (rcr_wrmsr_safe(filter->address, val))
		return rcr_fail_with(f, -EIO, RCR_REASON_REFUSES, "%u%x%x", smp_processor_id(),
				     filter->address, val);
	return 0;
}

/* What it held before us: a counter of ours that runs in the box has found that. */
static int find_before(const struct rcr_counter_set *set, unsigned int box,
		       const struct rcr_cpu_counters *cpu,
		       const struct rcr_register *r, unsigned int k, u64 *before,
		       struct rcr_failure *f)
{
	unsigned int i;

	for (i = 0; i < set->count; i++) {
		if (set->box_of[i] != box || !cpu->saved[i].taken ||
		    !(cpu->saved[i].filtered & BIT(k)))
			continue;
		*before = cpu->saved[i].filter[k];
		return 0;
	}
	if (rcr_rdmsr_safe(r->filter[k].address, before))
		return rcr_fail_with(f, -EIO, RCR_REASON_UNREADABLE, "%u%x", smp_processor_id(),
				     r->filter[k].address);
	return 0;
}

static int start_one(const struct rcr_counter_set *set, unsigned int box,
		     struct rcr_cpu_counters *cpu, u32 which,
		     const struct rcr_register *r, unsigned int k,
		     struct rcr_failure *f)
{
	unsigned int i;
	u64 before;
	int err;

	err = find_before(set, box, cpu, r, k, &before, f) ?:
	      write_filter(&r->filter[k], r->filter[k].bits, f);
	for (i = 0; i < set->count && !err; i++) {
		if (set->box_of[i] != box || !(which & BIT(i)))
			continue;
		cpu->saved[i].filter[k] = before;
		cpu->saved[i].filtered |= BIT(k);
	}
	return err;
}

/**
 * rcr_filter_start() - writes the filters of a box that its events ask for
 * @set: the set
 * @box: which of its boxes
 * @cpu: this CPU's side of the set
 * @which: the counters that begin, bit n for the set's counter n
 * @f: gets the reason when it fails
 *
 * Return: 0; -EIO for a register that faults.
 */
int rcr_filter_start(const struct rcr_counter_set *set, unsigned int box,
		     struct rcr_cpu_counters *cpu, u32 which,
		     struct rcr_failure *f)
{
	const struct rcr_register *r = NULL;
	unsigned int i, k;
	int err = 0;

	for (i = 0; i < set->count; i++) {
		if (set->box_of[i] != box || !(which & BIT(i)))
			continue;
		cpu->saved[i].filtered = 0;
		r = &set->reg[i];
	}
	for (k = 0; r && k < RCR_FILTERS && !err; k++)
		if (r->filter[k].bits)
			err = start_one(set, box, cpu, which, r, k, f);
	return err;
}

/* Does one of the box that counts on ask for it itself? */
static bool is_needed(const struct rcr_counter_set *set, unsigned int box,
		      u32 restored, unsigned int k)
{
	unsigned int i;

	for (i = 0; i < set->count; i++)
		if (set->box_of[i] == box && !(restored & BIT(i)) &&
		    set->event[i].filter[k])
			return true;
	return false;
}

/* What somebody else has written there since stays. */
static void restore_one(const struct rcr_filter *filter, u64 before)
{
	u64 now;

	if (filter->bits && !rcr_rdmsr_safe(filter->address, &now) && now == filter->bits)
		rcr_wrmsr_safe(filter->address, before);
}

/* Does a counter count by another filter in one set than in the other? */
bool rcr_filter_differs(const struct rcr_register *a, const struct rcr_register *b)
{
	unsigned int k;

	for (k = 0; k < RCR_FILTERS; k++)
		if (a->filter[k].bits != b->filter[k].bits)
			return true;
	return false;
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
			saved->filtered &= ~BIT(k);
}

/**
 * rcr_filter_stop() - puts the filters of a box back
 * @set: the set
 * @box: which of its boxes
 * @cpu: this CPU's side of the set
 * @restored: the counters that were put back just now
 */
void rcr_filter_stop(const struct rcr_counter_set *set, unsigned int box,
		     struct rcr_cpu_counters *cpu, u32 restored)
{
	unsigned int i, k;

	for (i = 0; i < set->count; i++) {
		if (set->box_of[i] != box || !(restored & BIT(i)))
			continue;
		for (k = 0; k < RCR_FILTERS; k++)
			if ((cpu->saved[i].filtered & BIT(k)) &&
			    !is_needed(set, box, restored, k))
				restore_one(&set->reg[i].filter[k],
					    cpu->saved[i].filter[k]);
		cpu->saved[i].filtered = 0;
	}
}

/* Writes a counter's filters again: 0, or -EIO for a register that faults. */
int rcr_filter_rewrite(const struct rcr_register *r, struct rcr_failure *f)
{
	unsigned int k;
	int err = 0;

	for (k = 0; k < RCR_FILTERS; k++)
		if (r->filter[k].bits)
			err = write_filter(&r->filter[k], r->filter[k].bits, f) ?: err;
	return err;
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
