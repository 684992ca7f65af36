// SPDX-License-Identifier: GPL-2.0-only
/*
 * amd_uncore.c - what AMD's cores share since Family 17h (Zen): L3 caches, data
 * fabric, memory controllers, and the energy of cores and packages.
 *
 * The PPRs: 54945 (Family 17h Models 00h-2Fh: Zen 1), 55803 (17h 30h-3Fh: Zen 2),
 * 55898 (19h 00h-0Fh: Zen 3), 55901 (19h 10h-1Fh: Zen 4), 57238 (1Ah 00h-0Fh: Zen
 * 5). Linux's events/amd/uncore.c programs the same fields.
 *
 * No thermal status: it is behind the SMN, not in an MSR.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "pmu.h"

#define ENABLE		BIT_ULL(22)

/* CPUID Fn8000_0001_ECX: 24 PerfCtrExtDF (once NB), 28 PerfCtrExtLLC. */
#define HAS_DF		{ 0x80000001, RCR_ECX, BIT(24) }
#define HAS_L3		{ 0x80000001, RCR_ECX, BIT(28) }
/* CPUID Fn8000_0022_EAX: 0 PerfMonV2. */
#define HAS_V2		{ 0x80000022, RCR_EAX, BIT(0) }

/*
 * MSRC001_023[A...0] L3 Performance Event Select (ChL3PmcCfg), MSRC001_023[B...1]
 * its counts: six for each core complex.
 */
#define L3_EVENT	0x00ffull
#define L3_UMASK	0xff00ull

static const struct rcr_layout l3_layout = {
	.event = L3_EVENT, .umask = L3_UMASK, .enable = ENABLE,
};

#define L3							\
	.name = "l3",						\
	.layout = &l3_layout,					\
	.scope = RCR_SCOPE_LLC,					\
	.feature = HAS_L3,					\
	.control0 = 0xc0010230,					\
	.counter0 = 0xc0010231,					\
	.stride = 2,						\
	.counters = 6,						\
	.width = 48,						\
	.written = 48,						\
	.most = 256

/* ThreadMask 63:56 and SliceMask 51:48: of every thread, in every slice. */
#define L3_ALL_17H	0xff0f000000000000ull

const struct rcr_pmu rcr_pmu_amd_l3_17h = {
	L3,
	.always = L3_ALL_17H,
	.reserved = ~(L3_EVENT | L3_UMASK | ENABLE | L3_ALL_17H),
};

/*
 * From Family 19h on: ThreadMask 57:56, EnAllCores 47 and EnAllSlices 46; CoreId
 * 44:42 and SliceId 50:48 choose one where these two are clear.
 */
#define L3_ALL_19H	0x0300c00000000000ull

const struct rcr_pmu rcr_pmu_amd_l3_19h = {
	L3,
	.always = L3_ALL_19H,
	.reserved = ~(L3_EVENT | L3_UMASK | ENABLE | L3_ALL_19H),
};

/*
 * MSRC001_024[6,4,2,0] DF Performance Event Select (DF_PERF_CTL), with their counts
 * behind them: four for each node. The event select has 14 bits.
 */
#define DF							\
	.name = "df",						\
	.control0 = 0xc0010240,					\
	.counter0 = 0xc0010241,					\
	.stride = 2,						\
	.width = 48,						\
	.written = 48,						\
	.most = 64

#define DF_EVENT	0x1800000f000000ffull	/* 60:59, 35:32, 7:0 */
#define DF_UMASK	0xff00ull

static const struct rcr_layout df_layout = {
	.event = DF_EVENT, .umask = DF_UMASK, .enable = ENABLE,
};

const struct rcr_pmu rcr_pmu_amd_df = {
	DF,
	.layout = &df_layout,
	.scope = RCR_SCOPE_DIE,
	.feature = HAS_DF,
	.counters = 4,
	.reserved = ~(DF_EVENT | DF_UMASK | ENABLE),
};

/*
 * PerfMonV2: event select and unit mask elsewhere, and as many counters as CPUID
 * Fn8000_0022_EBX bits 15:10 NumPerfCtrDF tell; a package is one node.
 */
#define DF_EVENT_V2	0x0000003f000000ffull	/* 37:32, 7:0 */
#define DF_UMASK_V2	0x000000000f00ff00ull	/* 27:24, 15:8 */

static const struct rcr_layout df_layout_v2 = {
	.event = DF_EVENT_V2, .umask = DF_UMASK_V2, .enable = ENABLE,
};

const struct rcr_pmu rcr_pmu_amd_df_v2 = {
	DF,
	.layout = &df_layout_v2,
	.scope = RCR_SCOPE_PACKAGE,
	.feature = HAS_V2,
	.counters = 16,
	.counters_told = { 0x80000022, RCR_EBX, GENMASK(15, 10) },
	.reserved = ~(DF_EVENT_V2 | DF_UMASK_V2 | ENABLE),
};

/*
 * MSRC001_08[5E...00] UMC Performance Event Select (UMC_PERF_CTL), with their counts
 * behind them: four for each memory controller that CPUID Fn8000_0022_ECX has a bit
 * for, those of the active ones without gaps; EBX bits 21:16 tell how many all have
 * together. RdWrMask 9:8 counts reads (1) or writes (2) only. A count does not wrap.
 */
#define UMC_EVENT	0x00ffull
#define UMC_RDWR	0x0300ull
#define UMC_ENABLE	BIT_ULL(31)

static const struct rcr_layout umc_layout = {
	.event = UMC_EVENT, .umask = UMC_RDWR, .enable = UMC_ENABLE,
};

const struct rcr_pmu rcr_pmu_amd_umc = {
	.name = "umc",
	.boxes = 12,
	.boxes_by = RCR_BOXES_CPUID,
	.boxes_told = { 0x80000022, RCR_ECX, ~0u, .population = true },
	.box_stride = 8,
	.layout = &umc_layout,
	.scope = RCR_SCOPE_PACKAGE,
	.feature = HAS_V2,
	.control0 = 0xc0010800,
	.counter0 = 0xc0010801,
	.stride = 2,
	.counters = 4,
	.counters_told = { 0x80000022, RCR_EBX, GENMASK(21, 16) },
	.width = 48,
	.written = 48,
	.saturates = true,
	.most = 16,
	.reserved = ~(UMC_EVENT | UMC_RDWR | UMC_ENABLE),
};

/*
 * "RAPL": MSRC001_029A Core Energy Status, MSRC001_029B Package Energy Status, in the
 * unit that MSRC001_0299 RAPL Power Unit bits 12:8 tells; CPUID Fn8000_0007_EDX bit
 * 14. The threads of a core read the same.
 */
#define ENERGY							\
	.feature = { 0x80000007, RCR_EDX, BIT(14) },		\
	.is_register = true,					\
	.unit = RCR_UNIT_NANOJOULE,				\
	.unit_register = 0xc0010299,				\
	.counters = 1,						\
	.width = 32,						\
	.most = 1

const struct rcr_pmu rcr_pmu_amd_energy_core = {
	.name = "energy-core",
	.scope = RCR_SCOPE_CORE,
	.counter0 = 0xc001029a,
	ENERGY,
};

const struct rcr_pmu rcr_pmu_amd_energy_pkg = {
	.name = "energy-pkg",
	.scope = RCR_SCOPE_PACKAGE,
	.counter0 = 0xc001029b,
	ENERGY,
};
