// SPDX-License-Identifier: GPL-2.0-only
/*
 * select.c - encode an event as the value of a control register.
 *
 * Has no kernel state: also compiled into the unit tests.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "pmu.h"

/*
 * AMD 42301 (BKDG Family 15h), MSRC001_020[A,8,6,4,2,0]; Intel SDM volume 3B,
 * IA32_PERFEVTSELx: the same fields, except for AMD's upper bits. Bit 21 belongs to the event
 * select only in Intel's QPI and is reserved elsewhere.
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

/* Fields of an event without the event select: name, bits in the control, value. */
struct fields {
	struct {
		const char *name;
		u64 bits;
		u64 value;
	} field[8];
};

const struct rcr_layout *rcr_pmu_layout(const struct rcr_pmu *pmu)
{
	return pmu->layout ?: &core_layout;
}

/*
 * Value of a mode field. A PMU without mode bits counts in both modes: an event that requests
 * only one of them gets a value that the missing field cannot hold.
 */
static u64 mode_bit(u64 bits, bool wanted, const struct rcr_event *e)
{
	return wanted && (bits || !(e->user && e->os));
}

static struct fields event_fields(const struct rcr_pmu *pmu, const struct rcr_event *e)
{
	const struct rcr_layout *l = rcr_pmu_layout(pmu);
	const u64 there = ~pmu->reserved;

	return (struct fields){ {
		{ "umask", l->umask & there, e->umask },
		{ "cmask", l->cmask & there, e->cmask },
		{ "edge", l->edge & there, e->edge },
		{ "inv", l->inv & there, e->inv },
		{ "user", l->user & there, mode_bit(l->user & there, e->user, e) },
		{ "os", l->os & there, mode_bit(l->os & there, e->os, e) },
		{ "guest", l->guest & there, e->guest },
		{ "host", l->host & there, e->host },
	} };
}

/*
 * Deposit the bits of @value in the bits of @bits, lowest first. @rest is set to the bits of
 * @value that do not fit, shifted down.
 */
static u64 deposit_bits(u64 value, u64 bits, u64 *rest)
{
	u64 placed = 0;

	for (; bits && value; bits &= bits - 1, value >>= 1)
		if (value & 1)
			placed |= bits & -bits;
	*rest = value;
	return placed;
}

/**
 * rcr_pmu_select() - value of the control register that counts an event
 * @pmu: the PMU
 * @e: the event, which has passed rcr_pmu_unsupported()
 */
u64 rcr_pmu_select(const struct rcr_pmu *pmu, const struct rcr_event *e)
{
	const struct rcr_layout *l = rcr_pmu_layout(pmu);
	struct fields all = event_fields(pmu, e);
	u64 select = l->enable | pmu->always, rest;
	unsigned int i;

	select |= deposit_bits(e->event, l->event & ~pmu->reserved, &rest);
	for (i = 0; i < ARRAY_SIZE(all.field); i++)
		select |= deposit_bits(all.field[i].value, all.field[i].bits, &rest);
	return select;
}

/* The lowest bit of the unit mask; 0 if there is no unit mask. */
u64 rcr_pmu_umask_first(const struct rcr_pmu *pmu)
{
	u64 bits = rcr_pmu_layout(pmu)->umask & ~pmu->reserved;

	return bits & -bits;
}

/* True if the event select fits its field. */
bool rcr_pmu_has_event(const struct rcr_pmu *pmu, const struct rcr_event *e)
{
	u64 rest;

	deposit_bits(e->event, rcr_pmu_layout(pmu)->event & ~pmu->reserved, &rest);
	return !rest;
}

/**
 * rcr_pmu_unsupported() - find a field of an event that the PMU does not support
 * @pmu: the PMU
 * @e: the event
 *
 * Return: name of the first field that is missing or too narrow; NULL if there is none.
 */
const char *rcr_pmu_unsupported(const struct rcr_pmu *pmu, const struct rcr_event *e)
{
	struct fields all = event_fields(pmu, e);
	unsigned int i;
	u64 rest;

	if (pmu->is_register)
		return NULL;
	for (i = 0; i < RCR_FILTERS; i++)
		if (e->filter[i] & ~pmu->filter[i].bits)
			return i ? "filter1" : "filter";
	for (i = 0; i < ARRAY_SIZE(all.field); i++) {
		deposit_bits(all.field[i].value, all.field[i].bits, &rest);
		if (rest)
			return all.field[i].name;
	}
	return NULL;
}
