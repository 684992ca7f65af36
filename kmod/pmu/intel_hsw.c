// SPDX-License-Identifier: GPL-2.0-only
/*
 * intel_hsw.c - Intel Haswell-EP and Broadwell-EP, -DE (Xeon E5 v3, E5 v4, D-1500).
 *
 * Intel SDM volume 3B, "Performance Monitoring for 4th Generation Intel Core
 * Processors" and "5th Generation"; Intel's lists of events (HaswellX,
 * BroadwellX, BroadwellDE) for what each counter can count.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "intel.h"
#include "intel_box.h"

static const u8 hsw_models[] = { 0x3f, 0 };
static const u8 bdw_models[] = { 0x4f, 0x56, 0 };

/* Where a core's eight counters are not halved by threads, these are on four. */
static const struct rcr_constraint constraint[] = {
	WITH_MASK(0x0e, 0x01, 0x0f),	/* UOPS_ISSUED.ANY, stalls */
	WITH_MASK(0x3c, 0x02, 0x0f),	/* ONE_THREAD_ACTIVE */
	WITH_MASK(0x48, 0x01, 0x04),	/* L1D_PEND_MISS.PENDING */
	WITH_MASK(0x79, 0x02, 0x0f),	/* IDQ.EMPTY */
	WITH_MASK(0x9c, 0x01, 0x0f),	/* IDQ_UOPS_NOT_DELIVERED */
	ANY_MASK(0xa0, 0x0f),
	WITH_BITS(0xa3, 0x08, 0x04),	/* CYCLE_ACTIVITY, L1D pending */
	ANY_MASK(0xa3, 0x0f),
	WITH_MASK(0xb1, 0x01, 0x0f),	/* UOPS_EXECUTED.THREAD, stalls */
	ANY_MASK(0xbc, 0x0f),	/* PAGE_WALKER_LOADS */
	WITH_MASK(0xc0, 0x01, 0x02),	/* INST_RETIRED.PREC_DIST */
	WITH_MASK(0xc2, 0x01, 0x0f),	/* UOPS_RETIRED.ALL, stalls */
	WITH_MASK(0xc4, 0x04, 0x0f),	/* BR_INST_RETIRED, precise */
	WITH_MASK(0xc5, 0x04, 0x0f),
	ANY_MASK(0xc7, 0x0f),	/* FP_ARITH_INST_RETIRED, from Broadwell on */
	ANY_MASK(0xc9, 0x0f),	/* RTM_RETIRED */
	WITH_MASK(0xca, 0x1e, 0x0f),	/* FP_ASSIST.ANY */
	FROM_TO(0xd0, 0xd3, 0x0f),	/* MEM_UOPS_RETIRED and on */
	/* Offcore responses and load latency take a register more. */
	NONE(0xb7),
	NONE(0xbb),
	WITH_MASK(0xcd, 0x01, 0),
	ANY_MASK(0xcd, 0x08),	/* MEM_TRANS_RETIRED */
	/* Reference cycles are counted by their fixed counter alone. */
	NONE(0x00),
	{ }
};

static const struct rcr_fixed fixed[] = { RCR_INTEL_FIXED };

#define DEFAULTS							\
	{ .name = "TOT_CYC", .event = 0x3c, .os = true, .user = true },	\
	{ .name = "TOT_INS", .event = 0xc0, .os = true, .user = true },	\
	/* L1D.REPLACEMENT */						\
	{ .name = "L1_DCM", .event = 0x51, .umask = 0x01, .os = true, .user = true }, \
	/* DTLB_LOAD_MISSES.MISS_CAUSES_A_WALK */			\
	{ .name = "TLB_DM", .event = 0x08, .umask = 0x01, .os = true, .user = true }

/* Haswell counts no floating-point operations. */
static const struct rcr_event hsw_default[] = {
	DEFAULTS,
	/* AVX_INSTS.ALL: about as many as were executed */
	{ .name = "VEC_INS", .event = 0xc6, .umask = 0x07, .os = true, .user = true },
};

/* FP_ARITH_INST_RETIRED: one for an instruction, two for one that multiplies and adds. */
static const struct rcr_event bdw_default[] = {
	DEFAULTS,
	/* scalar and packed */
	{ .name = "FP_INS", .event = 0xc7, .umask = 0x3f, .os = true, .user = true },
	/* packed */
	{ .name = "VEC_INS", .event = 0xc7, .umask = 0x3c, .os = true, .user = true },
};

static const struct rcr_pmu core = {
	RCR_INTEL_CORE,
	.counters = 8,
	.constraint = constraint,
	.fixed = fixed,
	.nfixed = ARRAY_SIZE(fixed),
};

const struct rcr_family rcr_family_intel_hsw = {
	.name = "Intel Haswell",
	RCR_INTEL_FAMILY,
	.models = hsw_models,
	.pmu = {
		&core, &rcr_hswep_cbo, &rcr_hswep_pcu,
		&rcr_hswep_ha, &rcr_hswep_imc, &rcr_hswep_imcclk,
		&rcr_hswep_qpi, &rcr_hswep_r2pcie, &rcr_hswep_r3qpi,
		&rcr_intel_energy_pkg, &rcr_intel_energy_ram_15uj,
		&rcr_intel_temp_core, &rcr_intel_temp_pkg, &rcr_pmu_aperf, &rcr_pmu_mperf,
	},
	.package_freeze = RCR_HSWEP_GLOBAL_CTL,
	.default_event = hsw_default,
	.defaults = ARRAY_SIZE(hsw_default),
};

const struct rcr_family rcr_family_intel_bdw = {
	.name = "Intel Broadwell",
	RCR_INTEL_FAMILY,
	.models = bdw_models,
	.pmu = {
		&core, &rcr_bdwep_cbo, &rcr_bdwep_pcu,
		&rcr_bdwep_ha, &rcr_bdwep_imc, &rcr_bdwep_imcclk,
		&rcr_bdwep_qpi, &rcr_bdwep_r2pcie, &rcr_bdwep_r3qpi,
		&rcr_intel_energy_pkg, &rcr_intel_energy_ram_15uj,
		&rcr_intel_temp_core, &rcr_intel_temp_pkg, &rcr_pmu_aperf, &rcr_pmu_mperf,
	},
	.package_freeze = RCR_HSWEP_GLOBAL_CTL,
	.default_event = bdw_default,
	.defaults = ARRAY_SIZE(bdw_default),
};
