// SPDX-License-Identifier: GPL-2.0-only
/*
 * intel_nhm.c - Intel Nehalem and Westmere (Core i7): core and uncore counters.
 *
 * Intel SDM volume 3B, chapter "Performance Monitoring": architectural
 * performance monitoring version 3 and the sections on processors based on
 * Nehalem and Westmere microarchitecture; appendix of events for both. CPUID
 * 0AH EAX 7:0 is the version.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "intel.h"

static const struct rcr_constraint constraint[] = {
	/* L1D events are restricted to counters 0 and 1. */
	FROM_TO(0x40, 0x43, 0x3),
	ANY_MASK(0x48, 0x3),
	ANY_MASK(0x4c, 0x3),	/* LOAD_HIT_PRE */
	ANY_MASK(0x4e, 0x3),
	FROM_TO(0x51, 0x53, 0x3),
	ANY_MASK(0x63, 0x3),
	WITH_MASK(0x0b, 0x10, 0),	/* load latency needs another register */
	/* Occupancies of Westmere: counter 0 only. */
	ANY_MASK(0x60, 0x1),
	ANY_MASK(0xb3, 0x1),
	/* Offcore responses need another register, which is not programmed. */
	NONE(0xb7),
	NONE(0xbb),
	/* Reference cycles, event 0, are counted by their fixed counter only. */
	NONE(0x00),
	{ }
};

/*
 * SDM volume 3B, "Uncore Performance Monitoring Facility": MSR_UNCORE_PerfEvtSel0 to 7 and
 * MSR_UNCORE_PMC0 to 7, one set per package. No modes; bit 17 resets an occupancy counter and
 * is never set.
 */
static const struct rcr_pmu uncore[] = {
	{
		.name = "uncore",
		.scope = RCR_SCOPE_PACKAGE,
		.feature = { 0xa, RCR_EAX, 0xff },
		.control0 = 0x3c0,
		.counter0 = 0x3b0,
		.stride = 1,
		.counters = 8,
		.width = 48,
		.most = 64,
		/* 63:32, 21, 19, 17 and 16 are reserved; 20 is the interrupt. */
		.reserved = 0xffffffff002b0000ull | RCR_SELECT_INT,
		.global_control = 0x391,
		.global_clear = 0x393,
	},
	{ }
};

#define NEHALEM						\
	.name = "Intel Nehalem",			\
	RCR_INTEL_FAMILY,				\
	.core = { RCR_INTEL_CORE(4, 3), .constraint = constraint }, \
	.default_event = {				\
		RCR_INTEL_DEFAULT,			\
		/* FP_COMP_OPS_EXE: X87 and SSE_FP; executed, not retired */ \
		{ .name = "FP_OPS", .event = 0x10, .umask = 0x05, .os = true, .user = true }, \
		/* FP_COMP_OPS_EXE.SSE_FP_PACKED */	\
		{ .name = "VEC_INS", .event = 0x10, .umask = 0x10, .os = true, .user = true }, \
		/* L1D.REPL */				\
		{ .name = "L1_DCM", .event = 0x51, .umask = 0x01, .os = true, .user = true }, \
		/* DTLB_MISSES.ANY */			\
		{ .name = "TLB_DM", .event = 0x49, .umask = 0x01, .os = true, .user = true }, \
	}

/* Nehalem: 1Ah, 1Eh, 1Fh. Westmere: 25h, 2Ch. */
const struct rcr_family rcr_family_intel_nhm = {
	NEHALEM,
	.models = { 0x1a, 0x1e, 0x1f, 0x25, 0x2c },
	.units = { uncore, rcr_intel_temp_core, rcr_clocks },
};

/*
 * Nehalem-EX and Westmere-EX (Xeon 7500, E7) have the same cores. SDM volume 4, "MSRs in the
 * Intel Xeon Processor 7500 Series": their uncore has other registers (C00h and on) and none
 * of those above. It is not supported.
 */
const struct rcr_family rcr_family_intel_nhm_ex = {
	NEHALEM,
	.models = { 0x2e, 0x2f },
	.units = { rcr_intel_temp_core, rcr_clocks },
};
