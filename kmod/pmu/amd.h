/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * amd.h - definitions common to AMD processors since Family 10h.
 */
#ifndef RCR_AMD_H
#define RCR_AMD_H

#include "pmu.h"

#define RCR_AMD_FAMILY(first, last)			\
	.vendor = "AuthenticAMD",			\
	.family_first = (first),			\
	.family_last = (last)

#define RCR_AMD_CORE(general)				\
	.name = "core",					\
	.counters = (general),				\
	.width = 48,					\
	.most = 16,					\
	/* 63:42, 39:36, 21 and 19 are reserved; 20 is the interrupt. */ \
	.reserved = 0xfffffcf000280000ull | RCR_SELECT_INT, \
	.general_event = 0x0c2	/* retired branch instructions */

/* Since Family 15h: MSRC001_020[A...0] and [B...1], CPUID Fn8000_0001_ECX bit 23. */
#define RCR_AMD_CORE_EXT				\
	RCR_AMD_CORE(6),				\
	.control0 = 0xc0010200,				\
	.counter0 = 0xc0010201,				\
	.stride = 2
#define RCR_AMD_HAS_CORE_EXT	{ 0x80000001, RCR_ECX, BIT(23) }

/* CPUID Fn8000_0022_EAX: 0 PerfMonV2. */
#define RCR_AMD_HAS_V2		{ 0x80000022, RCR_EAX, BIT(0) }

#endif
