// SPDX-License-Identifier: GPL-2.0-only
/*
 * msr_read.c - read counters programmed by this module, and check that they are still ours.
 *
 * Plain counters in their usual state are read by rcr_msr_fast_read(); this is the slow path,
 * which also determines the plain counters.
 *
 * The control and the count of a counter are read with interrupts off, so that neither a task
 * nor an interrupt of this CPU can change them between the reads.
 */
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/kernel.h>

#include "msr_read.h"
#include "hw/hw.h"
#include "pmu/width.h"

/* Registers of a counter on this CPU's node and package. */
struct rcr_register rcr_register_here(const struct rcr_counter_set *set, unsigned int i,
				      const struct rcr_cpu_counters *cpu)
{
	struct rcr_register reg = set->reg[i];

	reg.select ^= reg.per_node << cpu->node;
	reg.pci = rcr_pci_here(set->box[set->box_of[i]], cpu);
	return reg;
}

/* Set the bits of @changed in which the control differs from the value written. */
static int compare_control(const struct rcr_register *reg, u64 *changed)
{
	u64 control;
	int err;

	if (!reg->control)
		return 0;
	err = rcr_read_control(reg->pci, reg->control, &control);
	*changed |= (control ^ reg->select) & reg->mask;
	return err;
}

/* compare_control() for the upper counter of a pair. */
static int compare_upper(const struct rcr_register *reg, u64 *changed)
{
	struct rcr_register upper;

	return rcr_pmu_upper(reg, &upper) ? compare_control(&upper, changed) : 0;
}

/* Extract the value of a gauge, if it is valid. */
static u8 extract_gauge(const struct rcr_pmu *pmu, u64 *now)
{
	if (pmu->gauge_valid && !(*now & pmu->gauge_valid))
		return RCR_STATUS_GAP;
	*now = (*now & pmu->gauge) >> __ffs64(pmu->gauge);
	return RCR_STATUS_OK;
}

/*
 * Status of a counter. Bits above the width are never set in a count: a register that does
 * not respond reads as ones.
 */
static u8 counter_status(const struct rcr_register *reg, u64 changed, u64 global, u64 now)
{
	if (changed || (global & reg->global) != reg->global_on)
		return RCR_STATUS_FOREIGN;
	return now & reg->unused_bits ? RCR_STATUS_FAULT : RCR_STATUS_OK;
}

static u8 msr_read_counter(const struct rcr_counter_set *set, unsigned int i, u64 global,
			   struct rcr_cpu_counters *cpu, u64 *now)
{
	struct rcr_register reg = rcr_register_here(set, i, cpu);
	u64 changed = 0;
	u8 status;

	if (compare_control(&reg, &changed) || compare_upper(&reg, &changed) ||
	    rcr_filter_check(&reg, &changed) || rcr_read_count(reg.pci, reg.counter, now))
		return RCR_STATUS_FAULT;
	status = counter_status(&reg, changed, global, *now);
	if (status != RCR_STATUS_OK)
		return status;
	/*
	 * A saturating count restarts at 0 after half of its range. Events between the read
	 * and the write are lost, so the next sample reports a gap.
	 */
	if (reg.pmu->saturates && (*now & BIT_ULL(reg.pmu->width - 1))) {
		rcr_write_count(reg.pci, reg.counter, 0);
		cpu->restarted |= BIT(i);
	}
	return reg.pmu->gauge ? extract_gauge(reg.pmu, now) : RCR_STATUS_OK;
}

/* Store a value that is wrong for each counter of the box if its control faults. */
static noinline void read_box_global(const struct rcr_counter_set *set, unsigned int n,
				     struct rcr_cpu_counters *cpu)
{
	const struct rcr_box *box = set->box[n];

	if (rcr_read_control(rcr_pci_here(box, cpu),
			     rcr_box_address(box, box->pmu->global_control),
			     &cpu->global[n]))
		cpu->global[n] = box->pmu->global_stops;
}

/*
 * Global control of a counter's box; read once per pass. @known: boxes whose control has been
 * read.
 */
static __always_inline u64 box_global(const struct rcr_counter_set *set, unsigned int i,
				      struct rcr_cpu_counters *cpu, u32 *known)
{
	unsigned int n = set->box_of[i];

	if (!(*known & BIT(n)))
		read_box_global(set, n, cpu);
	*known |= BIT(n);
	return cpu->global[n];
}

/**
 * rcr_package_status() - check whether the U-box has frozen the package's uncore
 * @m: the machine, whose family has a package_freeze
 *
 * Context: interrupts off.
 * Return: RCR_STATUS_OK; RCR_STATUS_FOREIGN if another tool has frozen all uncore counters of
 * the package; RCR_STATUS_FAULT.
 */
u8 rcr_package_status(const struct rcr_machine *m)
{
	u64 control;

	if (rcr_rdmsr_tick(m->family->package_freeze, &control))
		return RCR_STATUS_FAULT;
	return control & RCR_PACKAGE_FREEZE ? RCR_STATUS_FOREIGN : RCR_STATUS_OK;
}

/* Faults are expensive: a counter that faulted is disabled and not read again. */
static noinline void disable_broken(const struct rcr_counter_set *set, unsigned int i,
				    struct rcr_cpu_counters *cpu)
{
	struct rcr_register reg = rcr_register_here(set, i, cpu);

	WRITE_ONCE(cpu->faults, cpu->faults + 1);
	cpu->broken |= BIT(i);
	rcr_register_disable(&reg);
}

/**
 * rcr_msr_read() - read counters programmed by this module
 * @set: the set
 * @cpu: state of this CPU
 * @mask: the counters, bit n for counter n
 * @now: by counter: set to the value read
 * @status: by counter: set to RCR_STATUS_OK if @now is valid
 *
 * Context: on that CPU, interrupts off.
 */
void rcr_msr_read(const struct rcr_counter_set *set, struct rcr_cpu_counters *cpu,
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
		global = reg->global ? box_global(set, i, cpu, &known) : 0;
		status[i] = msr_read_counter(set, i, global, cpu, &now[i]);
		if (status[i] == RCR_STATUS_OK && set->freezable & BIT(i))
			status[i] = package;
		if (status[i] == RCR_STATUS_FAULT)
			disable_broken(set, i, cpu);
	}
}

/* A faulting control reads as 0 in rcr_plain_is_ours(), so ours must not be 0. */
static bool has_plain_control(const struct rcr_register *reg)
{
	return !reg->control || (reg->select & reg->mask);
}

/* Plain counters may depend on the core's global control, but not on that of another box. */
static bool is_plain_counter(const struct rcr_counter_set *set, unsigned int i)
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
 * rcr_msr_fast_build() - determine the plain counters of a set
 * @fast: filled in
 * @set: its registers are set
 * @owned: the counters that the CPU reads, bit n for counter n
 *
 * Context: any; no tick reads @fast.
 */
void rcr_msr_fast_build(struct rcr_msr_fast *fast, const struct rcr_counter_set *set, u32 owned)
{
	unsigned int i;

	fast->plain = 0;
	fast->global = (struct rcr_plain_global){ };
	for (i = 0; i < set->count; i++) {
		const struct rcr_register *reg = &set->reg[i];

		if (!(owned & BIT(i)) || !is_plain_counter(set, i))
			continue;
		fast->plain |= BIT(i);
		fast->reg[i] = (struct rcr_plain){
			.control = reg->control, .counter = reg->counter,
			.select = reg->select, .mask = reg->mask,
			.width = ~reg->unused_bits, .most = RCR_TURBO * reg->most,
		};
		add_plain_global(fast, set->machine->box, reg);
	}
}
