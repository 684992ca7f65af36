// SPDX-License-Identifier: GPL-2.0-only
/*
 * source_msr.c - counts from registers that we program ourselves.
 *
 * Exclusive: while one core event select is reserved the kernel refuses every
 * perf hardware event. Only the registers of the set are reserved, saved,
 * written and restored; the interrupt bit is never set.
 */
#include <linux/bitops.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/security.h>
#include <linux/smp.h>
#include <asm/nmi.h>

#include "compat/compat.h"
#include "counter_set.h"
#include "msr_register.h"
#include "pmu/pmu.h"
#include "source.h"
#include "width.h"

static u32 control_of(const struct rcr_pmu *pmu, unsigned int n)
{
	return pmu->control0 + n * pmu->stride;
}

static u32 counter_of(const struct rcr_pmu *pmu, unsigned int n)
{
	return pmu->counter0 + n * pmu->stride;
}

static const struct rcr_pmu *core_of(const struct rcr_counter_set *set)
{
	return set->machine->pmu[0];
}

/*
 * Only the core's general counters are arbitrated. Who has one of them has the fixed ones,
 * too: perf takes all of them or none.
 */
static void release_some(const struct rcr_pmu *pmu, unsigned long general)
{
	unsigned int n;

	for_each_set_bit(n, &general, RCR_FIXED_FIRST) {
		release_perfctr_nmi(counter_of(pmu, n));
		release_evntsel_nmi(control_of(pmu, n));
	}
}

/* Both answer 1 for "got it". The event select is the arbiter. */
static bool reserve_one(const struct rcr_pmu *pmu, unsigned int n)
{
	if (!reserve_evntsel_nmi(control_of(pmu, n)))
		return false;
	if (reserve_perfctr_nmi(counter_of(pmu, n)))
		return true;
	release_evntsel_nmi(control_of(pmu, n));
	return false;
}

static void msr_release(const struct rcr_counter_set *set,
			const struct rcr_counter_set *next)
{
	release_some(core_of(set), set->general & ~(next ? next->general : 0));
}

static int msr_reserve(const struct rcr_counter_set *set,
		       const struct rcr_counter_set *before,
		       struct rcr_failure *f)
{
	unsigned long wanted = set->general & ~(before ? before->general : 0);
	unsigned int n;

	if (security_locked_down(LOCKDOWN_MSR))
		return rcr_fail(f, -EPERM,
			"Kernel lockdown forbids writing registers: boot without lockdown to use source=msr.");
	for_each_set_bit(n, &wanted, RCR_FIXED_FIRST) {
		if (reserve_one(core_of(set), n))
			continue;
		release_some(core_of(set), wanted & GENMASK(n, 0) & ~BIT(n));
		return rcr_fail(f, -EBUSY,
			"The core counters are held by perf or the NMI watchdog: run 'sysctl kernel.nmi_watchdog=0', end what uses perf, and try again.");
	}
	return 0;
}

/* The registers of a counter as they are on this CPU's node. */
static struct rcr_register register_here(const struct rcr_counter_set *set,
					 unsigned int i,
					 const struct rcr_cpu_counters *cpu)
{
	struct rcr_register reg = set->reg[i];

	reg.select ^= reg.per_node << cpu->node;
	return reg;
}

static int save_one(const struct rcr_counter_set *set, unsigned int i,
		    struct rcr_cpu_counters *cpu, struct rcr_failure *f)
{
	struct rcr_register reg = register_here(set, i, cpu), upper;
	int err;

	err = rcr_register_save(&reg, &cpu->saved[i], f);
	if (!err && rcr_pmu_upper(&reg, &upper))
		err = rcr_register_save(&upper, &cpu->saved_upper[i], f);
	return err;
}

/* The upper counter of a pair is enabled before the lower, and ends after it. */
static int program_one(const struct rcr_counter_set *set, unsigned int i,
		       struct rcr_cpu_counters *cpu, struct rcr_failure *f)
{
	struct rcr_register reg = register_here(set, i, cpu), upper;
	const char *name = set->counter[i].name;
	int err = 0;

	if (rcr_pmu_upper(&reg, &upper))
		err = rcr_register_program(&upper, name, &cpu->saved_upper[i], f);
	if (!err)
		err = rcr_register_program(&reg, name, &cpu->saved[i], f);
	return err;
}

static int rewrite_one(const struct rcr_counter_set *set, unsigned int i,
		       struct rcr_cpu_counters *cpu, struct rcr_failure *f)
{
	struct rcr_register reg = register_here(set, i, cpu), upper;
	const char *name = set->counter[i].name;
	int err = 0;

	if (rcr_pmu_upper(&reg, &upper))
		err = rcr_register_rewrite(&upper, name, &cpu->saved_upper[i], f);
	if (!err)
		err = rcr_register_rewrite(&reg, name, &cpu->saved[i], f);
	return err;
}

/* Whether the global bits are ours to put back, too. */
static bool restore_one(const struct rcr_counter_set *set, unsigned int i,
			struct rcr_cpu_counters *cpu)
{
	struct rcr_register reg = register_here(set, i, cpu), upper;
	bool restored;

	restored = rcr_register_restore(&reg, &cpu->saved[i]);
	if (rcr_pmu_upper(&reg, &upper))
		rcr_register_restore(&upper, &cpu->saved_upper[i]);
	return restored;
}

/* Sets bits of the global control that are not set. */
static int enable_global(const struct rcr_pmu *pmu, u64 bits, u64 *before,
			 struct rcr_failure *f)
{
	*before = 0;
	if (!bits)
		return 0;
	if (rcr_rdmsr_safe(pmu->global_control, before))
		return rcr_fail(f, -EIO, "CPU %d: register 0x%x cannot be read.",
				smp_processor_id(), pmu->global_control);
	if ((*before & bits) == bits)
		return 0;
	if (rcr_wrmsr_safe(pmu->global_control, *before | bits))
		return rcr_fail(f, -EIO, "CPU %d: register 0x%x refuses 0x%llx.",
				smp_processor_id(), pmu->global_control,
				*before | bits);
	return 0;
}

/* Our overflow bits are cleared: nobody after us shall take them for theirs. */
static void restore_global(const struct rcr_pmu *pmu, u64 bits, u64 saved)
{
	u64 control;

	if (!bits || rcr_rdmsr_safe(pmu->global_control, &control))
		return;
	rcr_wrmsr_safe(pmu->global_control, (control & ~bits) | saved);
	rcr_wrmsr_safe(pmu->global_clear, bits);
}

static void msr_stop(const struct rcr_counter_set *set,
		     struct rcr_cpu_counters *cpu, u32 which)
{
	u64 bits[RCR_PMUS] = { }, saved[RCR_PMUS] = { };
	unsigned int i = set->count, n;

	while (i--) {
		if (!(which & BIT(i)) || !restore_one(set, i, cpu))
			continue;
		n = set->pmu[i];
		bits[n] |= set->reg[i].global;
		saved[n] |= cpu->saved[i].global;
	}
	for (n = 0; n < set->machine->count; n++)
		restore_global(set->machine->pmu[n], bits[n], saved[n]);
}

/* Those of some counters that do not run yet. */
static u32 not_taken(const struct rcr_counter_set *set,
		     const struct rcr_cpu_counters *cpu, u32 which)
{
	unsigned int i;

	for (i = 0; i < set->count; i++)
		if (cpu->saved[i].taken)
			which &= ~BIT(i);
	return which;
}

static int start_global(const struct rcr_counter_set *set,
			struct rcr_cpu_counters *cpu, unsigned long which,
			struct rcr_failure *f)
{
	u64 bits[RCR_PMUS] = { }, before[RCR_PMUS];
	unsigned int i, n;
	int err = 0;

	for_each_set_bit(i, &which, RCR_MAX_COUNTERS)
		bits[set->pmu[i]] |= set->reg[i].global;
	for (n = 0; n < set->machine->count; n++)
		err = enable_global(set->machine->pmu[n], bits[n], &before[n], f) ?: err;
	for_each_set_bit(i, &which, RCR_MAX_COUNTERS)
		cpu->saved[i].global = before[set->pmu[i]] & set->reg[i].global;
	return err;
}

static int take_baseline(const struct rcr_register *reg, struct rcr_reading *r,
			 struct rcr_failure *f)
{
	u64 now;

	if (rcr_rdmsr_safe(reg->counter, &now))
		return rcr_fail(f, -EIO, "CPU %d: register 0x%x cannot be read.",
				smp_processor_id(), reg->counter);
	rcr_reading_begin(r, now);
	return 0;
}

static int msr_start(const struct rcr_counter_set *set,
		     struct rcr_cpu_counters *cpu, u32 wanted, bool all,
		     struct rcr_failure *f)
{
	unsigned long which = not_taken(set, cpu, wanted);
	unsigned int i;
	int err = 0;

	for_each_set_bit(i, &which, RCR_MAX_COUNTERS)
		err = err ?: save_one(set, i, cpu, f);
	for_each_set_bit(i, &which, RCR_MAX_COUNTERS)
		err = err ?: program_one(set, i, cpu, f);
	err = err ?: start_global(set, cpu, which, f);
	for_each_set_bit(i, &which, RCR_MAX_COUNTERS)
		err = err ?: take_baseline(&set->reg[i], &cpu->reading[i], f);
	return err;
}

static int msr_rewrite(const struct rcr_counter_set *set,
		       struct rcr_cpu_counters *cpu, u32 mask,
		       struct rcr_failure *f)
{
	unsigned long which = mask, flags;
	u64 bits[RCR_PMUS] = { }, before;
	unsigned int i, n;
	int err = 0, ret;

	/* No tick sees a counter half programmed. */
	local_irq_save(flags);
	for_each_set_bit(i, &which, set->count) {
		ret = rewrite_one(set, i, cpu, f);
		cpu->reading[i].broken &= !!ret;
		err = ret ?: err;
		bits[set->pmu[i]] |= set->reg[i].global;
	}
	for (n = 0; n < set->machine->count; n++)
		err = enable_global(set->machine->pmu[n], bits[n], &before, f) ?: err;
	local_irq_restore(flags);
	return err;
}

/* The bits of the control that are not as we wrote them. */
static int look_at_control(const struct rcr_register *reg, u64 select,
			   u64 *changed)
{
	u64 control;
	int err;

	if (!reg->control)
		return 0;
	err = rcr_rdmsr_safe(reg->control, &control);
	*changed |= (control ^ select) & reg->mask;
	return err;
}

/*
 * Control and counter together: interrupts are off, so no task and no
 * interrupt of this CPU can change one between the two reads.
 */
static u8 look_at(const struct rcr_counter_set *set, unsigned int i, u64 global,
		  const struct rcr_cpu_counters *cpu, u64 *now)
{
	const struct rcr_register *reg = &set->reg[i];
	struct rcr_register upper;
	u64 changed = 0;

	if (look_at_control(reg, reg->select ^ reg->per_node << cpu->node, &changed) ||
	    (rcr_pmu_upper(reg, &upper) &&
	     look_at_control(&upper, upper.select, &changed)) ||
	    rcr_rdmsr_safe(reg->counter, now))
		return RCR_STATUS_FAULT;
	if (changed || (global & reg->global) != reg->global)
		return RCR_STATUS_FOREIGN;
	/* No counter has bits beyond its width: nobody answers there. */
	if (*now & ~rcr_width_mask(reg->pmu->width))
		return RCR_STATUS_FAULT;
	return RCR_STATUS_OK;
}

/* The global controls of this sample, each read when it is first asked for. */
struct globals {
	u32 known;
	u64 val[RCR_PMUS];
};

/* All ones for a PMU that has none. */
static u64 global_of(const struct rcr_machine *m, unsigned int n,
		     struct globals *g)
{
	const struct rcr_pmu *pmu = m->pmu[n];

	if (g->known & BIT(n))
		return g->val[n];
	g->known |= BIT(n);
	g->val[n] = ~0ull;
	if (pmu->global_control && rcr_rdmsr_safe(pmu->global_control, &g->val[n]))
		g->val[n] = 0;
	return g->val[n];
}

/* A fault costs: what has faulted is stopped, and not read again. */
static u8 look_once(const struct rcr_counter_set *set, unsigned int i,
		    struct globals *g, struct rcr_cpu_counters *cpu, u64 *now)
{
	u8 status;

	if (cpu->reading[i].broken)
		return RCR_STATUS_FAULT;
	status = look_at(set, i, global_of(set->machine, set->pmu[i], g), cpu, now);
	if (status == RCR_STATUS_FAULT) {
		cpu->faults++;
		cpu->reading[i].broken = true;
		rcr_register_disable(&set->reg[i]);
	}
	return status;
}

static void msr_look(const struct rcr_counter_set *set,
		     struct rcr_cpu_counters *cpu, u32 mask, u64 *now, u8 *status)
{
	unsigned long which = mask;
	struct globals g = { };
	unsigned int i;

	for_each_set_bit(i, &which, RCR_MAX_COUNTERS)
		status[i] = look_once(set, i, &g, cpu, &now[i]);
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
	.look = msr_look,
	.rewrite = msr_rewrite,
};
