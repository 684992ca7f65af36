/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * intel.h - what Intel's processors since Nehalem have in common.
 */
#ifndef RCR_INTEL_H
#define RCR_INTEL_H

#include "pmu.h"

#define RCR_INTEL_FAMILY		\
	.vendor = "GenuineIntel",	\
	.family_first = 6,		\
	.family_last = 6

/*
 * Intel SDM volume 3B, "Architectural Performance Monitoring", version 3 and
 * later. CPUID 0AH EAX 7:0 is the version, 15:8 how many general counters a
 * logical processor has: on a core of eight each of two threads has four.
 *
 * IA32_PMCx takes 32 bits of what is written. The registers that take all 48
 * (4C1h and on) are left alone: a count is written only when a counter is given
 * back, and then nobody counts there.
 */
#define RCR_INTEL_CORE							\
	.name = "core",							\
	.feature = { 0xa, RCR_EAX, 0xff },				\
	.control0 = 0x186,						\
	.counter0 = 0xc1,						\
	.stride = 1,							\
	.counters_told = { 0xa, RCR_EAX, 0xff00 },			\
	.width = 48,							\
	.written = 32,							\
	.most = 64,							\
	/* 63:32 reserved; 21 any thread, 20 the interrupt, 19 pin control */ \
	.reserved = 0xffffffff00280000ull | RCR_SELECT_INT,		\
	.unfixed = 0xc4,	/* branch instructions retired */	\
	.fixed_control = 0x38d,						\
	.fixed_counter0 = 0x309,					\
	.global_control = 0x38f,					\
	.global_clear = 0x390

/* IA32_FIXED_CTR0 to 2: instructions, core cycles, reference cycles. */
#define RCR_INTEL_FIXED							\
	{ 0xc0, 0x00, 8 },						\
	{ 0x3c, 0x00, 1 },						\
	{ 0x00, 0x03, 1 }	/* as perf spells them: event 0, unit mask 3 */

/* Constraints: of one unit mask of an event, of all that have some bits, of all. */
#define WITH_MASK(event, mask, counters)				\
	{ 0xff, event, RCR_UMASK_IS, counters, .umask = mask }
#define WITH_BITS(event, bits, counters)				\
	{ 0xff, event, RCR_UMASK_HAS, counters, .umask = bits }
#define ANY_MASK(event, counters)					\
	{ 0xff, event, RCR_UMASK_ANY, counters }
#define FROM_TO(first, to, counters)					\
	{ 0xff, first, RCR_UMASK_ANY, counters, .last = to }
/* What no counter counts: events that take a register more, and event 00h. */
#define NONE(event)	ANY_MASK(event, 0)

/* intel_power.c */
extern const struct rcr_pmu rcr_intel_energy_pkg;
extern const struct rcr_pmu rcr_intel_energy_cores;
extern const struct rcr_pmu rcr_intel_energy_ram;
extern const struct rcr_pmu rcr_intel_energy_ram_15uj;

/* intel_thermal.c */
extern const struct rcr_pmu rcr_intel_temp_core;
extern const struct rcr_pmu rcr_intel_temp_pkg;

#endif
