// SPDX-License-Identifier: GPL-2.0-only
/*
 * select.c - an event as the control register of a PMU has it.
 *
 * Pure: compiled into the unit tests as well.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "pmu.h"

/*
 * AMD 42301 (BKDG Family 15h), MSRC001_020[A,8,6,4,2,0]; Intel SDM volume 3B,
 * IA32_PERFEVTSELx: the same fields, but for the upper bits of AMD's. Bit 21 is one of the
 * event select in Intel's QPI only; all others have it reserved.
 */
static const struct rcr_layout core_layout = {
	.event = 0xf002000ffull,
	.umask = 0xff00,
	.cmask = 0xff000000,
	.edge = BIT_ULL(18),
	.inv = BIT_ULL(23),
	.user = RCR_SELECT_USER,
	.os = RCR_SELECT_OS,
	.guest = RCR_SELECT_GUEST,
	.host = RCR_SELECT_HOST,
	.enable = RCR_SELECT_ENABLE,
};

/* The fields of an event but its select: their bits in the control, and what they hold. */
struct fields {
	struct {
		const char *name;
		u64 bits;
		u64 value;
	} field[8];
};

/* Which bits of a PMU's controls hold what. */
const struct rcr_layout *rcr_pmu_layout(const struct rcr_pmu *pmu)
{
	return pmu->layout ?: &core_layout;
}

/* A PMU that does not know modes counts both of them, and no other way. */
static u64 mode_of(u64 bits, bool wanted, const struct rcr_event *e)
{
	return wanted && (bits || !(e->user && e->os));
}

static struct fields fields_of(const struct rcr_pmu *pmu, const struct rcr_event *e)
{
	const struct rcr_layout *l = rcr_pmu_layout(pmu);
	const u64 there = ~pmu->reserved;

	return (struct fields){ {
		{ "umask", l->umask & there, e->umask },
		{ "cmask", l->cmask & there, e->cmask },
		{ "edge", l->edge & there, e->edge },
		{ "inv", l->inv & there, e->inv },
		{ "user", l->user & there, mode_of(l->user & there, e->user, e) },
		{ "os", l->os & there, mode_of(l->os & there, e->os, e) },
		{ "guest", l->guest & there, e->guest },
		{ "host", l->host & there, e->host },
	} };
}

/* The lowest bit of @value in the lowest of @bits, and so on; @rest does not fit. */
static u64 spread(u64 value, u64 bits, u64 *rest)
{
	u64 placed = 0;

	for (; bits && value; bits &= bits - 1, value >>= 1)
		if (value & 1)
			placed |= bits & -bits;
	*rest = value;
	return placed;
}

/**
 * rcr_pmu_select() - the control value that counts an event
 * @pmu: the PMU
 * @e: the event; rcr_pmu_impossible() has found nothing in it
 */
u64 rcr_pmu_select(const struct rcr_pmu *pmu, const struct rcr_event *e)
{
	const struct rcr_layout *l = rcr_pmu_layout(pmu);
	struct fields all = fields_of(pmu, e);
	u64 select = l->enable | pmu->always, rest;
	unsigned int i;

	select |= spread(e->event, l->event & ~pmu->reserved, &rest);
	for (i = 0; i < ARRAY_SIZE(all.field); i++)
		select |= spread(all.field[i].value, all.field[i].bits, &rest);
	return select;
}

/* The lowest bit of the unit mask, 0 where there is none. */
u64 rcr_pmu_umask_first(const struct rcr_pmu *pmu)
{
	u64 bits = rcr_pmu_layout(pmu)->umask & ~pmu->reserved;

	return bits & -bits;
}

/* Has the PMU an event select of that number? */
bool rcr_pmu_has_event(const struct rcr_pmu *pmu, const struct rcr_event *e)
{
	u64 rest;

	spread(e->event, rcr_pmu_layout(pmu)->event & ~pmu->reserved, &rest);
	return !rest;
}

/**
 * rcr_pmu_impossible() - what an event asks for that the PMU has not
 * @pmu: the PMU
 * @e: the event
 *
 * Return: the name of a field that is not there or too small, or NULL.
 */
const char *rcr_pmu_impossible(const struct rcr_pmu *pmu, const struct rcr_event *e)
{
	struct fields all = fields_of(pmu, e);
	unsigned int i;
	u64 rest;

	if (pmu->is_register)
		return NULL;
	for (i = 0; i < RCR_FILTERS; i++)
		if (e->filter[i] & ~pmu->filter[i].bits)
			return i ? "filter1" : "filter";
	for (i = 0; i < ARRAY_SIZE(all.field); i++) {
		spread(all.field[i].value, all.field[i].bits, &rest);
		if (rest)
			return all.field[i].name;
	}
	return NULL;
}
