// SPDX-License-Identifier: GPL-2.0-only
/*
 * amd_f17h.c - core counters of AMD Family 17h and later (Zen). The uncore is in
 * amd_uncore.c.
 *
 * AMD 54945 (PPR for Family 17h Models 01h, 08h), 55803, 56255 and 57896:
 * MSRC001_020[A...0] Performance Event Select, MSRC001_020[B...1] Performance
 * Event Counter; CPUID Fn8000_0001_ECX bit 23 PerfCtrExtCore. Since Zen 4
 * CPUID Fn8000_0022_EAX bit 0 PerfMonV2: MSRC000_0301 PerfCntrGlobalCtl and
 * MSRC000_0302 PerfCntrGlobalStatusClr, one bit per counter.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "amd.h"

static const struct rcr_constraint constraint[] = {
	/*
	 * Retired SSE and AVX operations can increment by more than 15 per cycle and then
	 * need two adjacent counters (PPR, "Large Increment per Cycle Events"); a single
	 * counter would count too few.
	 */
	{ 0xfff, 0x003, RCR_UMASK_ANY, 0x15, .most = 96, .pair = true },
	/* The merge event of a pair does not count by itself. */
	{ 0xfff, 0xfff, RCR_UMASK_ANY, 0 },
	{ }
};

#define TOT_CYC	{ .name = "TOT_CYC", .event = 0x076, .os = true, .user = true }
#define TOT_INS	{ .name = "TOT_INS", .event = 0x0c0, .os = true, .user = true }
#define VEC_INS	{ .name = "VEC_INS", .event = 0x0cb, .umask = 0x04, .os = true, .user = true }
/* L2 accesses from data cache misses */
#define L1_DCM(mask) \
	{ .name = "L1_DCM", .event = 0x060, .umask = mask, .os = true, .user = true }
/* L2 data TLB misses: page table walks */
#define TLB_DM	{ .name = "TLB_DM", .event = 0x045, .umask = 0xf0, .os = true, .user = true }

/*
 * Since Zen 3 including reads of shared blocks (LsRdBlkC_S, bit 5), as in Linux's
 * pmu-events/arch/x86/amdzen3, l2_cache_accesses_from_dc_misses.
 */
#define ZEN_DEFAULT	{ TOT_CYC, TOT_INS, VEC_INS, L1_DCM(0xc8), TLB_DM }
#define ZEN3_DEFAULT	{ TOT_CYC, TOT_INS, VEC_INS, L1_DCM(0xe8), TLB_DM }

#define ZEN_CORE						\
	RCR_AMD_CORE_EXT,					\
	.merge = 0xf004000ffull,	/* event FFFh, enabled */	\
	.constraint = constraint

const struct rcr_family rcr_family_amd_17h = {
	.name = "AMD Fam17h",
	RCR_AMD_FAMILY(0x17, 0x18),
	.core = { ZEN_CORE, .feature = RCR_AMD_HAS_CORE_EXT },
	.units = { rcr_zen_boxes, rcr_amd_energy, rcr_clocks },
	.default_event = ZEN_DEFAULT,
};

const struct rcr_family rcr_family_amd_19h = {
	.name = "AMD Fam19h",
	RCR_AMD_FAMILY(0x19, 0x1a),
	.core = { ZEN_CORE, .feature = RCR_AMD_HAS_CORE_EXT },
	.units = { rcr_zen3_boxes, rcr_amd_energy, rcr_clocks },
	.default_event = ZEN3_DEFAULT,
};

const struct rcr_family rcr_family_amd_perfmon_v2 = {
	.name = "AMD PerfMonV2",
	RCR_AMD_FAMILY(0x19, 0x1a),
	.core = {
		ZEN_CORE,
		.feature = RCR_AMD_HAS_V2,
		/* CPUID Fn8000_0022_EBX bits 3:0 NumPerfCtrCore */
		.counters_cpuid = { 0x80000022, RCR_EBX, GENMASK(3, 0) },
		.global_control = 0xc0000301,
		.global_clear = 0xc0000302,
	},
	.units = { rcr_zen4_boxes, rcr_amd_energy, rcr_clocks },
	.default_event = ZEN3_DEFAULT,
};
