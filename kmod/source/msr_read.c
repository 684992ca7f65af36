// SPDX-License-Identifier: GPL-2.0-only
/*
 * msr_read.c - looks at the counters that we have programmed ourselves: is each still
 * ours, and what does it read.
 *
 * Most counters are two MSRs and nothing else, and rcr_msr_fast_read() takes them as long
 * as they are as usual: this is the long way, and finds which ones they are.
 *
 * Control and counter are read together: interrupts are off, so no task and no
 * interrupt of this CPU can change one between the two reads.
 */
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/kernel.h>

#include "msr_read.h"
#include "hw/hw.h"
#include "pmu/width.h"

/* The registers of a counter as they are on this CPU's node. */
struct rcr_register rcr_register_here(const struct rcr_counter_set *set, unsigned int i,
				      const struct rcr_cpu_counters *cpu)
{
	struct rcr_register reg = set->reg[i];

	reg.select ^= reg.per_node << cpu->node;
	reg.pci = rcr_pci_here(set->box[set->box_of[i]], cpu);
	return reg;
}

/* The bits of the control that are not as we wrote them. */
static int look_at_control(const struct rcr_register *reg, u64 *changed)
{
	u64 control;
	int err;

	if (!reg->control)
		return 0;
	err = rcr_read_control(reg->pci, reg->control, &control);
	*changed |= (control ^ reg->select) & reg->mask;
	return err;
}

/* Those of the upper register of a pair. */
static int look_at_upper(const struct rcr_register *reg, u64 *changed)
{
	struct rcr_register upper;

	return rcr_pmu_upper(reg, &upper) ? look_at_control(&upper, changed) : 0;
}

/* What it shows, if it shows anything now. */
static u8 look_at_gauge(const struct rcr_pmu *pmu, u64 *now)
{
	if (pmu->gauge_valid && !(*now & pmu->gauge_valid))
		return RCR_STATUS_GAP;
	*now = (*now & pmu->gauge) >> __ffs64(pmu->gauge);
	return RCR_STATUS_OK;
}

/*
 * What the registers say: the bits of @changed are not as we wrote them. No counter
 * has bits beyond its width: nobody answers there.
 */
static u8 judge(const struct rcr_register *reg, u64 changed, u64 global, u64 now)
{
	if (changed || (global & reg->global) != reg->global_on)
		return RCR_STATUS_FOREIGN;
	return now & reg->beyond ? RCR_STATUS_FAULT : RCR_STATUS_OK;
}

static u8 look_at(const struct rcr_counter_set *set, unsigned int i, u64 global,
		  struct rcr_cpu_counters *cpu, u64 *now)
{
	struct rcr_register reg = rcr_register_here(set, i, cpu);
	u64 changed = 0;
	u8 status;

	if (look_at_control(&reg, &changed) || look_at_upper(&reg, &changed) ||
	    rcr_filter_look(&reg, &changed) || rcr_read_count(reg.pci, reg.counter, now))
		return RCR_STATUS_FAULT;
	status = judge(&reg, changed, global, *now);
	if (status != RCR_STATUS_OK)
		return status;
	/*
	 * A count that would end at its width begins again when half of it is used up: what
	 * it counts between the read and the write is lost, so the next sample reports a gap.
	 */
	if (reg.pmu->saturates && (*now & BIT_ULL(reg.pmu->width - 1))) {
		rcr_write_count(reg.pci, reg.counter, 0);
		cpu->restarted |= BIT(i);
	}
	return reg.pmu->gauge ? look_at_gauge(reg.pmu, now) : RCR_STATUS_OK;
}

/* Wrong for every counter of a box whose control cannot be read. */
static noinline void read_global(const struct rcr_counter_set *set, unsigned int n,
				 struct rcr_cpu_counters *cpu)
{
	const struct rcr_box *box = set->box[n];

	if (rcr_read_control(rcr_pci_here(box, cpu),
			     rcr_box_address(box, box->pmu->global_control),
			     &cpu->global[n]))
		cpu->global[n] = box->pmu->global_stops;
}

/*
 * The global control of a counter's box, read when it is first asked for: those of the
 * boxes @known have been.
 */
static __always_inline u64 global_of(const struct rcr_counter_set *set, unsigned int i,
				     struct rcr_cpu_counters *cpu, u32 *known)
{
	unsigned int n = set->box_of[i];

	if (!(*known & BIT(n)))
		read_global(set, n, cpu);
	*known |= BIT(n);
	return cpu->global[n];
}

/**
 * rcr_package_status() - whether the U-box lets this CPU's package count
 * @m: the machine, whose family has a package_freeze
 *
 * Context: interrupts are off.
 * Return: RCR_STATUS_OK; RCR_STATUS_FOREIGN while another tool has frozen all counters of
 * the package's uncore; RCR_STATUS_FAULT.
 */
u8 rcr_package_status(const struct rcr_machine *m)
{
	u64 control;

	if (rcr_rdmsr_tick(m->family->package_freeze, &control))
		return RCR_STATUS_FAULT;
	return control & RCR_PACKAGE_FREEZE ? RCR_STATUS_FOREIGN : RCR_STATUS_OK;
}

/* A fault costs: what has faulted is stopped, and not read again. */
static noinline void give_up(const struct rcr_counter_set *set, unsigned int i,
			     struct rcr_cpu_counters *cpu)
{
	struct rcr_register reg = rcr_register_here(set, i, cpu);

	WRITE_ONCE(cpu->faults, cpu->faults + 1);
	cpu->broken |= BIT(i);
	rcr_register_disable(&reg);
}

/**
 * rcr_msr_look() - looks at counters of ours
 * @set: the set
 * @cpu: this CPU's side of it
 * @mask: which counters, bit n for counter n
 * @now: by counter: gets what it reads
 * @status: by counter: gets RCR_STATUS_OK if that is a count of ours
 *
 * Context: interrupts are off, on that CPU.
 */
void rcr_msr_look(const struct rcr_counter_set *set, struct rcr_cpu_counters *cpu,
		  u32 mask, u64 *now, u8 *status)
{
	const struct rcr_register *reg = set->reg;
	u8 package = mask & set->freezable ? rcr_package_status(set->machine) :
					     RCR_STATUS_OK;
	u32 known = 0;
	unsigned int i;
	u64 global;

	for (i = 0; mask; mask >>= 1, i++, reg++) {
		if (!(mask & 1))
			continue;
		status[i] = RCR_STATUS_FAULT;
		if (cpu->broken & BIT(i))
			continue;
		global = reg->global ? global_of(set, i, cpu, &known) : 0;
		status[i] = look_at(set, i, global, cpu, &now[i]);
		if (status[i] == RCR_STATUS_OK && set->freezable & BIT(i))
			status[i] = package;
		if (status[i] == RCR_STATUS_FAULT)
			give_up(set, i, cpu);
	}
}

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

static void add_plain_global(struct rcr_msr_fast *fast, const struct rcr_box *core,
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
		add_plain_global(fast, set->machine->box, reg);
	}
}
