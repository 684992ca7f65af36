// SPDX-License-Identifier: GPL-2.0-only
/*
 * msr.c - source of counts: registers programmed by this module.
 *
 * Exclusive: while one core event select is reserved, the kernel refuses all hardware events
 * of perf. Only registers of the set are reserved, saved, written and restored; the interrupt
 * bit is never set.
 */
#include <linux/bitops.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/security.h>
#include <linux/smp.h>
#include <asm/nmi.h>

#include "set/counter_set.h"
#include "msr_read.h"
#include "pmu/pmu.h"
#include "hw/hw.h"
#include "source.h"

static u32 control_address(const struct rcr_pmu *pmu, unsigned int n)
{
	return pmu->control0 + n * pmu->stride;
}

static u32 count_address(const struct rcr_pmu *pmu, unsigned int n)
{
	return pmu->counter0 + n * pmu->stride;
}

/*
 * The kernel arbitrates only the general counters of the core. To reserve one of them also
 * reserves the fixed ones, because perf takes all counters or none.
 */
static void release_regs(const struct rcr_pmu *pmu, unsigned long general)
{
	unsigned int n;

	for_each_set_bit(n, &general, RCR_FIXED_FIRST) {
		release_perfctr_nmi(count_address(pmu, n));
		release_evntsel_nmi(control_address(pmu, n));
	}
}

/* Return: false if another user holds the counter. The kernel's functions return 1 on success. */
static bool reserve_counter(const struct rcr_pmu *pmu, unsigned int n)
{
	if (!reserve_evntsel_nmi(control_address(pmu, n)))
		return false;
	if (reserve_perfctr_nmi(count_address(pmu, n)))
		return true;
	release_evntsel_nmi(control_address(pmu, n));
	return false;
}

/**
 * rcr_msr_release() - release the reserved registers that the next set does not use
 * @set: the set
 * @next: the next set, or NULL
 *
 * Context: may sleep.
 */
void rcr_msr_release(const struct rcr_counter_set *set, const struct rcr_counter_set *next)
{
	if (set->general)
		release_regs(rcr_counter_set_core(set), set->general & ~(next ? next->general : 0));
}

static int check_lockdown(struct rcr_failure *f)
{
	if (!security_locked_down(LOCKDOWN_MSR))
		return 0;
	return rcr_fail(f, -EPERM, RCR_REASON_LOCKDOWN_MSR);
}

/**
 * rcr_msr_reserve() - reserve the registers that the previous set does not have, on all CPUs
 * @set: the set
 * @before: the sampled set, or NULL
 * @f: filled in on failure
 *
 * No register is written.
 *
 * Context: may sleep.
 * Return: 0, -EPERM or -EBUSY.
 */
int rcr_msr_reserve(const struct rcr_counter_set *set, const struct rcr_counter_set *before,
		    struct rcr_failure *f)
{
	unsigned long wanted = set->general & ~(before ? before->general : 0);
	unsigned int n;
	int err = check_lockdown(f);

	if (err)
		return err;
	for_each_set_bit(n, &wanted, RCR_FIXED_FIRST) {
		if (reserve_counter(rcr_counter_set_core(set), n))
			continue;
		release_regs(rcr_counter_set_core(set), wanted & GENMASK(n, 0) & ~BIT(n));
		return rcr_fail(f, -EBUSY, RCR_REASON_CORE_TAKEN);
	}
	return 0;
}

static int save_counter(const struct rcr_counter_set *set, unsigned int i,
			struct rcr_cpu_counters *cpu, struct rcr_failure *f)
{
	struct rcr_register reg = rcr_register_here(set, i, cpu), upper;
	int err;

	if (reg.pmu->pci && !reg.pci)
		return rcr_fail_with(f, -ENODEV, RCR_REASON_NO_BOX, "%u%u%s%s",
				     smp_processor_id(), cpu->package, set->event[i].unit,
				     set->counter[i].name);
	err = rcr_register_save(&reg, &cpu->saved[i], f);
	if (!err && rcr_pmu_upper(&reg, &upper))
		err = rcr_register_save(&upper, &cpu->saved_upper[i], f);
	return err;
}

typedef int (*write_fn)(const struct rcr_register *reg, const char *name,
			struct rcr_saved *saved, struct rcr_failure *f);

/* The upper counter of a pair is enabled before the lower one. */
static int write_counter(const struct rcr_counter_set *set, unsigned int i,
			 struct rcr_cpu_counters *cpu, write_fn write, struct rcr_failure *f)
{
	struct rcr_register reg = rcr_register_here(set, i, cpu), upper;
	const char *name = set->counter[i].name;
	int err = 0;

	if (rcr_pmu_upper(&reg, &upper))
		err = write(&upper, name, &cpu->saved_upper[i], f);
	return err ?: write(&reg, name, &cpu->saved[i], f);
}

/* Return: true if the counter was restored, so that its shared registers can be, too. */
static bool restore_counter(const struct rcr_counter_set *set, unsigned int i,
			    struct rcr_cpu_counters *cpu)
{
	struct rcr_register reg = rcr_register_here(set, i, cpu), upper;
	bool restored;

	restored = rcr_register_restore(&reg, &cpu->saved[i]);
	if (rcr_pmu_upper(&reg, &upper))
		rcr_register_restore(&upper, &cpu->saved_upper[i]);
	return restored;
}

static void stop_box(const struct rcr_counter_set *set, unsigned int n,
		     struct rcr_cpu_counters *cpu, u32 which)
{
	unsigned int i = set->count;
	bool alone = true;
	u32 restored = 0;

	while (i--) {
		if (!(which & BIT(i)) || set->box_of[i] != n)
			continue;
		if (restore_counter(set, i, cpu))
			restored |= BIT(i);
		else
			alone = false;
	}
	rcr_shared_stop(set, n, cpu, restored, alone);
}

/**
 * rcr_msr_stop() - restore registers
 * @set: the set
 * @cpu: state of this CPU
 * @which: the counters, bit n for counter n; those of perf are ignored
 *
 * Context: on that CPU in an interrupt; its ticks are disabled.
 */
void rcr_msr_stop(const struct rcr_counter_set *set, struct rcr_cpu_counters *cpu, u32 which)
{
	unsigned int n;

	for (n = 0; n < set->boxes; n++)
		stop_box(set, n, cpu, which & set->by[RCR_SOURCE_MSR]);
}

/* Those of @which that are not programmed. */
static u32 not_programmed(const struct rcr_counter_set *set,
			  const struct rcr_cpu_counters *cpu, u32 which)
{
	unsigned int i;

	for (i = 0; i < set->count; i++)
		if (cpu->saved[i].taken)
			which &= ~BIT(i);
	return which;
}

static int take_baseline(const struct rcr_counter_set *set, unsigned int i,
			 struct rcr_cpu_counters *cpu, struct rcr_failure *f)
{
	struct rcr_register reg = rcr_register_here(set, i, cpu);
	u32 address = rcr_box_full_address(set->box[set->box_of[i]], reg.counter);
	u64 now;

	if (reg.pmu->saturates && rcr_write_count(reg.pci, reg.counter, 0))
		return rcr_fail_with(f, -EIO, RCR_REASON_REFUSES, "%u%x%x", smp_processor_id(),
				     address, 0);
	if (rcr_read_count(reg.pci, reg.counter, &now))
		return rcr_fail_with(f, -EIO, RCR_REASON_UNREADABLE, "%u%x", smp_processor_id(),
				     address);
	rcr_reading_begin(cpu, i, now);
	return 0;
}

/**
 * rcr_msr_start() - program counters and take their baseline
 * @set: the set
 * @cpu: state of this CPU
 * @wanted: the counters, bit n for counter n; running ones are ignored. Totals continue
 * @f: filled in on failure
 *
 * Context: on that CPU in an interrupt.
 * Return: 0, or -errno: the caller undoes it by rcr_msr_stop().
 */
int rcr_msr_start(const struct rcr_counter_set *set, struct rcr_cpu_counters *cpu, u32 wanted,
		  struct rcr_failure *f)
{
	unsigned long which = not_programmed(set, cpu, wanted);
	int err = which ? check_lockdown(f) : 0;
	unsigned int i, n;

	for_each_set_bit(i, &which, RCR_MAX_COUNTERS)
		err = err ?: save_counter(set, i, cpu, f);
	for_each_set_bit(i, &which, RCR_MAX_COUNTERS)
		err = err ?: write_counter(set, i, cpu, rcr_register_program, f);
	for (n = 0; n < set->boxes; n++)
		err = err ?: rcr_shared_start(set, n, cpu, which, f);
	for_each_set_bit(i, &which, RCR_MAX_COUNTERS)
		err = err ?: take_baseline(set, i, cpu, f);
	return err;
}

/**
 * rcr_msr_rewrite() - reprogram overwritten counters
 * @set: the set
 * @cpu: state of this CPU
 * @wanted: the counters, bit n for counter n; those of perf are ignored
 * @f: filled in on failure
 *
 * Context: on that CPU in an interrupt.
 * Return: 0, or -errno.
 */
int rcr_msr_rewrite(const struct rcr_counter_set *set, struct rcr_cpu_counters *cpu, u32 wanted,
		    struct rcr_failure *f)
{
	unsigned long which = wanted & set->by[RCR_SOURCE_MSR] & cpu->owned, flags;
	int err = which ? check_lockdown(f) : 0, ret;
	unsigned int i;

	if (err)
		return err;
	/* A tick must not read a half-programmed counter. */
	local_irq_save(flags);
	for_each_set_bit(i, &which, set->count) {
		ret = write_counter(set, i, cpu, rcr_register_rewrite, f);
		if (!ret)
			cpu->broken &= ~BIT(i);
		err = ret ?: err;
		err = rcr_shared_rewrite(set, i, cpu, f) ?: err;
	}
	local_irq_restore(flags);
	return err;
}
