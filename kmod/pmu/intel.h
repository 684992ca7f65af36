/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * intel.h - definitions common to Intel processors since Nehalem.
 */
#ifndef RCR_INTEL_H
#define RCR_INTEL_H

#include "pmu.h"

#define RCR_INTEL_FAMILY		\
	.vendor = "GenuineIntel",	\
	.family_first = 6,		\
	.family_last = 6

/*
 * Intel SDM volume 3B, "Architectural Performance Monitoring", version 3 and later. CPUID
 * 0AH EAX 7:0 is the version, 15:8 the number of general counters of a logical processor:
 * the two threads of a core with eight have four each.
 *
 * A write to IA32_PMCx sets the low 32 bits only. The full-width aliases (4C1h and on) are
 * not used: a count is written only when a counter is released and disabled.
 */
#define RCR_INTEL_CORE(general, fixed_ones)				\
	.name = "core",							\
	.feature = { 0xa, RCR_EAX, 0xff },				\
	.control0 = 0x186,						\
	.counter0 = 0xc1,						\
	.stride = 1,							\
	.counters = (general),						\
	.counters_cpuid = { 0xa, RCR_EAX, 0xff00 },			\
	.width = 48,							\
	.written = 32,							\
	.most = 64,							\
	/* 63:32 reserved; 21 any thread, 20 the interrupt, 19 pin control */ \
	.reserved = 0xffffffff00280000ull | RCR_SELECT_INT,		\
	.general_event = 0xc4,	/* branch instructions retired */	\
	.nfixed = (fixed_ones),						\
	.fixed = RCR_INTEL_FIXED,					\
	.fixed_control = 0x38d,						\
	.fixed_counter0 = 0x309,					\
	.global_control = 0x38f,					\
	.global_clear = 0x390

/*
 * IA32_FIXED_CTR0 to 2: instructions, core cycles, reference cycles (in perf's encoding:
 * event 0, unit mask 3). The fourth, since Ice Lake, is TOPDOWN.SLOTS. PERF_METRICS (329h),
 * which requires that counter to start at 0, is never enabled here.
 */
#define RCR_INTEL_FIXED							\
	{								\
		{ 0xc0, 0x00, 8 },					\
		{ 0x3c, 0x00, 1 },					\
		{ 0x00, 0x03, 1 },					\
		{ 0x00, 0x04, 8 },					\
	}

/* Common part of the default sets. */
#define RCR_INTEL_DEFAULT						\
	{ .name = "TOT_CYC", .event = 0x3c, .os = true, .user = true },	\
	{ .name = "TOT_INS", .event = 0xc0, .os = true, .user = true }

/* Constraints: one unit mask of an event, all with certain bits, all, a range of events. */
#define WITH_MASK(event, mask, counters)				\
	{ 0xff, event, RCR_UMASK_IS, counters, .umask = mask }
#define WITH_BITS(event, bits, counters)				\
	{ 0xff, event, RCR_UMASK_HAS, counters, .umask = bits }
#define ANY_MASK(event, counters)					\
	{ 0xff, event, RCR_UMASK_ANY, counters }
#define FROM_TO(first, to, counters)					\
	{ 0xff, first, RCR_UMASK_ANY, counters, .last = to }
/* Events that no counter counts: those that need another register, and event 00h. */
#define NONE(event)	ANY_MASK(event, 0)

/*
 * Sandy Bridge to Broadwell. With hyperthreading off a core has eight counters, but most of
 * these events are restricted to four.
 */
#define RCR_SNB_TO_BDW							\
	WITH_MASK(0x0e, 0x01, 0x0f),	/* UOPS_ISSUED.ANY, stalls */	\
	WITH_MASK(0x3c, 0x02, 0x0f),	/* ONE_THREAD_ACTIVE */		\
	WITH_MASK(0x79, 0x02, 0x0f),	/* IDQ.EMPTY */			\
	WITH_MASK(0x9c, 0x01, 0x0f),	/* IDQ_UOPS_NOT_DELIVERED */	\
	WITH_MASK(0xc2, 0x01, 0x0f),	/* UOPS_RETIRED.ALL, stalls */	\
	WITH_MASK(0xc4, 0x04, 0x0f),	/* BR_INST_RETIRED, precise */	\
	WITH_MASK(0xc5, 0x04, 0x0f),					\
	WITH_MASK(0xca, 0x1e, 0x0f),	/* FP_ASSIST.ANY */		\
	FROM_TO(0xd0, 0xd3, 0x0f),	/* MEM_UOPS_RETIRED and on */	\
	WITH_MASK(0xc0, 0x01, 0x02),	/* INST_RETIRED.PREC_DIST */	\
	/* Offcore responses and load latency need a second register. */	\
	NONE(0xb7),							\
	NONE(0xbb),							\
	WITH_MASK(0xcd, 0x01, 0),					\
	ANY_MASK(0xcd, 0x08),		/* MEM_TRANS_RETIRED */		\
	/* Reference cycles are counted by their fixed counter alone. */ \
	NONE(0x00)

#endif
