// SPDX-License-Identifier: GPL-2.0-only
/*
 * counter_set.c - turns events into counters with registers.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "counter_set.h"
#include "place.h"

static int find_counters(struct rcr_counter_set *set,
			 const struct rcr_event *events, unsigned int count,
			 u32 *allowed, struct rcr_failure *f)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		if (events[i].kind != RCR_EVENT_CORE)
			return rcr_fail(f, -EINVAL,
				"%s: the kernel counts it, no register does: use source=perf or auto.",
				events[i].name);
		allowed[i] = rcr_pmu_allowed(set->pmu, &events[i]);
		if (!allowed[i])
			return rcr_fail(f, -EINVAL,
				"%s: no core counter of %s can count event 0x%03x with unit mask 0x%02x.",
				events[i].name, set->pmu->name, events[i].event,
				events[i].umask);
	}
	return 0;
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
}

/**
 * rcr_counter_set_build() - gives each event its registers
 * @set: gets the counters, in the order of the events
 * @pmu: the family
 * @events: what to count
 * @count: how many events
 * @f: gets the reason when it fails
 *
 * Nothing is programmed.
 *
 * Return: 0; -ENOSPC when they do not fit at once; -EINVAL for an event that
 * no counter can count.
 */
int rcr_counter_set_build(struct rcr_counter_set *set, const struct rcr_pmu *pmu,
			  const struct rcr_event *events, unsigned int count,
			  struct rcr_failure *f)
{
	u8 index[RCR_MAX_COUNTERS];
	u32 allowed[RCR_MAX_COUNTERS] = { };
	unsigned int most = pmu->counters + pmu->nfixed, i;
	int err;

	set->pmu = pmu;
	if (count > most)
		return rcr_fail(f, -ENOSPC,
			"%u events are asked for and %s counts %u at once: leave out %u.",
			count, pmu->name, most, count - most);
	err = find_counters(set, events, count, allowed, f);
	if (err)
		return err;
	if (rcr_place(allowed, count, index))
		return rcr_fail(f, -ENOSPC,
			"These events cannot be counted at once: too many of them need the same counters of %s.",
			pmu->name);
	for (i = 0; i < count; i++)
		set_counter(set, i, &events[i], index[i]);
	set->count = count;
	return 0;
}
