// SPDX-License-Identifier: GPL-2.0-only
/*
 * counter_set.c - builds a counter set: assigns events to counters and registers.
 *
 * An event that the previous set counts as well keeps its counter if the other events still
 * fit: its register is then left alone when the set changes.
 */
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "counter_set.h"
#include "assign.h"

static int report_no_counter(const struct rcr_machine *m, const struct rcr_box *box,
			     const struct rcr_event *e, struct rcr_failure *f)
{
	char unit[RCR_UNIT_LEN];

	rcr_box_name(box, unit);
	if (e->pinned)
		return rcr_fail_with(f, -EINVAL, RCR_REASON_COUNTER_CANNOT, "%s%u%s%x%x",
				     e->name, e->counter, m->family->name, e->event, e->umask);
	return rcr_fail_with(f, -EINVAL, RCR_REASON_NO_COUNTER_CAN, "%s%s%s%x%x", e->name, unit,
			     m->family->name, e->event, e->umask);
}

/* Count the boxes of the PMU type @name; @last is the number of the last one. */
static unsigned int count_unit_boxes(const struct rcr_machine *m, const char *name,
				     unsigned int *last)
{
	unsigned int i, count = 0;

	for (i = 0; i < m->count; i++) {
		if (m->box[i].pmu->boxes <= 1 || strcmp(m->box[i].pmu->name, name))
			continue;
		*last = m->box[i].number;
		count++;
	}
	return count;
}

/**
 * rcr_counter_set_no_unit() - fill in the failure for an event of an unknown unit
 * @m: the machine, which does not have the unit
 * @e: the event
 * @f: filled in
 *
 * Return: -EINVAL.
 */
int rcr_counter_set_no_unit(const struct rcr_machine *m, const struct rcr_event *e,
			    struct rcr_failure *f)
{
	unsigned int last, boxes = count_unit_boxes(m, e->unit, &last);

	if (boxes)
		return rcr_fail_with(f, -EINVAL, last < boxes ? RCR_REASON_UNITS :
						 RCR_REASON_UNITS_WITH_GAPS,
				     "%s%u%s%u", e->name, boxes, e->unit, last);
	return rcr_fail_with(f, -EINVAL, RCR_REASON_NO_UNIT, "%s%s%s", e->name, m->family->name,
			     e->unit);
}

/**
 * rcr_counter_set_demand() - determine which counters can count an event
 * @m: the machine
 * @e: the event
 * @demand: output buffer
 * @f: filled in on failure
 *
 * Return: 0, or -EINVAL if the machine cannot count the event.
 */
int rcr_counter_set_demand(const struct rcr_machine *m, const struct rcr_event *e,
			   struct rcr_demand *demand, struct rcr_failure *f)
{
	const struct rcr_box *box = rcr_machine_box(m, e);
	const char *impossible;

	if (!box)
		return rcr_counter_set_no_unit(m, e, f);
	impossible = rcr_pmu_unsupported(box->pmu, e);
	rcr_pmu_demand(box, e, demand);
	if (rcr_pmu_has_event(box->pmu, e) && impossible)
		return rcr_fail_with(f, -EINVAL, RCR_REASON_NO_FIELD, "%s%s%s%s", e->name,
				     box->pmu->name, m->family->name, impossible);
	return demand->allowed ? 0 : report_no_counter(m, box, e, f);
}

static int find_needs(const struct rcr_counter_set *set, unsigned long which,
		      struct rcr_need *need, struct rcr_failure *f)
{
	const struct rcr_event *e = set->event;
	struct rcr_demand demand;
	unsigned int i;
	int err;

	for_each_set_bit(i, &which, RCR_MAX_COUNTERS) {
		if (!rcr_event_is_hardware(&e[i]))
			return rcr_fail_with(f, -EINVAL, RCR_REASON_NEEDS_KERNEL, "%s",
					     e[i].name);
		err = rcr_counter_set_demand(set->machine, &e[i], &demand, f);
		if (err)
			return err;
		need[i].allowed = demand.allowed;
		need[i].pair = demand.pair;
	}
	return 0;
}

/**
 * rcr_counter_set_find() - find the counter of an event
 * @set: the set, or NULL
 * @e: the event; name and encoding must match
 *
 * Return: number of the counter in the set, or RCR_FROM_NONE.
 */
unsigned int rcr_counter_set_find(const struct rcr_counter_set *set,
				  const struct rcr_event *e)
{
	unsigned int i;

	for (i = 0; set && i < set->count; i++)
		if (rcr_event_same(&set->event[i], e))
			return i;
	return RCR_FROM_NONE;
}

/* The events of one box, which are assigned independently of other boxes. */
struct share {
	const struct rcr_box *box;
	unsigned int count;
	u8 event[RCR_MAX_COUNTERS];	/* numbers in the set */
	struct rcr_need need[RCR_MAX_COUNTERS];
	struct rcr_need narrow[RCR_MAX_COUNTERS];	/* @need, or the counter in use now */
	u8 index[RCR_MAX_COUNTERS];	/* assigned counter of the box */
};

/* Report two events that need the same single counter, or else the unit that is full. */
static int report_unplaced(const struct rcr_machine *m, const struct share *s,
			   const struct rcr_event *events, struct rcr_failure *f)
{
	char unit[RCR_UNIT_LEN];
	unsigned int i, k;

	for (i = 0; i < s->count; i++)
		for (k = 0; k < i; k++)
			if (s->need[i].allowed == s->need[k].allowed &&
			    hweight32(s->need[i].allowed) == 1)
				return rcr_fail_with(f, -ENOSPC, RCR_REASON_SAME_COUNTER,
						     "%s%s%lu%s", events[s->event[k]].name,
						     events[s->event[i]].name,
						     __ffs(s->need[i].allowed), m->family->name);
	rcr_box_name(s->box, unit);
	return rcr_fail_with(f, -ENOSPC, RCR_REASON_SAME_COUNTERS, "%s%s", unit, m->family->name);
}

static int check_count(const struct rcr_machine *m, const struct share *s,
		       struct rcr_failure *f)
{
	unsigned int most = s->box->counters + s->box->pmu->nfixed;
	char unit[RCR_UNIT_LEN];

	if (s->count <= most)
		return 0;
	if (s->box == &m->box[0])
		return rcr_fail_with(f, -ENOSPC, RCR_REASON_TOO_MANY, "%u%s%u%u", s->count,
				     m->family->name, most, s->count - most);
	rcr_box_name(s->box, unit);
	return rcr_fail_with(f, -ENOSPC, RCR_REASON_TOO_MANY_OF_UNIT, "%u%s%s%u%u", s->count,
			     unit, m->family->name, most, s->count - most);
}

static void fill_counter(struct rcr_counter_set *set, unsigned int i,
			 const struct share *s, unsigned int index)
{
	const struct rcr_event *e = &set->event[i];
	const struct rcr_pmu *pmu = s->box->pmu;
	struct rcr_register *reg = &set->reg[i];
	struct rcr_counter *c = &set->counter[i];

	rcr_pmu_register(s->box, e, index, reg);
	strscpy(c->name, e->name, sizeof(c->name));
	c->select = reg->select;
	c->control = rcr_box_full_address(s->box, reg->control);
	c->counter = rcr_box_full_address(s->box, reg->counter);
	c->width = pmu->width;
	c->scope = pmu->scope;
	c->unit = pmu->unit;
	set->box_of[i] = set->boxes;
	set->scope[pmu->scope] |= BIT(i);
	if (pmu->pci)
		set->slow |= BIT(i);
	if (set->machine->family->package_freeze && pmu->scope == RCR_SCOPE_PACKAGE &&
	    pmu->control0)
		set->freezable |= BIT(i);
	if (s->box == &set->machine->box[0])
		set->general |= reg->general;
}

/* A box has one filter register for all its events: events with a filter must agree. */
static int join_filters(struct rcr_counter_set *set, const struct share *s,
			unsigned int k, struct rcr_failure *f)
{
	const struct rcr_event *first = NULL, *e;
	unsigned int i;

	for (i = 0; i < s->count; i++) {
		e = &set->event[s->event[i]];
		if (first && e->filter[k] && e->filter[k] != first->filter[k])
			return rcr_fail_with(f, -EINVAL, RCR_REASON_FILTERS_DIFFER, "%s%s%x%x",
					     first->name, e->name, first->filter[k],
					     e->filter[k]);
		if (e->filter[k])
			first = e;
	}
	for (i = 0; first && i < s->count; i++) {
		set->reg[s->event[i]].plain = false;
		set->reg[s->event[i]].filter[k] = (struct rcr_filter){
			rcr_box_address(s->box, s->box->pmu->filter[k].address),
			first->filter[k],
		};
	}
	return 0;
}

static void take_share(struct share *s, const struct rcr_counter_set *before,
		       const struct rcr_counter_set *set, unsigned long which,
		       const struct rcr_need *need)
{
	unsigned int i, same;

	s->count = 0;
	for_each_set_bit(i, &which, RCR_MAX_COUNTERS) {
		if (rcr_machine_box(set->machine, &set->event[i]) != s->box)
			continue;
		s->event[s->count] = i;
		s->need[s->count] = need[i];
		s->narrow[s->count] = need[i];
		same = rcr_counter_set_find(before, &set->event[i]);
		if (same != RCR_FROM_NONE)
			s->narrow[s->count].allowed = BIT(before->reg[same].index);
		s->count++;
	}
}

/* Try to keep the counters of the previous set, then any assignment. */
static int place_share(struct rcr_counter_set *set, struct share *s,
		       struct rcr_failure *f)
{
	unsigned int i, k;
	int err;

	err = check_count(set->machine, s, f);
	if (err)
		return err;
	if (rcr_place(s->narrow, s->count, s->index) &&
	    rcr_place(s->need, s->count, s->index))
		return report_unplaced(set->machine, s, set->event, f);
	for (i = 0; i < s->count; i++)
		fill_counter(set, s->event[i], s, s->index[i]);
	for (k = 0; k < RCR_FILTERS && !err; k++)
		err = join_filters(set, s, k, f);
	if (err)
		return err;
	set->box[set->boxes++] = s->box;
	return 0;
}

/**
 * rcr_counter_set_owned() - counters that a CPU reads
 * @set: the set
 * @scopes: bit n: the CPU is the owner CPU of its unit of scope n
 *
 * Return: bit n for the set's counter n: per-CPU counters and those of the owned units.
 */
u32 rcr_counter_set_owned(const struct rcr_counter_set *set, u32 scopes)
{
	u32 owned = set->scope[RCR_SCOPE_CPU];
	unsigned int scope;

	for (scope = RCR_SCOPE_CPU + 1; scope < RCR_SCOPES; scope++)
		if (scopes & BIT(scope))
			owned |= set->scope[scope];
	return owned;
}

/**
 * rcr_counter_set_inherit() - determine which counters continue from the previous set
 * @set: the set, with registers assigned
 * @before: the set that is counted now, or NULL
 *
 * A counter continues if name, event and register address are the same. It stays halted if
 * it is halted now.
 */
void rcr_counter_set_inherit(struct rcr_counter_set *set,
			     const struct rcr_counter_set *before)
{
	unsigned int i, same;

	set->kept = 0;
	for (i = 0; i < set->count; i++) {
		same = rcr_counter_set_find(before, &set->event[i]);
		set->from[i] = RCR_FROM_NONE;
		if (same == RCR_FROM_NONE ||
		    before->counter[same].counter != set->counter[i].counter)
			continue;
		set->from[i] = same;
		set->kept |= BIT(i);
		if (rcr_is_halted(before, same))
			set->halted |= BIT(i);
	}
}

static bool has_core_event(const struct rcr_counter_set *set, unsigned long which)
{
	unsigned int i;

	for_each_set_bit(i, &which, RCR_MAX_COUNTERS)
		if (set->box[set->box_of[i]] == &set->machine->box[0])
			return true;
	return false;
}

/**
 * rcr_counter_set_build() - assign counters and registers to the events of a set
 * @set: the set, with machine and events; its counters are filled in
 * @before: the set that is counted now, or NULL
 * @which: bit n: event n is counted by registers that we program
 * @f: filled in on failure
 *
 * Does not program any register.
 *
 * Context: may sleep.
 * Return: 0; -ENOSPC if the events cannot all be counted at once; -EINVAL for an event that
 * no counter can count; -ENOMEM.
 */
int rcr_counter_set_build(struct rcr_counter_set *set,
			  const struct rcr_counter_set *before, u32 which,
			  struct rcr_failure *f)
{
	struct rcr_need need[RCR_MAX_COUNTERS] = { };
	const struct rcr_machine *m = set->machine;
	struct share *s;
	unsigned int i;
	int err;

	s = kmalloc(sizeof(*s), GFP_KERNEL);
	if (!s)
		return rcr_fail(f, -ENOMEM, RCR_REASON_NO_MEMORY);
	err = find_needs(set, which, need, f);
	for (i = 0; i < m->count && !err; i++) {
		s->box = &m->box[i];
		take_share(s, before, set, which, need);
		if (s->count)
			err = place_share(set, s, f);
	}
	kfree(s);
	/* A set of fixed counters only reserves general counter 0 to claim the core PMU. */
	if (has_core_event(set, which) && !set->general)
		set->general = BIT(0);
	return err;
}
