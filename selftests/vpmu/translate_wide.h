/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * translate_wide.h - reports the accesses of QEMU's translator other than those of
 * integer instructions. translate.c includes this between its functions for vectors and
 * their callers, which call these functions by the old names.
 */
#ifndef RCR_VPMU_TRANSLATE_WIDE_H
#define RCR_VPMU_TRANSLATE_WIDE_H

static void vpmu_ld_i32(DisasContext *s, TCGv_i32 val, TCGv addr, int idx, MemOp op)
{
	tcg_gen_qemu_ld_i32(val, addr, idx, op);
	vpmu_gen_load(s, addr, op);
}

static void vpmu_st_i32(DisasContext *s, TCGv_i32 val, TCGv addr, int idx, MemOp op)
{
	tcg_gen_qemu_st_i32(val, addr, idx, op);
	vpmu_gen_store(s, addr, op);
}

static void vpmu_ld_i64(DisasContext *s, TCGv_i64 val, TCGv addr, int idx, MemOp op)
{
	tcg_gen_qemu_ld_i64(val, addr, idx, op);
	vpmu_gen_load(s, addr, op);
}

static void vpmu_st_i64(DisasContext *s, TCGv_i64 val, TCGv addr, int idx, MemOp op)
{
	tcg_gen_qemu_st_i64(val, addr, idx, op);
	vpmu_gen_store(s, addr, op);
}

static void vpmu_ldq(DisasContext *s, int offset)
{
	gen_ldq_env_A0(s, offset);
	vpmu_gen_load(s, s->A0, MO_64);
}

static void vpmu_stq(DisasContext *s, int offset)
{
	gen_stq_env_A0(s, offset);
	vpmu_gen_store(s, s->A0, MO_64);
}

static void vpmu_ldo(DisasContext *s, int offset, bool align)
{
	gen_ldo_env_A0(s, offset, align);
	vpmu_gen_load(s, s->A0, MO_128);
}

static void vpmu_sto(DisasContext *s, int offset, bool align)
{
	gen_sto_env_A0(s, offset, align);
	vpmu_gen_store(s, s->A0, MO_128);
}

static void vpmu_ldy(DisasContext *s, int offset, bool align)
{
	gen_ldy_env_A0(s, offset, align);
	vpmu_gen_load(s, s->A0, MO_128);
	tcg_gen_addi_tl(s->tmp0, s->A0, 16);
	vpmu_gen_load(s, s->tmp0, MO_128);
}

static void vpmu_sty(DisasContext *s, int offset, bool align)
{
	gen_sty_env_A0(s, offset, align);
	vpmu_gen_store(s, s->A0, MO_128);
	tcg_gen_addi_tl(s->tmp0, s->A0, 16);
	vpmu_gen_store(s, s->tmp0, MO_128);
}

/* All functions after this line have the context in "s". */
#undef tcg_gen_qemu_ld_tl
#undef tcg_gen_qemu_st_tl
#define tcg_gen_qemu_ld_tl(val, addr, idx, op)	vpmu_ld_tl(s, val, addr, op)
#define tcg_gen_qemu_st_tl(val, addr, idx, op)	vpmu_st_tl(s, val, addr, op)
#define tcg_gen_qemu_ld_i32(...)	vpmu_ld_i32(s, __VA_ARGS__)
#define tcg_gen_qemu_st_i32(...)	vpmu_st_i32(s, __VA_ARGS__)
#define tcg_gen_qemu_ld_i64(...)	vpmu_ld_i64(s, __VA_ARGS__)
#define tcg_gen_qemu_st_i64(...)	vpmu_st_i64(s, __VA_ARGS__)
#define gen_ldq_env_A0			vpmu_ldq
#define gen_stq_env_A0			vpmu_stq
#define gen_ldo_env_A0			vpmu_ldo
#define gen_sto_env_A0			vpmu_sto
#define gen_ldy_env_A0			vpmu_ldy
#define gen_sty_env_A0			vpmu_sty

#endif
