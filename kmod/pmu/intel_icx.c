// SPDX-License-Identifier: GPL-2.0-only
/*
 * intel_icx.c - Intel Ice Lake-SP and -D, Sapphire Rapids and Emerald Rapids.
 *
 * Intel SDM volume 3B, "Performance Monitoring for 10th Generation Intel Core Processors" and
 * "Sapphire Rapids"; Intel's event lists (IcelakeX, SapphireRapids, EmeraldRapids) for the
 * constraints. Architectural performance monitoring version 5. A logical processor has eight
 * counters, with or without hyperthreading.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "intel.h"

static const struct rcr_constraint icx_constraint[] = {
	/* These need another register: offcore responses, front end, load latency. */
	NONE(0xb7),
	NONE(0xbb),
	NONE(0xc6),
	WITH_MASK(0xcd, 0x01, 0),
	WITH_MASK(0xc0, 0x01, 0),	/* was INST_RETIRED.PREC_DIST */
	/* Cycles and slots are counted by their fixed counters only. */
	NONE(0x00),
	FROM_TO(0x03, 0x0a, 0x0f),
	FROM_TO(0x1f, 0x28, 0x0f),
	ANY_MASK(0x32, 0x0f),
	FROM_TO(0x48, 0x56, 0x0f),
	FROM_TO(0x60, 0x8b, 0x0f),
	/* CYCLE_ACTIVITY.STALLS_TOTAL, CYCLES_MEM_ANY, STALLS_MEM_ANY: any counter */
	WITH_MASK(0xa3, 0x04, 0xff),
	WITH_MASK(0xa3, 0x10, 0xff),
	WITH_MASK(0xa3, 0x14, 0xff),
	ANY_MASK(0xa3, 0x0f),
	FROM_TO(0xa8, 0xb0, 0x0f),
	FROM_TO(0xb8, 0xbd, 0x0f),
	FROM_TO(0xd0, 0xe6, 0x0f),
	FROM_TO(0xef, 0xf4, 0x0f),
	{ }
};

static const struct rcr_constraint spr_constraint[] = {
	/* These need another register, too; offcore responses have other event selects. */
	NONE(0x2a),
	NONE(0x2b),
	WITH_MASK(0xad, 0x40, 0),
	WITH_MASK(0xc2, 0x04, 0),
	NONE(0xc6),
	WITH_MASK(0xcd, 0x01, 0),
	NONE(0x00),
	ANY_MASK(0x2e, 0xff),
	ANY_MASK(0x3c, 0xff),
	FROM_TO(0x01, 0x8f, 0x0f),
	WITH_MASK(0xa3, 0x04, 0xff),	/* CYCLE_ACTIVITY.STALLS_TOTAL, ... */
	WITH_MASK(0xa3, 0x10, 0xff),
	ANY_MASK(0xa3, 0x0f),
	WITH_MASK(0xa4, 0x04, 0x01),	/* TOPDOWN.BAD_SPEC_SLOTS */
	WITH_MASK(0xa4, 0x08, 0x01),	/* TOPDOWN.BR_MISPREDICT_SLOTS */
	WITH_MASK(0xcd, 0x02, 0x01),	/* MEM_TRANS_RETIRED.STORE_SAMPLE */
	ANY_MASK(0xce, 0x01),
	FROM_TO(0xd0, 0xdf, 0x0f),
	{ }
};

/*
 * FP_ARITH_INST_RETIRED counts 1 per instruction, 2 per fused multiply-add; FP_INS is scalar
 * and packed, VEC_INS packed only.
 */
#define DEFAULTS							\
	RCR_INTEL_DEFAULT,						\
	{ .name = "FP_INS", .event = 0xc7, .umask = 0xff, .os = true, .user = true }, \
	{ .name = "VEC_INS", .event = 0xc7, .umask = 0xfc, .os = true, .user = true }, \
	/* L1D.REPLACEMENT */						\
	{ .name = "L1_DCM", .event = 0x51, .umask = 0x01, .os = true, .user = true }

const struct rcr_family rcr_family_intel_icx = {
	.name = "Intel Ice Lake-SP",
	RCR_INTEL_FAMILY,
	.models = { 0x6a, 0x6c },
	.core = { RCR_INTEL_CORE(8, 4), .constraint = icx_constraint },
	.units = { rcr_icx_boxes, rcr_intel_energy_15uj, rcr_intel_temp, rcr_clocks },
	.default_event = {
		DEFAULTS,
		/* DTLB_LOAD_MISSES.WALK_COMPLETED */
		{ .name = "TLB_DM", .event = 0x08, .umask = 0x0e, .os = true, .user = true },
	},
};

const struct rcr_family rcr_family_intel_spr = {
	.name = "Intel Sapphire Rapids",
	RCR_INTEL_FAMILY,
	.models = { 0x8f, 0xcf },
	.core = { RCR_INTEL_CORE(8, 4), .constraint = spr_constraint },
	.units = { rcr_intel_energy, rcr_intel_temp, rcr_clocks },
	.default_event = {
		DEFAULTS,
		{ .name = "TLB_DM", .event = 0x12, .umask = 0x0e, .os = true, .user = true },
	},
};
