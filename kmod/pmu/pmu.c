// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmu.c - reads a PMU's table: encodes events and finds their counters.
 *
 * Pure: compiled into the unit tests as well. Which table this CPU needs is
 * detect.c's question.
 */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/string.h>

#include "pmu.h"

/**
 * rcr_machine_pmu() - whose event it is
 * @m: the machine
 * @e: the event
 *
 * Return: the PMU, or NULL when this machine has none of that name.
 */
const struct rcr_pmu *rcr_machine_pmu(const struct rcr_machine *m,
				      const struct rcr_event *e)
{
	unsigned int i;

	if (!e->unit[0])
		return m->pmu[0];
	for (i = 0; i < m->count; i++)
		if (!strcmp(m->pmu[i]->name, e->unit))
			return m->pmu[i];
	return NULL;
}

/* Every field of an event in its place, whatever the family has there. */
static u64 encode(const struct rcr_event *e)
{
	u64 select = RCR_SELECT_ENABLE;

	select |= e->event & 0xff;
	select |= (u64)(e->event >> 8) << RCR_SELECT_EVENT_HIGH_SHIFT;
	select |= (u64)e->umask << RCR_SELECT_UMASK_SHIFT;
	select |= (u64)e->cmask << RCR_SELECT_CMASK_SHIFT;
	select |= e->edge ? RCR_SELECT_EDGE : 0;
	select |= e->inv ? RCR_SELECT_INV : 0;
	select |= e->guest ? RCR_SELECT_GUEST : 0;
	select |= e->host ? RCR_SELECT_HOST : 0;
	return select;
}

/* A PMU that does not know modes counts both of them, and no other way. */
static u64 encode_modes(const struct rcr_pmu *pmu, const struct rcr_event *e)
{
	u64 modes = (e->user ? RCR_SELECT_USER : 0) | (e->os ? RCR_SELECT_OS : 0);

	if (e->user && e->os)
		modes &= ~pmu->reserved;
	return modes;
}

/**
 * rcr_pmu_select() - the control value that counts an event
 * @pmu: the PMU
 * @e: the event; rcr_pmu_impossible() has found nothing in it
 *
 * AMD 42301 (BKDG Family 15h), MSRC001_020[A,8,6,4,2,0]; Intel SDM volume 3B,
 * IA32_PERFEVTSELx: the same fields, but for the upper bits of AMD's.
 */
u64 rcr_pmu_select(const struct rcr_pmu *pmu, const struct rcr_event *e)
{
	return ((encode(e) | encode_modes(pmu, e)) & ~pmu->reserved) | pmu->always;
}

/**
 * rcr_pmu_impossible() - what an event asks for that the PMU has not
 * @pmu: the PMU
 * @e: the event
 *
 * Return: bits of the control value that are reserved there, or 0.
 */
u64 rcr_pmu_impossible(const struct rcr_pmu *pmu, const struct rcr_event *e)
{
	if (pmu->is_register)
		return 0;
	return (encode(e) | encode_modes(pmu, e)) & pmu->reserved;
}

static bool rule_fits(enum rcr_umask_rule rule, u8 umask)
{
	switch (rule) {
	case RCR_UMASK_MANY:
		return hweight8(umask) > 1;
	case RCR_UMASK_BOTH_NIBBLES:
		return (umask & 0xf0) && (umask & 0x0f);
	default:
		return true;
	}
}

static const struct rcr_constraint *
find_constraint(const struct rcr_pmu *pmu, const struct rcr_event *e)
{
	const struct rcr_constraint *c;

	for (c = pmu->constraint; c && c->bits; c++)
		if ((e->event & c->bits) == c->event &&
		    rule_fits(c->rule, e->umask))
			return c;
	return NULL;
}

static void demand_general(const struct rcr_pmu *pmu, const struct rcr_event *e,
			   struct rcr_demand *d)
{
	const struct rcr_constraint *c = find_constraint(pmu, e);
	u32 all = GENMASK(pmu->counters - 1, 0);

	d->allowed = c ? c->counters : all;
	d->most = c && c->most ? c->most : pmu->most;
	d->pair = c && c->pair;
	if (e->pinned)
		d->allowed &= e->counter < pmu->counters ? BIT(e->counter) : 0;
}

/* A fixed counter knows no counter mask, no edge and no inversion. */
static void demand_fixed(const struct rcr_pmu *pmu, const struct rcr_event *e,
			 struct rcr_demand *d)
{
	unsigned int i;

	if (e->cmask || e->inv || e->edge || e->pinned)
		return;
	for (i = 0; i < pmu->nfixed; i++) {
		if (pmu->fixed[i].event != e->event ||
		    pmu->fixed[i].umask != e->umask)
			continue;
		d->allowed |= BIT(RCR_FIXED_FIRST + i);
		d->most = pmu->fixed[i].most;
	}
}

/**
 * rcr_pmu_demand() - what an event demands of the counters
 * @pmu: the PMU
 * @e: the event
 * @demand: gets it
 */
void rcr_pmu_demand(const struct rcr_pmu *pmu, const struct rcr_event *e,
		    struct rcr_demand *demand)
{
	*demand = (struct rcr_demand){ };
	if (e->event > pmu->max_event || e->is_register != pmu->is_register)
		return;
	demand_general(pmu, e, demand);
	demand_fixed(pmu, e, demand);
}

/**
 * rcr_pmu_fixed_modes() - what a fixed counter's control holds
 * @os: it counts in the kernel
 * @user: it counts in user mode
 * @n: which fixed counter
 *
 * Intel SDM volume 3B, IA32_FIXED_CTR_CTRL: bit 0 kernel, 1 user, 3 interrupt.
 */
u64 rcr_pmu_fixed_modes(bool os, bool user, unsigned int n)
{
	return ((os ? 1ull : 0) | (user ? 2ull : 0)) << (4 * n);
}

static void fixed_register(const struct rcr_pmu *pmu, const struct rcr_event *e,
			   unsigned int n, struct rcr_register *reg)
{
	reg->control = pmu->fixed_control;
	reg->counter = pmu->fixed_counter0 + n;
	reg->select = rcr_pmu_fixed_modes(e->os, e->user, n);
	reg->mask = 0xfull << (4 * n);
	reg->enable = 0x3ull << (4 * n);
	reg->global = BIT_ULL(32 + n);
	reg->written = pmu->width;
}

static void general_register(const struct rcr_pmu *pmu, unsigned int index,
			     struct rcr_register *reg)
{
	reg->control = pmu->is_register ? 0 : pmu->control0 + index * pmu->stride;
	reg->counter = pmu->counter0 + index * pmu->stride;
	reg->mask = pmu->is_register ? 0 : ~0ull;
	reg->enable = pmu->is_register ? 0 : RCR_SELECT_ENABLE;
	reg->global = BIT_ULL(index);
	reg->general = BIT(index);
	reg->written = pmu->written;
}

/**
 * rcr_pmu_register() - how an event is counted on a counter
 * @pmu: the PMU
 * @e: the event
 * @index: the counter, as rcr_pmu_demand() numbers it
 * @reg: gets it
 */
void rcr_pmu_register(const struct rcr_pmu *pmu, const struct rcr_event *e,
		      unsigned int index, struct rcr_register *reg)
{
	struct rcr_demand demand;

	rcr_pmu_demand(pmu, e, &demand);
	*reg = (struct rcr_register){ .pmu = pmu, .most = demand.most };
	if (index >= RCR_FIXED_FIRST) {
		fixed_register(pmu, e, index - RCR_FIXED_FIRST, reg);
	} else {
		general_register(pmu, index, reg);
		reg->select = pmu->is_register ? 0 : rcr_pmu_select(pmu, e);
		reg->per_node = e->per_node ? BIT_ULL(RCR_SELECT_UMASK_SHIFT) : 0;
		if (demand.pair) {
			reg->global |= BIT_ULL(index + 1);
			reg->general |= BIT(index + 1);
		}
	}
	if (!pmu->global_control)
		reg->global = 0;
}

/**
 * rcr_pmu_upper() - the upper registers of a pair
 * @lower: registers of the counter
 * @upper: gets those that it takes besides
 *
 * AMD, PPR of each Zen family, "Large Increment per Cycle Events": the odd
 * counter holds the merge event and lends its bits to the even one below.
 *
 * Return: whether there are any.
 */
bool rcr_pmu_upper(const struct rcr_register *lower, struct rcr_register *upper)
{
	const struct rcr_pmu *pmu = lower->pmu;

	if (hweight32(lower->general) < 2)
		return false;
	*upper = (struct rcr_register){ .pmu = pmu };
	general_register(pmu, fls(lower->general) - 1, upper);
	upper->select = pmu->merge;
	return true;
}
