/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * oom.h - what kernels do not agree on in the tracepoint oom:mark_victim.
 */
#ifndef RCR_COMPAT_OOM_H
#define RCR_COMPAT_OOM_H

#include <linux/sched.h>

/* What a probe gets behind its data: since 6.9 the task, before only its id. */
#ifdef RCR_HAVE_MARK_VICTIM_TASK
#define RCR_OOM_VICTIM struct task_struct *victim, uid_t uid

static inline int rcr_oom_pid(const struct task_struct *victim)
{
	return victim->pid;
}
#else
#define RCR_OOM_VICTIM int victim

static inline int rcr_oom_pid(int victim)
{
	return victim;
}
#endif

#endif
