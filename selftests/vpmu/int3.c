// SPDX-License-Identifier: GPL-2.0-only
/*
 * int3.c - a breakpoint that has gone is not hit.
 *
 * QEMU 7.2 loses what a vCPU writes into code that another one translates: the block is
 * thrown away before the write is done, or is not there yet, and code translated from the old
 * bytes runs for ever. (From 8.1 on pages are locked meanwhile: "accel/tcg: Always lock
 * pages before translation".) Linux changes its own code under way by an int3 that is
 * there for a moment. A vCPU that keeps it never gets past it: its handler finds no int3
 * and goes back. So guests stopped where perf or the scheduler flips a static key: in
 * minutes, or when they came up.
 *
 * Whatever else was lost goes with the next write there, and Linux' last is that which
 * takes the int3 away. So this one case is all.
 */
#include "qemu/osdep.h"
#include "exec/cpu_ldst.h"
#include "tcg/tcg.h"
#include "vpmu.h"

#define INT3	0xcc

void vpmu_int3(CPUX86State *env, uintptr_t host_pc)
{
	TranslationBlock *tb;

	if (cpu_ldub_code(env, env->segs[R_CS].base + env->eip) == INT3)
		return;
	tb = tcg_tb_lookup(host_pc);
	if (tb)
		tb_phys_invalidate(tb, -1);
	cpu_loop_exit_noexc(env_cpu(env));
}
