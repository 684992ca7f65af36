// SPDX-License-Identifier: GPL-2.0-only
/*
 * amd_uncore.c - L3 caches, data fabric and memory controllers of AMD Family 17h (Zen) and
 * later.
 *
 * The PPRs: 54945 (Family 17h Models 00h-2Fh: Zen 1), 55803 (17h 30h-3Fh: Zen 2),
 * 55898 (19h 00h-0Fh: Zen 3), 55901 (19h 10h-1Fh: Zen 4), 57238 (1Ah 00h-0Fh: Zen
 * 5). Linux's events/amd/uncore.c programs the same fields.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "amd.h"

#define ENABLE		BIT_ULL(22)

/* CPUID Fn8000_0001_ECX: 24 PerfCtrExtDF (once NB), 28 PerfCtrExtLLC. */
#define HAS_DF		{ 0x80000001, RCR_ECX, BIT(24) }
#define HAS_L3		{ 0x80000001, RCR_ECX, BIT(28) }

/*
 * MSRC001_023[A...0] L3 Performance Event Select (ChL3PmcCfg), MSRC001_023[B...1] its counts:
 * six per core complex. Event select 7:0 and unit mask 15:8; the other bits are set so that
 * all threads and all slices count.
 */
#define L3							\
	.name = "l3",						\
	.scope = RCR_SCOPE_LLC,					\
	.feature = HAS_L3,					\
	.control0 = 0xc0010230,					\
	.counter0 = 0xc0010231,					\
	.stride = 2,						\
	.counters = 6,						\
	.width = 48,						\
	.most = 256
#define L3_RESERVED	~(0xffffull | ENABLE)

/* ThreadMask 63:56 and SliceMask 51:48. */
#define L3_ALL_17H	0xff0f000000000000ull

/*
 * Since Family 19h: ThreadMask 57:56, EnAllCores 47 and EnAllSlices 46; CoreId 44:42 and
 * SliceId 50:48 select one while these two are clear.
 */
#define L3_ALL_19H	0x0300c00000000000ull

/*
 * MSRC001_024[6,4,2,0] DF Performance Event Select (DF_PERF_CTL), each followed by its count:
 * four per node. The event select has 14 bits.
 */
#define DF							\
	.name = "df",						\
	.control0 = 0xc0010240,					\
	.counter0 = 0xc0010241,					\
	.stride = 2,						\
	.width = 48,						\
	.most = 64

static const struct rcr_layout df_layout = {
	.event = 0x1800000f000000ffull,		/* 60:59, 35:32, 7:0 */
	.umask = 0xff00,
	.enable = ENABLE,
};

#define DF_V1							\
	DF,							\
	.layout = &df_layout,					\
	.scope = RCR_SCOPE_DIE,					\
	.feature = HAS_DF,					\
	.counters = 4,						\
	.reserved = ~(0x1800000f0000ffffull | ENABLE)

/*
 * PerfMonV2: event select and unit mask have other bits, and CPUID Fn8000_0022_EBX bits 15:10
 * NumPerfCtrDF is the number of counters. A package is one node.
 */
static const struct rcr_layout df_layout_v2 = {
	.event = 0x0000003f000000ffull,		/* 37:32, 7:0 */
	.umask = 0x000000000f00ff00ull,		/* 27:24, 15:8 */
	.enable = ENABLE,
};

#define DF_V2							\
	DF,							\
	.layout = &df_layout_v2,				\
	.scope = RCR_SCOPE_PACKAGE,				\
	.feature = RCR_AMD_HAS_V2,					\
	.counters = 16,						\
	.counters_cpuid = { 0x80000022, RCR_EBX, GENMASK(15, 10) }, \
	.reserved = ~(0x0000003f0f00ffffull | ENABLE)

/*
 * MSRC001_08[5E...00] UMC Performance Event Select (UMC_PERF_CTL), each followed by its count:
 * four per memory controller. CPUID Fn8000_0022_ECX has a bit per controller, the active ones
 * without gaps; EBX bits 21:16 are the number of counters of all. RdWrMask 9:8 restricts an
 * event to reads (1) or writes (2). Counts do not wrap.
 */
#define UMC_ENABLE	BIT_ULL(31)

static const struct rcr_layout umc_layout = {
	.event = 0xff,
	.umask = 0x300,
	.enable = UMC_ENABLE,
};

#define UMC							\
	.name = "umc",						\
	.boxes = 12,						\
	.boxes_cpuid = { 0x80000022, RCR_ECX, ~0u },		\
	.box_stride = 8,					\
	.layout = &umc_layout,					\
	.scope = RCR_SCOPE_PACKAGE,				\
	.feature = RCR_AMD_HAS_V2,					\
	.control0 = 0xc0010800,					\
	.counter0 = 0xc0010801,					\
	.stride = 2,						\
	.counters = 4,						\
	.counters_cpuid = { 0x80000022, RCR_EBX, GENMASK(21, 16) }, \
	.width = 48,						\
	.saturates = true,					\
	.most = 16,						\
	.reserved = ~(0x3ffull | UMC_ENABLE)

const struct rcr_pmu rcr_zen_boxes[] = {
	{ L3, .always = L3_ALL_17H, .reserved = L3_RESERVED & ~L3_ALL_17H },
	{ DF_V1 },
	{ }
};

const struct rcr_pmu rcr_zen3_boxes[] = {
	{ L3, .always = L3_ALL_19H, .reserved = L3_RESERVED & ~L3_ALL_19H },
	{ DF_V1 },
	{ }
};

const struct rcr_pmu rcr_zen4_boxes[] = {
	{ L3, .always = L3_ALL_19H, .reserved = L3_RESERVED & ~L3_ALL_19H },
	{ DF_V2 },
	{ UMC },
	{ }
};
