// SPDX-License-Identifier: GPL-2.0-only
/*
 * intel_skx.c - Intel Skylake-SP, Cascade Lake and Cooper Lake (first Xeon Scalable generations).
 *
 * Intel SDM volume 3B, "Performance Monitoring for 6th Generation Intel Core Processor" and
 * following; Intel's event lists (SkylakeX, CascadelakeX) for the constraints. Architectural
 * performance monitoring version 4.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "intel.h"

/* With hyperthreading off a core has eight counters, but only four can count these events. */
static const struct rcr_constraint constraint[] = {
	WITH_MASK(0xa3, 0x14, 0x0f),	/* CYCLE_ACTIVITY.STALLS_MEM_ANY */
	WITH_MASK(0xc0, 0x01, 0x02),	/* INST_RETIRED.PREC_DIST */
	WITH_MASK(0xc4, 0x04, 0x0f),	/* BR_INST_RETIRED, precise */
	WITH_MASK(0xc5, 0x04, 0x0f),
	FROM_TO(0xd0, 0xd4, 0x0f),	/* MEM_INST_RETIRED and on */
	/* These need another register: offcore responses, front end, load latency. */
	NONE(0xb7),
	NONE(0xbb),
	NONE(0xc6),
	NONE(0xcd),
	/* Reference cycles are counted by their fixed counter only. */
	NONE(0x00),
	{ }
};

/* FP_ARITH_INST_RETIRED counts 1 per instruction, 2 per fused multiply-add. */
const struct rcr_family rcr_family_intel_skx = {
	.name = "Intel Skylake-SP",
	RCR_INTEL_FAMILY,
	.models = { 0x55 },
	.core = { RCR_INTEL_CORE(8, 3), .constraint = constraint },
	.units = { rcr_skx_boxes, rcr_intel_energy_15uj, rcr_intel_temp, rcr_clocks },
	.default_event = {
		RCR_INTEL_DEFAULT,
		/* scalar and packed */
		{ .name = "FP_INS", .event = 0xc7, .umask = 0xff, .os = true, .user = true },
		/* packed */
		{ .name = "VEC_INS", .event = 0xc7, .umask = 0xfc, .os = true, .user = true },
		/* L1D.REPLACEMENT */
		{ .name = "L1_DCM", .event = 0x51, .umask = 0x01, .os = true, .user = true },
		/* DTLB_LOAD_MISSES.MISS_CAUSES_A_WALK */
		{ .name = "TLB_DM", .event = 0x08, .umask = 0x01, .os = true, .user = true },
	},
};
