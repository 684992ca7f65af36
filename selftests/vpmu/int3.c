// SPDX-License-Identifier: GPL-2.0-only
/*
 * int3.c - prevents traps of a breakpoint that was removed.
 *
 * QEMU 7.2 loses a write of one vCPU to code that another one is translating: it drops the block
 * before the write is done, or the block does not exist yet, and the code translated from the old
 * bytes stays. (8.1 locks the pages: "accel/tcg: Always lock pages before translation".) Linux
 * patches its code by placing an int3 there for a moment. A vCPU that keeps the translated int3
 * loops: the handler finds no int3 in memory and returns to the same address. Guests hung in this
 * way within minutes, when perf or the scheduler toggled a static key.
 *
 * Only the last write can stay lost, as each later write drops the block again, and the last write
 * of Linux is the one that removes the int3: no other case needs handling.
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
