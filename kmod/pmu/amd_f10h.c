// SPDX-License-Identifier: GPL-2.0-only
/*
 * amd_f10h.c - AMD Family 10h (Phenom, third generation Opteron).
 *
 * AMD 31116, BIOS and Kernel Developer's Guide for AMD Family 10h Processors:
 * MSRC001_00[03:00] Performance Event Select and MSRC001_00[07:04] Performance
 * Event Counter; section 3.14 for the events. Each counter can count each event.
 *
 * The counters of a core also count events of the northbridge (E0h to FFh, with any upper
 * bits); each core then counts those of its whole node.
 */
#include <linux/kernel.h>

#include "amd.h"

const struct rcr_family rcr_family_amd_10h = {
	.name = "AMD Fam10h",
	RCR_AMD_FAMILY(0x10, 0x10),
	.core = {
		RCR_AMD_CORE(4),
		/* CPUID Fn0000_0001_EDX bit 5: MSRs. The counters have no bit of their own. */
		.feature = { 0x00000001, RCR_EDX, BIT(5) },
		.control0 = 0xc0010000,
		.counter0 = 0xc0010004,
		.stride = 1,
	},
	.units = { rcr_clocks },
	/* The last two belong to the power model of the RCRTool paper, section 6.3.1. */
	.default_event = {
		{ .name = "TOT_CYC", .event = 0x076, .os = true, .user = true },
		{ .name = "TOT_INS", .event = 0x0c0, .os = true, .user = true },
		{ .name = "DATA_CACHE_ACCESSES", .event = 0x040, .os = true, .user = true },
		/* RETIRED_MMX_AND_FP_INSTRUCTIONS:ALL */
		{ .name = "MMX_FP_INS", .event = 0x0cb, .umask = 0x07, .os = true, .user = true },
	},
};
