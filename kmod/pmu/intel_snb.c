// SPDX-License-Identifier: GPL-2.0-only
/*
 * intel_snb.c - Intel Sandy Bridge-EP and Ivy Bridge-EP (Xeon E5, E5 v2: Stampede).
 *
 * Intel SDM volume 3B, "Performance Monitoring for Processors Based on Sandy Bridge
 * Microarchitecture" and "3rd Generation Intel Core Processor"; Intel's event lists (Jaketown,
 * Ivytown) for the constraints.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "intel.h"

static const struct rcr_constraint snb_constraint[] = {
	RCR_SNB_TO_BDW,
	ANY_MASK(0x48, 0x04),		/* L1D_PEND_MISS */
	WITH_BITS(0xa3, 0x02, 0x04),	/* CYCLE_ACTIVITY, L1D pending */
	ANY_MASK(0xa3, 0x0f),
	{ }
};

static const struct rcr_constraint ivb_constraint[] = {
	RCR_SNB_TO_BDW,
	WITH_MASK(0x48, 0x01, 0x04),
	WITH_BITS(0xa3, 0x08, 0x04),
	ANY_MASK(0xa3, 0x0f),
	WITH_MASK(0xb1, 0x01, 0x0f),		/* UOPS_EXECUTED.THREAD, stalls */
	{ }
};

/*
 * FP_COMP_OPS_EXE and SIMD_FP_256 count issued operations: one that waits for its operands is
 * counted again each time.
 */
#define DEFAULTS							\
	RCR_INTEL_DEFAULT,						\
	/* FP_COMP_OPS_EXE: x87, SSE and AVX of 128 bits, scalar and packed */ \
	{ .name = "FP_INS", .event = 0x10, .umask = 0xf1, .os = true, .user = true }, \
	/* SIMD_FP_256: packed, of both precisions */			\
	{ .name = "VEC_INS", .event = 0x11, .umask = 0x03, .os = true, .user = true }, \
	/* L1D.REPLACEMENT */						\
	{ .name = "L1_DCM", .event = 0x51, .umask = 0x01, .os = true, .user = true }

const struct rcr_family rcr_family_intel_snb = {
	.name = "Intel Sandy Bridge",
	RCR_INTEL_FAMILY,
	.models = { 0x2d },
	.core = { RCR_INTEL_CORE(8, 3), .constraint = snb_constraint },
	.units = { rcr_snbep_boxes, rcr_intel_energy_cores, rcr_intel_temp, rcr_clocks },
	.ubox = 0x3ce0,
	.default_event = {
		DEFAULTS,
		/* DTLB_LOAD_MISSES.MISS_CAUSES_A_WALK */
		{ .name = "TLB_DM", .event = 0x08, .umask = 0x01, .os = true, .user = true },
	},
};

const struct rcr_family rcr_family_intel_ivb = {
	.name = "Intel Ivy Bridge",
	RCR_INTEL_FAMILY,
	.models = { 0x3e },
	.core = { RCR_INTEL_CORE(8, 3), .constraint = ivb_constraint },
	.units = { rcr_ivbep_boxes, rcr_intel_energy_cores, rcr_intel_temp, rcr_clocks },
	.ubox = 0x0e1e,
	.package_freeze = RCR_IVBEP_GLOBAL_CTL,
	.default_event = {
		DEFAULTS,
		{ .name = "TLB_DM", .event = 0x08, .umask = 0x81, .os = true, .user = true },
	},
};
