// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmu.c - reads a family's table: encodes events and finds their counters.
 *
 * Pure: compiled into the unit tests as well. Which table this CPU needs is
 * detect.c's question.
 */
#include <linux/bitops.h>
#include <linux/bits.h>

#include "pmu.h"

/**
 * rcr_pmu_select() - the control value that counts an event
 * @pmu: the family
 * @e: the event; its select fits @pmu->max_event
 *
 * AMD 42301 (BKDG Family 15h), MSRC001_020[A,8,6,4,2,0]; Intel SDM volume 3B,
 * IA32_PERFEVTSELx: the same fields, but for the upper bits of AMD's event.
 */
u64 rcr_pmu_select(const struct rcr_pmu *pmu, const struct rcr_event *e)
{
	u64 select = RCR_SELECT_ENABLE;

	select |= e->event & 0xff;
	select |= (u64)(e->event >> 8) << RCR_SELECT_EVENT_HIGH_SHIFT;
	select |= (u64)e->umask << RCR_SELECT_UMASK_SHIFT;
	select |= (u64)e->cmask << RCR_SELECT_CMASK_SHIFT;
	if (e->user)
		select |= RCR_SELECT_USER;
	if (e->os)
		select |= RCR_SELECT_OS;
	if (e->edge)
		select |= RCR_SELECT_EDGE;
	if (e->inv)
		select |= RCR_SELECT_INV;
	return select & ~pmu->reserved;
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

static u32 general_allowed(const struct rcr_pmu *pmu, const struct rcr_event *e)
{
	const struct rcr_constraint *c;

	for (c = pmu->constraint; c && c->bits; c++)
		if ((e->event & c->bits) == c->event &&
		    rule_fits(c->rule, e->umask))
			return c->counters;
	return GENMASK(pmu->counters - 1, 0);
}

/* A fixed counter knows no counter mask, no edge and no inversion. */
static u32 fixed_allowed(const struct rcr_pmu *pmu, const struct rcr_event *e)
{
	u32 allowed = 0;
	unsigned int i;

	if (e->cmask || e->inv || e->edge)
		return 0;
	for (i = 0; i < pmu->nfixed; i++)
		if (pmu->fixed[i].event == e->event &&
		    pmu->fixed[i].umask == e->umask)
			allowed |= BIT(RCR_FIXED_FIRST + i);
	return allowed;
}

/**
 * rcr_pmu_allowed() - the counters that can count an event
 * @pmu: the family
 * @e: the event
 *
 * Return: bit n for counter n, bit RCR_FIXED_FIRST + n for fixed counter n; 0
 * when no core counter can.
 */
u32 rcr_pmu_allowed(const struct rcr_pmu *pmu, const struct rcr_event *e)
{
	if (e->event > pmu->max_event)
		return 0;
	return general_allowed(pmu, e) | fixed_allowed(pmu, e);
}

/* Intel SDM volume 3B, IA32_FIXED_CTR_CTRL: bit 0 kernel, 1 user, 3 interrupt. */
static void fixed_register(const struct rcr_pmu *pmu, const struct rcr_event *e,
			   unsigned int n, struct rcr_register *reg)
{
	u64 modes = (e->os ? 1 : 0) | (e->user ? 2 : 0);

	reg->control = pmu->fixed_control;
	reg->counter = pmu->fixed_counter0 + n;
	reg->select = modes << (4 * n);
	reg->mask = 0xfull << (4 * n);
	reg->enable = 0x3ull << (4 * n);
	reg->global = BIT_ULL(32 + n);
}

/**
 * rcr_pmu_register() - how an event is counted on a counter
 * @pmu: the family
 * @e: the event
 * @index: the counter, as rcr_pmu_allowed() numbers it
 * @reg: gets it
 */
void rcr_pmu_register(const struct rcr_pmu *pmu, const struct rcr_event *e,
		      unsigned int index, struct rcr_register *reg)
{
	if (index >= RCR_FIXED_FIRST) {
		fixed_register(pmu, e, index - RCR_FIXED_FIRST, reg);
	} else {
		reg->control = pmu->control0 + index * pmu->stride;
		reg->counter = pmu->counter0 + index * pmu->stride;
		reg->select = rcr_pmu_select(pmu, e);
		reg->mask = ~0ull;
		reg->enable = RCR_SELECT_ENABLE;
		reg->global = BIT_ULL(index);
	}
	if (!pmu->global_control)
		reg->global = 0;
}
