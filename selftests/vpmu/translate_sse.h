/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * translate_sse.h - counts SSE, AVX and FMA instructions in exec mode, by the tables of QEMU's
 * decoder (target/i386/tcg/decode-new.c.inc). translate.c includes this after the functions that
 * generate them.
 */
#ifndef RCR_VPMU_TRANSLATE_SSE_H
#define RCR_VPMU_TRANSLATE_SSE_H

static const struct {
	X86GenFunc gen;
	int bit;
	bool horizontal;	/* never scalar: F2h means single precision */
} vpmu_arithmetic[] = {
	{ gen_VADD, VPMU_FLOPS_ADD },
	{ gen_VSUB, VPMU_FLOPS_ADD },
	{ gen_VHADD, VPMU_FLOPS_ADD, true },
	{ gen_VHSUB, VPMU_FLOPS_ADD, true },
	{ gen_VADDSUB, VPMU_FLOPS_ADD, true },
	{ gen_VMUL, VPMU_FLOPS_MUL },
	{ gen_VDIV, VPMU_FLOPS_DIV },
	{ gen_VSQRT, VPMU_FLOPS_DIV },
};

/* Count by the prefix: single or double precision, scalar or packed. */
static void vpmu_gen_flops(DisasContext *s, int bit, bool is_double, bool scalar,
			   int each)
{
	int bytes = s->vex_l ? 32 : 16;
	int elements = scalar ? 1 : bytes / (is_double ? 8 : 4);

	if (is_double)
		bit += VPMU_FLOPS_DOUBLE;
	vpmu_gen_add(s, VPMU_FLOPS + bit, elements * each);
	vpmu_gen_add(s, scalar ? VPMU_SCALAR_OPS : VPMU_PACKED_OPS, 1);
}

/* 0F38h 96h to BFh: odd ones from x9h on are scalar, W is double precision. */
static void vpmu_gen_fma(DisasContext *s, const X86DecodedInsn *decode)
{
	bool scalar = (decode->b & 0xf) >= 9 && (decode->b & 1);

	vpmu_gen_flops(s, VPMU_FLOPS_FMA, s->vex_w, scalar, 2);
}

static void vpmu_gen_arithmetic(DisasContext *s, const X86DecodedInsn *decode)
{
	bool scalar = s->prefix & (PREFIX_REPZ | PREFIX_REPNZ);
	bool is_double = s->prefix & (scalar ? PREFIX_REPNZ : PREFIX_DATA);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(vpmu_arithmetic); i++) {
		if (vpmu_arithmetic[i].gen != decode->e.gen)
			continue;
		if (vpmu_arithmetic[i].horizontal) {
			scalar = false;
			is_double = s->prefix & PREFIX_DATA;
		}
		vpmu_gen_flops(s, vpmu_arithmetic[i].bit, is_double, scalar, 1);
	}
}

/* Vector instructions have an exception class; 13 is for integer ones with VEX. */
static bool vpmu_is_sse(const DisasContext *s, const X86DecodedInsn *decode)
{
	if (decode->e.special == X86_SPECIAL_MMX &&
	    !(s->prefix & (PREFIX_REPZ | PREFIX_REPNZ | PREFIX_DATA)))
		return false;
	return decode->e.vex_class && decode->e.vex_class != 13;
}

/* MOVNTPS, MOVNTPD and MOVNTDQ store; other instructions with this function do not. */
static void vpmu_sse_start(DisasContext *s, const X86DecodedInsn *decode)
{
	s->vpmu_stream = decode->e.gen == gen_MOVDQ &&
			 (decode->b == 0x2b || decode->b == 0xe7);
}

/* Called after the instruction's own code. */
static void vpmu_sse_end(DisasContext *s, const X86DecodedInsn *decode)
{
	if (!vpmu_exec_on || s->base.is_jmp == DISAS_NORETURN ||
	    !vpmu_is_sse(s, decode))
		return;
	vpmu_gen_add(s, VPMU_SSE_INSNS, 1);
	if (decode->e.cpuid == X86_FEAT_FMA)
		vpmu_gen_fma(s, decode);
	else
		vpmu_gen_arithmetic(s, decode);
}

#endif
