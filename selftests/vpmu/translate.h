/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * translate.h - exec mode's part of QEMU's translator, target/i386/tcg/
 * translate.c, which includes this after its struct DisasContext.
 *
 * In rate mode nothing is added to translated code.
 *
 * Instructions and branches are counted when a block is entered, after the check that may leave it
 * at once (gen_tb_start()), as for -icount; their number is filled in at the end of the
 * translation. cpu_restore_state_from_tb() is called for every exception that a helper raises
 * inside of a block: there vpmu_exec_undo() subtracts the instructions that were not executed.
 * Other events are counted after the code that causes them.
 */
#ifndef RCR_VPMU_TRANSLATE_H
#define RCR_VPMU_TRANSLATE_H

#include "../vpmu/access.h"

static bool vpmu_is_user(const DisasContext *s)
{
	return (s->flags & HF_CPL_MASK) == 3;
}

/* Add @n to a total. Return the operation whose parameter 2 is @n. */
static TCGOp *vpmu_gen_add(DisasContext *s, unsigned int total, int64_t n)
{
	unsigned int mode = vpmu_is_user(s) ? VPMU_USER : VPMU_OS;
	size_t offset = offsetof(CPUX86State, vpmu.total) +
			(mode * VPMU_TOTALS + total) * sizeof(uint64_t);
	TCGv_i64 sum = tcg_temp_new_i64();
	TCGOp *add;

	tcg_gen_ld_i64(sum, cpu_env, offset);
	tcg_gen_add_i64(sum, sum, tcg_constant_i64(n));
	add = tcg_last_op();
	tcg_gen_st_i64(sum, cpu_env, offset);
	tcg_temp_free_i64(sum);
	return add;
}

static void vpmu_gen_tb_start(DisasContext *s)
{
	if (!vpmu_exec_on)
		return;
	s->vpmu_insns = vpmu_gen_add(s, VPMU_INSNS, 0);
	s->vpmu_branches = vpmu_gen_add(s, VPMU_BRANCHES, 0);
}

static void vpmu_set_added(TCGOp *add, int64_t n)
{
	tcg_set_insn_param(add, 2, tcgv_i64_arg(tcg_constant_i64(n)));
}

static void vpmu_gen_tb_stop(DisasContext *s)
{
	if (!vpmu_exec_on)
		return;
	vpmu_set_added(s->vpmu_insns, s->base.num_insns);
	vpmu_set_added(s->vpmu_branches, s->vpmu_branch);
	((TranslationBlock *)s->base.tb)->vpmu_branches = s->vpmu_branch;
}

static void vpmu_insn_start(DisasContext *s)
{
	s->vpmu_opcode = 0;
	s->vpmu_branch = false;
	s->vpmu_stream = false;
}

/*
 * QEMU's numbers of opcodes: 100h and up are those after the prefix 0Fh. In group 5 (FFh), the
 * instructions that end a block are branches.
 */
static bool vpmu_is_branch(const DisasContext *s)
{
	switch (s->vpmu_opcode) {
	case 0x70 ... 0x7f: case 0x180 ... 0x18f:	/* jcc */
	case 0xe0 ... 0xe3:				/* loop, jcxz */
	case 0x9a: case 0xe8: case 0xe9: case 0xea: case 0xeb:
	case 0xc2: case 0xc3: case 0xca: case 0xcb: case 0xcf:
	case 0x105: case 0x107: case 0x134: case 0x135:	/* syscall, sysenter */
		return true;
	case 0xff:
		return s->base.is_jmp != DISAS_NEXT;
	}
	return false;
}

static void vpmu_insn_end(DisasContext *s)
{
	if (!vpmu_exec_on)
		return;
	s->vpmu_branch = vpmu_is_branch(s);
	if (s->vpmu_opcode >= 0xd8 && s->vpmu_opcode <= 0xdf &&
	    s->base.is_jmp == DISAS_NEXT)
		vpmu_gen_add(s, VPMU_X87_INSNS, 1);
}

/*
 * Subtract an instruction that was counted: it raises an exception itself, or is a string
 * instruction that will be entered again.
 */
static void vpmu_gen_undone(DisasContext *s)
{
	if (vpmu_exec_on)
		vpmu_gen_add(s, VPMU_INSNS, -1);
}

static void vpmu_gen_access(DisasContext *s, TCGv addr, uint32_t info)
{
	if (!vpmu_exec_on)
		return;
	if (!vpmu_is_user(s))
		info |= VPMU_ACCESS_OS;
	if (s->vpmu_stream && (info & VPMU_ACCESS_STORE))
		info |= VPMU_ACCESS_STREAM;
	info |= s->mem_index << VPMU_ACCESS_MMU_SHIFT;
	gen_helper_vpmu_access(cpu_env, addr, tcg_constant_i32(info));
}

static void vpmu_gen_load(DisasContext *s, TCGv addr, MemOp op)
{
	vpmu_gen_access(s, addr, memop_size(op) | VPMU_ACCESS_LOAD);
}

static void vpmu_gen_store(DisasContext *s, TCGv addr, MemOp op)
{
	vpmu_gen_access(s, addr, memop_size(op) | VPMU_ACCESS_STORE);
}

static void vpmu_gen_atomic(DisasContext *s, TCGv addr, MemOp op)
{
	vpmu_gen_access(s, addr, memop_size(op) | VPMU_ACCESS_LOAD |
				 VPMU_ACCESS_STORE);
}

/* The loaded value may overwrite the register of its own address. */
static void vpmu_ld_tl(DisasContext *s, TCGv val, TCGv addr, MemOp op)
{
	TCGv at;

	if (!vpmu_exec_on) {
		tcg_gen_qemu_ld_tl(val, addr, s->mem_index, op);
		return;
	}
	at = tcg_temp_new();
	tcg_gen_mov_tl(at, addr);
	tcg_gen_qemu_ld_tl(val, addr, s->mem_index, op);
	vpmu_gen_load(s, at, op);
	tcg_temp_free(at);
}

static void vpmu_st_tl(DisasContext *s, TCGv val, TCGv addr, MemOp op)
{
	tcg_gen_qemu_st_tl(val, addr, s->mem_index, op);
	vpmu_gen_store(s, addr, op);
}

#endif
