// SPDX-License-Identifier: GPL-2.0-only
/*
 * int3.c - a breakpoint that was removed does not trap.
 *
 * QEMU 7.2 loses a write of one vCPU to code that another one is translating: the block
 * is thrown away before the write is done, or does not exist yet, and the code
 * translated from the old bytes stays. (From 8.1 on pages are locked meanwhile:
 * "accel/tcg: Always lock pages before translation".) Linux changes its own code while
 * it runs by placing an int3 there for a moment. A vCPU that keeps this int3 never gets
 * past it: its handler finds no int3 and returns. So guests hung when perf or the
 * scheduler flipped a static key, within minutes or at boot.
 *
 * Anything else that was lost goes with the next write there, and the last write of
 * Linux is that which removes the int3. So this is the only case to handle.
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
