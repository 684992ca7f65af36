// SPDX-License-Identifier: GPL-2.0-only
/*
 * intel_snb.c - Intel Sandy Bridge-EP and Ivy Bridge-EP (Xeon E5, E5 v2: Stampede).
 *
 * Intel SDM volume 3B, "Performance Monitoring for Processors Based on Sandy
 * Bridge Microarchitecture" and "3rd Generation Intel Core Processor"; Intel's
 * lists of events (Jaketown, Ivytown) for what each counter can count.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "intel.h"
#include "intel_box.h"

static const u8 snb_models[] = { 0x2d, 0 };
static const u8 ivb_models[] = { 0x3e, 0 };

/* Where a core's eight counters are not halved by threads, these are on four. */
#define BOTH							\
	WITH_MASK(0x0e, 0x01, 0x0f),	/* UOPS_ISSUED.ANY, stalls */ \
	WITH_MASK(0x3c, 0x02, 0x0f),	/* ONE_THREAD_ACTIVE */	\
	WITH_MASK(0x79, 0x02, 0x0f),	/* IDQ.EMPTY */		\
	WITH_MASK(0x9c, 0x01, 0x0f),	/* IDQ_UOPS_NOT_DELIVERED */ \
	WITH_MASK(0xc2, 0x01, 0x0f),	/* UOPS_RETIRED.ALL, stalls */ \
	WITH_MASK(0xc4, 0x04, 0x0f),	/* BR_INST_RETIRED, precise */ \
	WITH_MASK(0xc5, 0x04, 0x0f),				\
	WITH_MASK(0xca, 0x1e, 0x0f),	/* FP_ASSIST.ANY */	\
	FROM_TO(0xd0, 0xd3, 0x0f),	/* MEM_UOPS_RETIRED and on */ \
	WITH_MASK(0xc0, 0x01, 0x02),	/* INST_RETIRED.PREC_DIST */ \
	/* Offcore responses and load latency take a register more. */ \
	NONE(0xb7),					\
	NONE(0xbb),					\
	WITH_MASK(0xcd, 0x01, 0),				\
	ANY_MASK(0xcd, 0x08),	/* MEM_TRANS_RETIRED */	\
	/* Reference cycles are counted by their fixed counter alone. */ \
	NONE(0x00)

static const struct rcr_constraint snb_constraint[] = {
	BOTH,
	ANY_MASK(0x48, 0x04),		/* L1D_PEND_MISS */
	WITH_BITS(0xa3, 0x02, 0x04),	/* CYCLE_ACTIVITY, L1D pending */
	ANY_MASK(0xa3, 0x0f),
	{ }
};

static const struct rcr_constraint ivb_constraint[] = {
	BOTH,
	WITH_MASK(0x48, 0x01, 0x04),
	WITH_BITS(0xa3, 0x08, 0x04),
	ANY_MASK(0xa3, 0x0f),
	WITH_MASK(0xb1, 0x01, 0x0f),		/* UOPS_EXECUTED.THREAD, stalls */
	{ }
};

static const struct rcr_fixed fixed[] = { RCR_INTEL_FIXED };

/*
 * FP_COMP_OPS_EXE and SIMD_FP_256 count issues, not operations: what waits for
 * its operands is counted again (userspace/names/deficiency.c).
 */
#define DEFAULTS							\
	{ .name = "TOT_CYC", .event = 0x3c, .os = true, .user = true },	\
	{ .name = "TOT_INS", .event = 0xc0, .os = true, .user = true },	\
	/* FP_COMP_OPS_EXE: x87, SSE and AVX of 128 bits, scalar and packed */ \
	{ .name = "FP_INS", .event = 0x10, .umask = 0xf1, .os = true, .user = true }, \
	/* SIMD_FP_256: packed, of both precisions */			\
	{ .name = "VEC_INS", .event = 0x11, .umask = 0x03, .os = true, .user = true }, \
	/* L1D.REPLACEMENT */						\
	{ .name = "L1_DCM", .event = 0x51, .umask = 0x01, .os = true, .user = true }

static const struct rcr_event snb_default[] = {
	DEFAULTS,
	/* DTLB_LOAD_MISSES.MISS_CAUSES_A_WALK */
	{ .name = "TLB_DM", .event = 0x08, .umask = 0x01, .os = true, .user = true },
};

static const struct rcr_event ivb_default[] = {
	DEFAULTS,
	{ .name = "TLB_DM", .event = 0x08, .umask = 0x81, .os = true, .user = true },
};

static const struct rcr_pmu snb_core = {
	RCR_INTEL_CORE,
	.counters = 8,
	.constraint = snb_constraint,
	.fixed = fixed,
	.nfixed = ARRAY_SIZE(fixed),
};

static const struct rcr_pmu ivb_core = {
	RCR_INTEL_CORE,
	.counters = 8,
	.constraint = ivb_constraint,
	.fixed = fixed,
	.nfixed = ARRAY_SIZE(fixed),
};

const struct rcr_family rcr_family_intel_snb = {
	.name = "Intel Sandy Bridge",
	RCR_INTEL_FAMILY,
	.models = snb_models,
	.pmu = {
		&snb_core, &rcr_snbep_cbo, &rcr_snbep_pcu,
		&rcr_snbep_ubox, &rcr_snbep_uclk,
		&rcr_snbep_ha, &rcr_snbep_imc, &rcr_snbep_imcclk,
		&rcr_snbep_qpi, &rcr_snbep_r2pcie, &rcr_snbep_r3qpi,
		&rcr_intel_energy_pkg, &rcr_intel_energy_cores, &rcr_intel_energy_ram,
		&rcr_intel_temp_core, &rcr_intel_temp_pkg, &rcr_pmu_aperf, &rcr_pmu_mperf,
	},
	.default_event = snb_default,
	.defaults = ARRAY_SIZE(snb_default),
};

const struct rcr_family rcr_family_intel_ivb = {
	.name = "Intel Ivy Bridge",
	RCR_INTEL_FAMILY,
	.models = ivb_models,
	.pmu = {
		&ivb_core, &rcr_ivbep_cbo, &rcr_ivbep_pcu,
		&rcr_ivbep_ubox, &rcr_snbep_uclk,
		&rcr_ivbep_ha, &rcr_ivbep_imc, &rcr_ivbep_imcclk,
		&rcr_ivbep_qpi, &rcr_ivbep_r2pcie, &rcr_ivbep_r3qpi,
		&rcr_intel_energy_pkg, &rcr_intel_energy_cores, &rcr_intel_energy_ram,
		&rcr_intel_temp_core, &rcr_intel_temp_pkg, &rcr_pmu_aperf, &rcr_pmu_mperf,
	},
	.package_freeze = RCR_IVBEP_GLOBAL_CTL,
	.default_event = ivb_default,
	.defaults = ARRAY_SIZE(ivb_default),
};
