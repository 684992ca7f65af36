// SPDX-License-Identifier: GPL-2.0-only
/*
 * intel_hsw.c - Intel Haswell-EP and Broadwell-EP, -DE (Xeon E5 v3, E5 v4, D-1500).
 *
 * Intel SDM volume 3B, "Performance Monitoring for 4th Generation Intel Core Processors" and
 * "5th Generation"; Intel's event lists (HaswellX, BroadwellX, BroadwellDE) for the
 * constraints.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "intel.h"

static const struct rcr_constraint constraint[] = {
	RCR_SNB_TO_BDW,
	WITH_MASK(0x48, 0x01, 0x04),	/* L1D_PEND_MISS.PENDING */
	ANY_MASK(0xa0, 0x0f),
	WITH_BITS(0xa3, 0x08, 0x04),	/* CYCLE_ACTIVITY, L1D pending */
	ANY_MASK(0xa3, 0x0f),
	WITH_MASK(0xb1, 0x01, 0x0f),	/* UOPS_EXECUTED.THREAD, stalls */
	ANY_MASK(0xbc, 0x0f),	/* PAGE_WALKER_LOADS */
	ANY_MASK(0xc7, 0x0f),	/* FP_ARITH_INST_RETIRED, from Broadwell on */
	ANY_MASK(0xc9, 0x0f),	/* RTM_RETIRED */
	{ }
};

#define DEFAULTS							\
	RCR_INTEL_DEFAULT,						\
	/* L1D.REPLACEMENT */						\
	{ .name = "L1_DCM", .event = 0x51, .umask = 0x01, .os = true, .user = true }, \
	/* DTLB_LOAD_MISSES.MISS_CAUSES_A_WALK */			\
	{ .name = "TLB_DM", .event = 0x08, .umask = 0x01, .os = true, .user = true }

/* Haswell has no event for floating-point operations. */
const struct rcr_family rcr_family_intel_hsw = {
	.name = "Intel Haswell",
	RCR_INTEL_FAMILY,
	.models = { 0x3f },
	.core = { RCR_INTEL_CORE(8, 3), .constraint = constraint },
	.units = { rcr_hswep_boxes, rcr_intel_energy_15uj, rcr_intel_temp, rcr_clocks },
	.ubox = 0x2f1e,
	.package_freeze = RCR_HSWEP_GLOBAL_CTL,
	.default_event = {
		DEFAULTS,
		/* AVX_INSTS.ALL: approximately the executed ones */
		{ .name = "VEC_INS", .event = 0xc6, .umask = 0x07, .os = true, .user = true },
	},
};

/* FP_ARITH_INST_RETIRED counts 1 per instruction, 2 per fused multiply-add. */
const struct rcr_family rcr_family_intel_bdw = {
	.name = "Intel Broadwell",
	RCR_INTEL_FAMILY,
	.models = { 0x4f, 0x56 },
	.core = { RCR_INTEL_CORE(8, 3), .constraint = constraint },
	.units = { rcr_bdwep_boxes, rcr_intel_energy_15uj, rcr_intel_temp, rcr_clocks },
	.ubox = 0x6f1e,
	.package_freeze = RCR_HSWEP_GLOBAL_CTL,
	.default_event = {
		DEFAULTS,
		/* scalar and packed */
		{ .name = "FP_INS", .event = 0xc7, .umask = 0x3f, .os = true, .user = true },
		/* packed */
		{ .name = "VEC_INS", .event = 0xc7, .umask = 0x3c, .os = true, .user = true },
	},
};
