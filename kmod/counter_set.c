// SPDX-License-Identifier: GPL-2.0-only
/*
 * counter_set.c - turns events into counters with registers.
 *
 * A counter that the set before has, too, stays where it is if all others can
 * be placed around it: then it is not touched when the set changes.
 */
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "counter_set.h"
#include "place.h"

/**
 * rcr_counter_set_demand() - what an event of a core demands of its counters
 * @pmu: the family
 * @e: the event
 * @demand: gets it
 * @f: gets the reason when it fails
 *
 * Return: 0, or -EINVAL when the family cannot count it.
 */
int rcr_counter_set_demand(const struct rcr_pmu *pmu, const struct rcr_event *e,
			   struct rcr_demand *demand, struct rcr_failure *f)
{
	u64 impossible = rcr_pmu_impossible(pmu, e);

	rcr_pmu_demand(pmu, e, demand);
	if (e->event <= pmu->max_event && impossible)
		return rcr_fail(f, -EINVAL,
			"%s: %s has no such field of a control register (bits 0x%llx are reserved): leave out host and guest.",
			e->name, pmu->name, impossible);
	if (demand->allowed)
		return 0;
	if (e->pinned)
		return rcr_fail(f, -EINVAL,
			"%s: counter %u of %s cannot count event 0x%03x with unit mask 0x%02x: leave out counter:%u.",
			e->name, e->counter, pmu->name, e->event, e->umask,
			e->counter);
	return rcr_fail(f, -EINVAL,
		"%s: no core counter of %s can count event 0x%03x with unit mask 0x%02x.",
		e->name, pmu->name, e->event, e->umask);
}

static int find_needs(const struct rcr_pmu *pmu, const struct rcr_event *events,
		      unsigned int count, struct rcr_need *need,
		      struct rcr_failure *f)
{
	struct rcr_demand demand;
	unsigned int i;
	int err;

	for (i = 0; i < count; i++) {
		if (!rcr_event_is_core(&events[i]))
			return rcr_fail(f, -EINVAL,
				"%s: the kernel counts it, no register does: use source=perf or auto.",
				events[i].name);
		err = rcr_counter_set_demand(pmu, &events[i], &demand, f);
		if (err)
			return err;
		need[i].allowed = demand.allowed;
		need[i].pair = demand.pair;
	}
	return 0;
}

/* Where a counter stands, as placement numbers it. */
static unsigned int place_of(const struct rcr_counter_set *set, unsigned int i)
{
	if (set->reg[i].general)
		return __ffs(set->reg[i].general);
	return RCR_FIXED_FIRST + set->reg[i].counter - set->pmu->fixed_counter0;
}

static unsigned int find_same(const struct rcr_counter_set *before,
			      const struct rcr_event *e)
{
	unsigned int i;

	for (i = 0; before && i < before->count; i++)
		if (rcr_event_same(&before->event[i], e))
			return i;
	return RCR_FROM_NONE;
}

/* Narrows needs to where the counters of the set before stand now. */
static void stay(const struct rcr_counter_set *before,
		 const struct rcr_event *events, unsigned int count,
		 const struct rcr_need *need, struct rcr_need *narrow)
{
	unsigned int i, same;

	for (i = 0; i < count; i++) {
		narrow[i] = need[i];
		same = find_same(before, &events[i]);
		if (same != RCR_FROM_NONE)
			narrow[i].allowed = BIT(place_of(before, same));
	}
}

/* Two that can go nowhere but on the same counter, if that is what is wrong. */
static int cannot_place(const struct rcr_pmu *pmu, const struct rcr_event *events,
			unsigned int count, const struct rcr_need *need,
			struct rcr_failure *f)
{
	unsigned int i, k;

	for (i = 0; i < count; i++)
		for (k = 0; k < i; k++)
			if (need[i].allowed == need[k].allowed &&
			    hweight32(need[i].allowed) == 1)
				return rcr_fail(f, -ENOSPC,
					"%s and %s both need counter %lu of %s: leave out one of them.",
					events[k].name, events[i].name,
					__ffs(need[i].allowed), pmu->name);
	return rcr_fail(f, -ENOSPC,
		"These events cannot be counted at once: too many of them need the same counters of %s.",
		pmu->name);
}

static int check_count(const struct rcr_pmu *pmu, unsigned int count,
		       struct rcr_failure *f)
{
	unsigned int most = pmu->counters + pmu->nfixed;

	if (count <= most)
		return 0;
	return rcr_fail(f, -ENOSPC,
		"%u events are asked for and %s counts %u at once: leave out %u.",
		count, pmu->name, most, count - most);
}

static void set_counter(struct rcr_counter_set *set, unsigned int i,
			const struct rcr_event *e, unsigned int index)
{
	struct rcr_register *reg = &set->reg[i];
	struct rcr_counter *c = &set->counter[i];

	rcr_pmu_register(set->pmu, e, index, reg);
	strscpy(c->name, e->name, sizeof(c->name));
	c->select = reg->select;
	c->control = reg->control;
	c->counter = reg->counter;
	c->width = set->pmu->width;
	set->event[i] = *e;
	set->general |= reg->general;
}

/* A set of fixed counters alone has the first general one, as its arbiter. */
static void set_counters(struct rcr_counter_set *set,
			 const struct rcr_event *events, unsigned int count,
			 const u8 *index)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		set_counter(set, i, &events[i], index[i]);
	set->count = count;
	if (!set->general)
		set->general = BIT(0);
}

/**
 * rcr_counter_set_inherit() - finds what goes on from the set before
 * @set: the set, whose registers are known
 * @before: the set that is counted now, by the same source; NULL: none
 *
 * A counter goes on when name, event and register are the same; it stays halted
 * if it is.
 */
void rcr_counter_set_inherit(struct rcr_counter_set *set,
			     const struct rcr_counter_set *before)
{
	unsigned int i, same;

	for (i = 0; i < set->count; i++) {
		same = find_same(before, &set->event[i]);
		set->from[i] = RCR_FROM_NONE;
		if (same == RCR_FROM_NONE ||
		    before->counter[same].counter != set->counter[i].counter)
			continue;
		set->from[i] = same;
		if (rcr_is_halted(before, same))
			set->halted |= BIT(i);
	}
}

/**
 * rcr_counter_set_build() - gives each event its registers
 * @set: gets the counters, in the order of the events; its family is known
 * @before: the set that is counted now; NULL: none
 * @events: what to count
 * @count: how many events
 * @f: gets the reason when it fails
 *
 * Nothing is programmed.
 *
 * Return: 0; -ENOSPC when they do not fit at once; -EINVAL for an event that
 * no counter can count.
 */
int rcr_counter_set_build(struct rcr_counter_set *set,
			  const struct rcr_counter_set *before,
			  const struct rcr_event *events, unsigned int count,
			  struct rcr_failure *f)
{
	struct rcr_need need[RCR_MAX_COUNTERS] = { }, narrow[RCR_MAX_COUNTERS];
	u8 index[RCR_MAX_COUNTERS];
	int err;

	err = check_count(set->pmu, count, f);
	if (!err)
		err = find_needs(set->pmu, events, count, need, f);
	if (err)
		return err;
	stay(before, events, count, need, narrow);
	if (rcr_place(narrow, count, index) && rcr_place(need, count, index))
		return cannot_place(set->pmu, events, count, need, f);
	set_counters(set, events, count, index);
	return 0;
}
