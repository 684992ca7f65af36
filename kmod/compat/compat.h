/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * compat.h - differences between kernel versions.
 *
 * Kbuild defines RCR_HAVE_* after searching the kernel's headers for the feature itself:
 * distributions backport features, so version numbers are not reliable.
 */
#ifndef RCR_COMPAT_H
#define RCR_COMPAT_H

#include <linux/cgroup.h>
#include <linux/hrtimer.h>
#include <linux/mm.h>
#include <asm/msr.h>
#include <asm/processor.h>
#include <asm/topology.h>

/* Up to 6.12 <asm/processor.h> declares cpuid_count(); in 7.2 <asm/cpuid/api.h> does. */
#ifdef RCR_HAVE_CPUID_API
#include <asm/cpuid/api.h>
#endif

/* rdmsrq_safe() and wrmsrq_safe() replaced the "l" names in 6.16. */
#ifndef RCR_HAVE_RDMSRQ_SAFE
#define rdmsrq_safe rdmsrl_safe
#define wrmsrq_safe wrmsrl_safe
#endif

/*
 * Like rdmsrq_safe(), but without the paravirt call, because a tick reads many MSRs. A hypervisor
 * that handles the call handles the instruction, too. A faulting register reads as 0.
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

/* hrtimer_setup() replaced hrtimer_init() in 6.13. */
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

/* vm_flags_clear() and vm_flags_set() are new in 6.3; before, flags were changed in place. */
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

/* Machine-wide number of a CPU's last level cache. get_llc_id() was removed in 6.7. */
static inline unsigned int rcr_llc_id(unsigned int cpu)
{
#ifdef RCR_HAVE_PER_CPU_LLC_ID
	return per_cpu_llc_id(cpu);
#else
	return get_llc_id(cpu);
#endif
}

/*
 * Id of the current task's cgroup v2; 0 in a kernel without cgroups. Interrupts are off, which
 * RCU treats as a read-side critical section.
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
