// SPDX-License-Identifier: GPL-2.0-only
/*
 * msr_fast.c - finds the plain counters of a set.
 */
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/kernel.h>

#include "set/counter_set.h"
#include "msr_fast.h"
#include "source.h"
#include "pmu/width.h"

/* A control that reads as 0 is not ours: see rcr_plain_is_ours(). */
static bool has_plain_control(const struct rcr_register *reg)
{
	return !reg->control || (reg->select & reg->mask);
}

/* Global bits elsewhere than in the core's control would be one more register a box. */
static bool is_plain(const struct rcr_counter_set *set, unsigned int i)
{
	return set->by[RCR_SOURCE_MSR] & BIT(i) && set->reg[i].plain && set->reg[i].most &&
	       has_plain_control(&set->reg[i]) &&
	       !(set->freezable & BIT(i)) &&
	       (!set->reg[i].global || set->box[set->box_of[i]] == set->machine->box);
}

static void add_global(struct rcr_msr_fast *fast, const struct rcr_box *core,
		       const struct rcr_register *reg)
{
	if (!reg->global)
		return;
	fast->global.address = rcr_box_address(core, core->pmu->global_control);
	fast->global.mask |= reg->global;
	fast->global.on |= reg->global_on;
}

/**
 * rcr_msr_fast_build() - finds the plain counters of a set
 * @fast: filled in
 * @set: its registers are known
 * @mine: the counters that the CPU reads, bit n for the set's counter n
 *
 * Context: any; no tick reads @fast.
 */
void rcr_msr_fast_build(struct rcr_msr_fast *fast, const struct rcr_counter_set *set, u32 mine)
{
	unsigned int i;

	fast->plain = 0;
	fast->global = (struct rcr_plain_global){ };
	for (i = 0; i < set->count; i++) {
		const struct rcr_register *reg = &set->reg[i];

		if (!(mine & BIT(i)) || !is_plain(set, i))
			continue;
		fast->plain |= BIT(i);
		fast->reg[i] = (struct rcr_plain){
			.control = reg->control, .counter = reg->counter,
			.select = reg->select, .mask = reg->mask,
			.width = ~reg->beyond, .most = RCR_TURBO * reg->most,
		};
		add_global(fast, set->machine->box, reg);
	}
}
