/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pmu.h - what a family's table says about its performance counters.
 */
#ifndef RCR_PMU_H
#define RCR_PMU_H

#include <linux/bits.h>
#include <linux/types.h>
#include "../event.h"

/* Fields of a control register that AMD and Intel have in common. */
#define RCR_SELECT_UMASK_SHIFT	8
#define RCR_SELECT_USER		BIT_ULL(16)
#define RCR_SELECT_OS		BIT_ULL(17)
#define RCR_SELECT_EDGE		BIT_ULL(18)
#define RCR_SELECT_INT		BIT_ULL(20)	/* never set: nobody would handle it */
#define RCR_SELECT_ENABLE	BIT_ULL(22)
#define RCR_SELECT_INV		BIT_ULL(23)
#define RCR_SELECT_CMASK_SHIFT	24
#define RCR_SELECT_EVENT_HIGH_SHIFT 32		/* AMD: event select bits 11:8 */

/* When a constraint holds, by the unit mask. */
enum rcr_umask_rule {
	RCR_UMASK_ANY,
	RCR_UMASK_MANY,			/* more than one bit */
	RCR_UMASK_BOTH_NIBBLES,		/* bits in 7:4 and in 3:0 */
};

/**
 * struct rcr_constraint - which counters can count which events
 * @bits: bits of the event select that are compared
 * @event: what they must be
 * @rule: what the unit mask must be
 * @counters: the counters that can count it, bit n for counter n; 0: none
 *
 * The first row that fits an event holds.
 */
struct rcr_constraint {
	u16 bits;
	u16 event;
	enum rcr_umask_rule rule;
	u32 counters;
};

/**
 * struct rcr_pmu - a family's core counters, as its manual describes them
 * @name: for people
 * @vendor: as CPUID 0 spells it
 * @family: display family
 * @feature_leaf: CPUID leaf whose ECX must have
 * @feature_bit: this bit
 * @control0: address of the first control register
 * @counter0: address of the first count register
 * @stride: distance of two registers of a kind
 * @counters: how many
 * @width: bits of a count register
 * @max_event: largest event select
 * @reserved: bits of a control that are never set
 * @constraint: which counters can count what, ended by an all-zero row; an
 *	event that no row fits goes on any
 * @default_event: the default set
 * @defaults: entries of @default_event
 */
struct rcr_pmu {
	const char *name;
	const char *vendor;
	unsigned int family;
	u32 feature_leaf;
	unsigned int feature_bit;
	u32 control0;
	u32 counter0;
	u32 stride;
	unsigned int counters;
	unsigned int width;
	unsigned int max_event;
	u64 reserved;
	const struct rcr_constraint *constraint;
	const struct rcr_event *default_event;
	unsigned int defaults;
};

extern const struct rcr_pmu rcr_pmu_amd_f15h;

u64 rcr_pmu_select(const struct rcr_pmu *pmu, const struct rcr_event *e);
u32 rcr_pmu_allowed(const struct rcr_pmu *pmu, const struct rcr_event *e);

#endif
