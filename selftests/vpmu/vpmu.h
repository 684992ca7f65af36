/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * vpmu.h - the functions by which QEMU's x86 TCG calls the virtual PMU.
 *
 * Each is called where QEMU would ignore an access that it does not know; hook.py adds the calls.
 */
#ifndef RCR_VPMU_H
#define RCR_VPMU_H

#include "cpu.h"
#include "exec/exec-all.h"
#include "model.h"

enum vpmu_answer vpmu_rdmsr(CPUX86State *env, uint32_t msr, uint64_t *val);
enum vpmu_answer vpmu_wrmsr(CPUX86State *env, uint32_t msr, uint64_t val);
enum vpmu_answer vpmu_rdpmc(CPUX86State *env, uint32_t index, uint64_t *val);

/* Add the PMU's bits to QEMU's answer for a CPUID leaf. */
void vpmu_cpuid(CPUX86State *env, uint32_t leaf, uint32_t *eax, uint32_t *ebx,
		uint32_t *ecx, uint32_t *edx);

/*
 * Called before the code at @host_pc raises an int3. Does not return if memory has no
 * int3 there any more: the instruction there is executed instead.
 */
void vpmu_int3(CPUX86State *env, uintptr_t host_pc);

/* Called for each pause instruction, without QEMU's lock. */
void vpmu_pause(const CPUX86State *env);

/*
 * Hooks of exec mode (exec.h defines it): a change of the privilege level, and the
 * begin and end of hlt.
 */
void vpmu_exec_level(CPUX86State *env, int cpl);
void vpmu_exec_halt(CPUX86State *env);
void vpmu_exec_wake(CPUX86State *env);

/* The last @left instructions of @tb, which was entered, are not executed. */
static inline void vpmu_exec_undo(CPUX86State *env, const TranslationBlock *tb,
				  int left)
{
	bool user = (tb->flags & HF_CPL_MASK) == 3;
	uint64_t *total = env->vpmu.total[user ? VPMU_USER : VPMU_OS];

	if (!vpmu_exec_on || left <= 0)
		return;
	total[VPMU_INSNS] -= left;
	total[VPMU_BRANCHES] -= tb->vpmu_branches;
}

#endif
