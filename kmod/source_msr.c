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

static void release_one(const struct rcr_counter *c)
{
	release_perfctr_nmi(c->counter);
	release_evntsel_nmi(c->control);
}

/* Both answer 1 for "got it". The event select is the arbiter. */
static bool reserve_one(const struct rcr_counter *c)
{
	if (!reserve_evntsel_nmi(c->control))
		return false;
	if (reserve_perfctr_nmi(c->counter))
		return true;
	release_evntsel_nmi(c->control);
	return false;
}

static void msr_release(const struct rcr_counter_set *set)
{
	unsigned int i = set->count;

	while (i--)
		release_one(&set->counter[i]);
}

static int msr_reserve(const struct rcr_counter_set *set, struct rcr_failure *f)
{
	unsigned int i;

	if (security_locked_down(LOCKDOWN_MSR))
		return rcr_fail(f, -EPERM,
			"Kernel lockdown forbids writing registers: boot without lockdown to use source=msr.");
	for (i = 0; i < set->count; i++) {
		if (reserve_one(&set->counter[i]))
			continue;
		while (i--)
			release_one(&set->counter[i]);
		return rcr_fail(f, -EBUSY,
			"The core counters are held by perf or the NMI watchdog: run 'sysctl kernel.nmi_watchdog=0', end what uses perf, and load rcrtool again.");
	}
	return 0;
}

/* Reads what is there, and refuses what somebody has running. */
static int save_one(const struct rcr_counter *c, struct rcr_saved *saved,
		    struct rcr_failure *f)
{
	saved->taken = false;
	if (rcr_rdmsr_safe(c->control, &saved->control) ||
	    rcr_rdmsr_safe(c->counter, &saved->counter))
		return rcr_fail(f, -EIO,
			"CPU %d: register 0x%x or 0x%x cannot be read (a hypervisor without a PMU?).",
			smp_processor_id(), c->control, c->counter);
	if (saved->control & RCR_SELECT_ENABLE)
		return rcr_fail(f, -EBUSY,
			"CPU %d: register 0x%x is in use (0x%llx) by somebody who reserved nothing: end it, or write 0 there with wrmsr if nobody uses it.",
			smp_processor_id(), c->control, saved->control);
	return 0;
}

/* Writes the control and sees that it holds: an emulator may ignore us. */
static int program_one(const struct rcr_counter *c, struct rcr_saved *saved,
		       struct rcr_failure *f)
{
	u64 val;

	if (rcr_wrmsr_safe(c->control, c->select))
		return rcr_fail(f, -EIO,
			"CPU %d: register 0x%x refuses 0x%llx (%s).",
			smp_processor_id(), c->control, c->select, c->name);
	saved->taken = true;
	if (rcr_rdmsr_safe(c->control, &val) || val != c->select)
		return rcr_fail(f, -ENODEV,
			"CPU %d: register 0x%x does not keep what is written to it (a hypervisor without a PMU?).",
			smp_processor_id(), c->control);
	return 0;
}

/*
 * Puts a pair back, stopped first so that the count is not written into a
 * running counter. Somebody else's control, written over ours, stays: it is
 * theirs now.
 */
static void restore_one(const struct rcr_counter *c, struct rcr_saved *saved)
{
	u64 val;

	if (!saved->taken)
		return;
	saved->taken = false;
	if (rcr_rdmsr_safe(c->control, &val) || val != c->select)
		return;
	rcr_wrmsr_safe(c->control, 0);
	rcr_wrmsr_safe(c->counter, saved->counter);
	rcr_wrmsr_safe(c->control, saved->control);
}

static void msr_stop(const struct rcr_counter_set *set,
		     struct rcr_cpu_counters *cpu)
{
	unsigned int i = set->count;

	while (i--)
		restore_one(&set->counter[i], &cpu->saved[i]);
}

static void take_baseline(const struct rcr_counter_set *set,
			  struct rcr_cpu_counters *cpu)
{
	unsigned int i;

	for (i = 0; i < set->count; i++) {
		struct rcr_reading *r = &cpu->reading[i];

		r->status = RCR_STATUS_OK;
		if (rcr_rdmsr_safe(set->counter[i].counter, &r->last))
			r->status = RCR_STATUS_FAULT;
	}
}

static int msr_start(const struct rcr_counter_set *set,
		     struct rcr_cpu_counters *cpu, struct rcr_failure *f)
{
	unsigned int i;
	int err;

	for (i = 0; i < set->count; i++) {
		err = save_one(&set->counter[i], &cpu->saved[i], f);
		if (err)
			return err;
	}
	for (i = 0; i < set->count; i++) {
		err = program_one(&set->counter[i], &cpu->saved[i], f);
		if (err) {
			msr_stop(set, cpu);
			return err;
		}
	}
	take_baseline(set, cpu);
	return 0;
}

/*
 * Control and counter together: interrupts are off, so no task and no
 * interrupt of this CPU can change one between the two reads.
 */
static void read_one(const struct rcr_counter *c, struct rcr_reading *r)
{
	u64 control, now;

	if (r->status == RCR_STATUS_FAULT)
		return;
	if (rcr_rdmsr_safe(c->control, &control) ||
	    rcr_rdmsr_safe(c->counter, &now)) {
		r->status = RCR_STATUS_FAULT;	/* a fault costs: not again */
		return;
	}
	if (control != c->select) {
		r->status = RCR_STATUS_FOREIGN;
		return;
	}
	if (r->status == RCR_STATUS_OK)
		r->total += rcr_width_delta(now, r->last, c->width);
	r->status = RCR_STATUS_OK;
	r->last = now;
}

static void msr_read(const struct rcr_counter_set *set,
		     struct rcr_cpu_counters *cpu)
{
	unsigned int i;

	for (i = 0; i < set->count; i++)
		read_one(&set->counter[i], &cpu->reading[i]);
}

const struct rcr_source rcr_source_msr = {
	.name = "msr",
	.reserve = msr_reserve,
	.release = msr_release,
	.start = msr_start,
	.stop = msr_stop,
	.read = msr_read,
};
