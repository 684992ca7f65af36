// SPDX-License-Identifier: GPL-2.0-only
/*
 * source_msr.c - counts from registers that we program ourselves.
 *
 * Exclusive: while one core event select is reserved the kernel refuses every
 * perf hardware event. Only the registers of the set are reserved, saved,
 * written and restored; the interrupt bit is never set.
 */
#include <linux/kernel.h>
#include <linux/security.h>
#include <linux/smp.h>
#include <asm/nmi.h>

#include "compat/compat.h"
#include "counter_set.h"
#include "pmu/pmu.h"
#include "source.h"
#include "width.h"

/*
 * Fixed counters share a control that the kernel does not arbitrate. Who has
 * general counters has them too: perf takes all of them or none.
 */
static bool is_arbitrated(const struct rcr_register *r)
{
	return !~r->mask;
}

static void release_pair(u32 control, u32 counter)
{
	release_perfctr_nmi(counter);
	release_evntsel_nmi(control);
}

/* Both answer 1 for "got it". The event select is the arbiter. */
static bool reserve_pair(u32 control, u32 counter)
{
	if (!reserve_evntsel_nmi(control))
		return false;
	if (reserve_perfctr_nmi(counter))
		return true;
	release_evntsel_nmi(control);
	return false;
}

static void release_some(const struct rcr_counter_set *set, unsigned int count)
{
	while (count--)
		if (is_arbitrated(&set->reg[count]))
			release_pair(set->reg[count].control,
				     set->reg[count].counter);
}

/* Does nothing but fixed counters make up the set? */
static bool needs_arbiter(const struct rcr_counter_set *set)
{
	unsigned int i;

	for (i = 0; i < set->count; i++)
		if (is_arbitrated(&set->reg[i]))
			return false;
	return true;
}

static void msr_release(const struct rcr_counter_set *set)
{
	release_some(set, set->count);
	if (needs_arbiter(set))
		release_pair(set->pmu->control0, set->pmu->counter0);
}

static int busy(struct rcr_failure *f)
{
	return rcr_fail(f, -EBUSY,
		"The core counters are held by perf or the NMI watchdog: run 'sysctl kernel.nmi_watchdog=0', end what uses perf, and try again.");
}

static int msr_reserve(const struct rcr_counter_set *set, struct rcr_failure *f)
{
	unsigned int i;

	if (security_locked_down(LOCKDOWN_MSR))
		return rcr_fail(f, -EPERM,
			"Kernel lockdown forbids writing registers: boot without lockdown to use source=msr.");
	if (needs_arbiter(set))
		return reserve_pair(set->pmu->control0, set->pmu->counter0) ?
		       0 : busy(f);
	for (i = 0; i < set->count; i++) {
		if (!is_arbitrated(&set->reg[i]) ||
		    reserve_pair(set->reg[i].control, set->reg[i].counter))
			continue;
		release_some(set, i);
		return busy(f);
	}
	return 0;
}

/* Reads what is there, and refuses what somebody has running. */
static int save_one(const struct rcr_register *r, struct rcr_saved *saved,
		    struct rcr_failure *f)
{
	u64 control;

	saved->taken = false;
	if (rcr_rdmsr_safe(r->control, &control) ||
	    rcr_rdmsr_safe(r->counter, &saved->counter))
		return rcr_fail(f, -EIO,
			"CPU %d: register 0x%x or 0x%x cannot be read (a hypervisor without a PMU?).",
			smp_processor_id(), r->control, r->counter);
	if (control & r->enable)
		return rcr_fail(f, -EBUSY,
			"CPU %d: register 0x%x is in use (0x%llx) by somebody who reserved nothing: end it, or write 0 there with wrmsr if nobody uses it.",
			smp_processor_id(), r->control, control);
	saved->control = control & r->mask;
	return 0;
}

/* Writes the bits of a control that are one counter's, and no others. */
static int write_control(const struct rcr_register *r, u64 bits)
{
	u64 control = 0;

	if (~r->mask && rcr_rdmsr_safe(r->control, &control))
		return -EIO;
	return rcr_wrmsr_safe(r->control, (control & ~r->mask) | bits);
}

static bool control_is_ours(const struct rcr_register *r)
{
	u64 control;

	return !rcr_rdmsr_safe(r->control, &control) &&
	       (control & r->mask) == r->select;
}

/* Writes the control and sees that it holds: an emulator may ignore us. */
static int program_one(const struct rcr_register *r, const char *name,
		       struct rcr_saved *saved, struct rcr_failure *f)
{
	if (write_control(r, r->select))
		return rcr_fail(f, -EIO,
			"CPU %d: register 0x%x refuses 0x%llx (%s).",
			smp_processor_id(), r->control, r->select, name);
	saved->taken = true;
	if (!control_is_ours(r))
		return rcr_fail(f, -ENODEV,
			"CPU %d: register 0x%x does not keep what is written to it (a hypervisor without a PMU?).",
			smp_processor_id(), r->control);
	return 0;
}

/*
 * A count that a write cannot set exactly (Nehalem sets 32 bits and copies the
 * highest of them upwards) is left at zero.
 */
static u64 writable_count(const struct rcr_pmu *pmu, u64 count)
{
	u64 sign = BIT_ULL(pmu->written - 1);
	u64 low = count & rcr_width_mask(pmu->written);
	u64 set = ((low ^ sign) - sign) & rcr_width_mask(pmu->width);

	return set == count ? low : 0;
}

/*
 * Puts a pair back, stopped first so that the count is not written into a
 * running counter. Somebody else's control, written over ours, stays: it is
 * theirs now.
 */
static void restore_one(const struct rcr_pmu *pmu, const struct rcr_register *r,
			struct rcr_saved *saved)
{
	if (!saved->taken)
		return;
	saved->taken = false;
	if (!control_is_ours(r))
		return;
	write_control(r, 0);
	rcr_wrmsr_safe(r->counter, writable_count(pmu, saved->counter));
	write_control(r, saved->control);
}

/* Sets our bits of the global control, and remembers what they were. */
static int start_global(const struct rcr_counter_set *set,
			struct rcr_cpu_counters *cpu, struct rcr_failure *f)
{
	unsigned int i;
	u64 control;

	cpu->global = 0;
	if (!set->pmu->global_control)
		return 0;
	if (rcr_rdmsr_safe(set->pmu->global_control, &control))
		return rcr_fail(f, -EIO, "CPU %d: register 0x%x cannot be read.",
				smp_processor_id(), set->pmu->global_control);
	for (i = 0; i < set->count; i++)
		cpu->global |= set->reg[i].global;
	cpu->saved_global = control & cpu->global;
	if (rcr_wrmsr_safe(set->pmu->global_control, control | cpu->global))
		return rcr_fail(f, -EIO, "CPU %d: register 0x%x refuses 0x%llx.",
				smp_processor_id(), set->pmu->global_control,
				control | cpu->global);
	return 0;
}

/* Our overflow bits are cleared: nobody after us shall take them for theirs. */
static void stop_global(const struct rcr_counter_set *set,
			struct rcr_cpu_counters *cpu)
{
	u64 control;

	if (!cpu->global || rcr_rdmsr_safe(set->pmu->global_control, &control))
		return;
	rcr_wrmsr_safe(set->pmu->global_control,
		       (control & ~cpu->global) | cpu->saved_global);
	rcr_wrmsr_safe(set->pmu->global_clear, cpu->global);
	cpu->global = 0;
}

static void msr_stop(const struct rcr_counter_set *set,
		     struct rcr_cpu_counters *cpu)
{
	unsigned int i = set->count;

	while (i--)
		restore_one(set->pmu, &set->reg[i], &cpu->saved[i]);
	stop_global(set, cpu);
}

static void take_baseline(const struct rcr_counter_set *set,
			  struct rcr_cpu_counters *cpu)
{
	unsigned int i;

	for (i = 0; i < set->count; i++) {
		struct rcr_reading *r = &cpu->reading[i];

		r->status = RCR_STATUS_OK;
		if (rcr_rdmsr_safe(set->reg[i].counter, &r->last))
			r->status = RCR_STATUS_FAULT;
	}
}

static int msr_start(const struct rcr_counter_set *set,
		     struct rcr_cpu_counters *cpu, bool all,
		     struct rcr_failure *f)
{
	unsigned int i;
	int err;

	for (i = 0; i < set->count; i++) {
		err = save_one(&set->reg[i], &cpu->saved[i], f);
		if (err)
			return err;
	}
	cpu->global = 0;
	for (i = 0; i < set->count; i++) {
		err = program_one(&set->reg[i], set->counter[i].name,
				  &cpu->saved[i], f);
		if (err)
			goto err_stop;
	}
	err = start_global(set, cpu, f);
	if (err)
		goto err_stop;
	take_baseline(set, cpu);
	return 0;

err_stop:
	msr_stop(set, cpu);
	return err;
}

/*
 * Control and counter together: interrupts are off, so no task and no
 * interrupt of this CPU can change one between the two reads.
 */
static void read_one(const struct rcr_register *reg, unsigned int width,
		     bool enabled, struct rcr_reading *r)
{
	u64 control, now;

	if (r->status == RCR_STATUS_FAULT)
		return;
	if (rcr_rdmsr_safe(reg->control, &control) ||
	    rcr_rdmsr_safe(reg->counter, &now)) {
		r->status = RCR_STATUS_FAULT;	/* a fault costs: not again */
		return;
	}
	if ((control & reg->mask) != reg->select || !enabled) {
		r->status = RCR_STATUS_FOREIGN;
		return;
	}
	if (r->status == RCR_STATUS_OK)
		r->total += rcr_width_delta(now, r->last, width);
	r->status = RCR_STATUS_OK;
	r->last = now;
}

static void msr_read(const struct rcr_counter_set *set,
		     struct rcr_cpu_counters *cpu)
{
	const struct rcr_register *reg = set->reg;
	u64 global = 0;
	unsigned int i;

	if (cpu->global && rcr_rdmsr_safe(set->pmu->global_control, &global))
		global = 0;
	for (i = 0; i < set->count; i++)
		read_one(&reg[i], set->pmu->width,
			 (global & reg[i].global) == reg[i].global,
			 &cpu->reading[i]);
}

const struct rcr_source rcr_source_msr = {
	.name = "msr",
	.note =
		"perf gets EBUSY; an NMI watchdog switched on now must be toggled after the unload",
	.build = rcr_counter_set_build,
	.reserve = msr_reserve,
	.release = msr_release,
	.start = msr_start,
	.stop = msr_stop,
	.read = msr_read,
};
