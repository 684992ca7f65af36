/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * compat.h - the one place that knows that kernels differ.
 *
 * The RCR_HAVE_* words come from Kbuild, which looks for the feature itself in
 * the kernel's headers: distributions port features back, so a version number
 * tells nothing.
 */
#ifndef RCR_COMPAT_H
#define RCR_COMPAT_H

#include <linux/cgroup.h>
#include <linux/hrtimer.h>
#include <linux/mm.h>
#include <asm/msr.h>
#include <asm/processor.h>
#include <asm/topology.h>

/* rdmsrq_safe() and wrmsrq_safe() took the place of the "l" names in 6.16. */
static inline int rcr_rdmsr_safe(u32 msr, u64 *val)
{
#ifdef RCR_HAVE_RDMSRQ_SAFE
	return rdmsrq_safe(msr, val);
#else
	return rdmsrl_safe(msr, val);
#endif
}

/*
 * As rcr_rdmsr_safe(), without the call that paravirtualization makes of it: for a tick,
 * which reads many. Where a hypervisor answers that call it answers the instruction,
 * too. What faults reads as 0.
 */
static __always_inline int rcr_rdmsr_tick(u32 msr, u64 *val)
{
#ifdef RCR_HAVE_RDMSRQ_SAFE
	return rdmsrq_safe(msr, val);
#else
	int err;

	*val = native_read_msr_safe(msr, &err);
	return err;
#endif
}

static inline int rcr_wrmsr_safe(u32 msr, u64 val)
{
#ifdef RCR_HAVE_RDMSRQ_SAFE
	return wrmsrq_safe(msr, val);
#else
	return wrmsrl_safe(msr, val);
#endif
}

/* hrtimer_setup() took the place of hrtimer_init() in 6.13. */
static inline void
rcr_hrtimer_setup(struct hrtimer *timer,
		  enum hrtimer_restart (*function)(struct hrtimer *),
		  clockid_t clock, enum hrtimer_mode mode)
{
#ifdef RCR_HAVE_HRTIMER_SETUP
	hrtimer_setup(timer, function, clock, mode);
#else
	hrtimer_init(timer, clock, mode);
	timer->function = function;
#endif
}

/* vm_flags_clear() and vm_flags_set() came in 6.3; before, flags were changed in place. */
static inline void rcr_vm_flags_clear(struct vm_area_struct *vma,
				      unsigned long flags)
{
#ifdef RCR_HAVE_VM_FLAGS_CLEAR
	vm_flags_clear(vma, flags);
#else
	vma->vm_flags &= ~flags;
#endif
}

static inline void rcr_vm_flags_set(struct vm_area_struct *vma,
				    unsigned long flags)
{
#ifdef RCR_HAVE_VM_FLAGS_CLEAR
	vm_flags_set(vma, flags);
#else
	vma->vm_flags |= flags;
#endif
}

/* Number of a CPU's last level cache in the machine. get_llc_id() went in 6.7. */
static inline unsigned int rcr_llc_id(unsigned int cpu)
{
#ifdef RCR_HAVE_PER_CPU_LLC_ID
	return per_cpu_llc_id(cpu);
#else
	return get_llc_id(cpu);
#endif
}

/*
 * Id of the current task's cgroup v2; 0 in a kernel without cgroups. Interrupts are off:
 * RCU waits for that as it does for its readers.
 */
static inline u64 rcr_current_cgroup(void)
{
	u64 id = 0;

#ifdef CONFIG_CGROUPS
	id = cgroup_id(task_css_set_check(current, irqs_disabled())->dfl_cgrp);
#endif
	return id;
}

#endif
