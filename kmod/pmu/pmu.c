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

/**
 * rcr_pmu_allowed() - the counters that can count an event
 * @pmu: the family
 * @e: the event
 *
 * Return: bit n for counter n; 0 when no core counter can.
 */
u32 rcr_pmu_allowed(const struct rcr_pmu *pmu, const struct rcr_event *e)
{
	const struct rcr_constraint *c;

	if (e->event > pmu->max_event)
		return 0;
	for (c = pmu->constraint; c && c->bits; c++)
		if ((e->event & c->bits) == c->event &&
		    rule_fits(c->rule, e->umask))
			return c->counters;
	return GENMASK(pmu->counters - 1, 0);
}
