// SPDX-License-Identifier: GPL-2.0-only
/*
 * msr_fast.c - plain counters in which nothing has happened but counts: looked at and
 * added up in one go. Whatever is not as usual is left to those who know what it means
 * (msr_read.c, total.c), who read the registers again.
 */
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/kernel.h>

#include "compat/compat.h"
#include "set/counter_set.h"
#include "msr_fast.h"
#include "source.h"
#include "pmu/width.h"

/* Global bits elsewhere than in the core's control would be one more register a box. */
static bool is_plain(const struct rcr_counter_set *set, unsigned int i)
{
	return set->by[RCR_SOURCE_MSR] & BIT(i) && set->reg[i].plain && set->reg[i].most &&
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
			.beyond = reg->beyond, .most = RCR_TURBO * reg->most,
		};
		add_global(fast, set->machine->box, reg);
	}
}

static __always_inline bool is_ours(const struct rcr_plain *p)
{
	u64 control;

	if (!p->control)
		return true;
	return !rcr_rdmsr_tick(p->control, &control) &&
	       !((control ^ p->select) & p->mask);
}

/* False: something is not as usual, and nothing was done. */
static __always_inline bool take_one(const struct rcr_plain *p, struct rcr_reading *r,
				     u64 elapsed, u64 *value)
{
	u64 now, counted;

	if (!is_ours(p) || rcr_rdmsr_tick(p->counter, &now) || now & p->beyond)
		return false;
	counted = (now - r->last) & ~p->beyond;
	if (counted > elapsed * p->most)
		return false;
	r->last = now;
	counted += r->total;
	r->total = counted;
	WRITE_ONCE(*value, counted);
	return true;
}

static bool is_global_on(const struct rcr_plain_global *g)
{
	u64 global;

	return !rcr_rdmsr_tick(g->address, &global) && (global & g->mask) == g->on;
}

/**
 * rcr_msr_fast_read() - brings plain counters up to date
 * @fast: the plain counters of the set
 * @r: by counter: this CPU's readings
 * @which: the counters, all of them plain, bit n for counter n
 * @elapsed: TSC ticks since they were read, or somewhat less: who seems to have
 *	counted too much for that is looked at again
 * @value: by counter: gets the total of each that was read
 *
 * Context: interrupts are off, on that CPU.
 * Return: those of @which that were left alone: the first in which something is not as
 * usual, and all behind it.
 */
u32 rcr_msr_fast_read(const struct rcr_msr_fast *fast, struct rcr_reading *r, u32 which,
		      u64 elapsed, u64 *value)
{
	const struct rcr_plain *p = fast->reg;
	u32 left = which;

	if (fast->global.address && unlikely(!is_global_on(&fast->global)))
		return which;
	for (; left; left >>= 1, p++, r++, value++)
		if (left & 1 && unlikely(!take_one(p, r, elapsed, value)))
			return left << (p - fast->reg);
	return 0;
}
