// SPDX-License-Identifier: GPL-2.0-only
/*
 * amd_f15h.c - AMD Family 15h (Interlagos: Blue Waters).
 *
 * AMD 42301, BIOS and Kernel Developer's Guide for AMD Family 15h Models
 * 00h-0Fh Processors: MSRC001_020[A,8,6,4,2,0] Performance Event Select and
 * MSRC001_020[B,9,7,5,3,1] Performance Event Counter; CPUID Fn8000_0001_ECX
 * bit 23 PerfCtrExtCore, bit 24 PerfCtrExtNB; section 3.24 for the PERF_CTL[] list
 * of each event. MSRC001_024[7:0]: the northbridge of a node.
 */
#include <linux/kernel.h>

#include "amd.h"

#define PMC0	0x01
#define PMC3	0x08
#define PMC30	0x09		/* 0 and 3 */
#define PMC20	0x07		/* 2 to 0 */
#define PMC53	0x38		/* 5 to 3 */
#define PMC50	0x3f		/* 5 to 0 */

static const struct rcr_constraint constraint[] = {
	/* Single events first: the first matching row applies. */
	{ 0xfff, 0x000, RCR_UMASK_BOTH_NIBBLES, PMC3 },
	{ 0xfff, 0x003, RCR_UMASK_ANY, PMC3, .most = 32 },
	{ 0xfff, 0x004, RCR_UMASK_MANY, PMC3 },
	{ 0xfff, 0x00b, RCR_UMASK_ANY, PMC3 },
	{ 0xfff, 0x00d, RCR_UMASK_ANY, PMC3 },
	{ 0xfff, 0x023, RCR_UMASK_ANY, PMC20 },
	{ 0xfff, 0x02d, RCR_UMASK_ANY, PMC3 },
	{ 0xfff, 0x02e, RCR_UMASK_ANY, PMC30 },
	{ 0xfff, 0x031, RCR_UMASK_MANY, 0 },
	{ 0xfff, 0x031, RCR_UMASK_ANY, PMC20 },
	{ 0xfff, 0x043, RCR_UMASK_ANY, PMC20 },
	{ 0xfff, 0x045, RCR_UMASK_ANY, PMC20, .last = 0x046 },
	{ 0xfff, 0x054, RCR_UMASK_ANY, PMC20, .last = 0x055 },
	{ 0xfff, 0x08f, RCR_UMASK_ANY, PMC0 },
	{ 0xfff, 0x187, RCR_UMASK_ANY, PMC0, .last = 0x188 },
	{ 0xfff, 0x0db, RCR_UMASK_ANY, PMC50, .last = 0x0df },
	{ 0xfff, 0x1c0, RCR_UMASK_ANY, PMC53 },
	{ 0xfff, 0x1d6, RCR_UMASK_ANY, PMC50 },
	{ 0xfff, 0x1d8, RCR_UMASK_ANY, PMC50 },

	/* Then the units, by event select bits 7:4. */
	{ 0x0e0, 0x000, RCR_UMASK_ANY, PMC53 },	/* floating point */
	{ 0x0e0, 0x020, RCR_UMASK_ANY, PMC50 },	/* load and store */
	{ 0x0e0, 0x040, RCR_UMASK_ANY, PMC50 },	/* data cache */
	{ 0x0e0, 0x060, RCR_UMASK_ANY, PMC20 },	/* L2 and compute unit */
	{ 0x0e0, 0x080, RCR_UMASK_ANY, PMC20 },	/* instruction cache, decode */
	{ 0x0e0, 0x0a0, RCR_UMASK_ANY, 0 },
	{ 0x0f0, 0x0c0, RCR_UMASK_ANY, PMC50 },	/* execution */
	{ 0x0f0, 0x0d0, RCR_UMASK_ANY, PMC20 },	/* dispatch */
	{ 0x0e0, 0x0e0, RCR_UMASK_ANY, 0 },	/* northbridge: not counted by a core */
	{ }
};

/* Section 3.24, the events of the northbridge: E0h to FFh, with any upper bits. */
static const struct rcr_constraint nb_constraint[] = {
	{ 0x080, 0x000, RCR_UMASK_ANY, 0 },
	{ 0x0c0, 0x080, RCR_UMASK_ANY, 0 },
	{ 0x0e0, 0x0c0, RCR_UMASK_ANY, 0 },
	{ }
};

/*
 * MSRC001_024[6,4,2,0] Northbridge Performance Event Select: no modes, no counter mask, no
 * edge. Bits 40:37 select the core that is interrupted, but the interrupt is never enabled;
 * bit 36 must be set for the event to count for every core.
 */
static const struct rcr_pmu northbridge[] = {
	{
		.name = "nb",
		.scope = RCR_SCOPE_DIE,
		.feature = { 0x80000001, RCR_ECX, BIT(24) },
		.control0 = 0xc0010240,
		.counter0 = 0xc0010241,
		.stride = 2,
		.counters = 4,
		.width = 48,
		.most = 32,
		/* 63:41, 31:23, 21 and 19:16 are reserved; 40:37 and 20 are the interrupt's. */
		.reserved = 0xffffffe0ffaf0000ull | RCR_SELECT_INT,
		.always = BIT_ULL(36),
		.constraint = nb_constraint,
	},
	{ }
};

const struct rcr_family rcr_family_amd_15h = {
	.name = "AMD Fam15h",
	RCR_AMD_FAMILY(0x15, 0x15),
	.core = {
		RCR_AMD_CORE_EXT,
		.feature = RCR_AMD_HAS_CORE_EXT,
		.constraint = constraint,
	},
	.units = { northbridge, rcr_clocks },
	/* Table I of the LDMS MSR sampler paper, per-core events. */
	.default_event = {
		{ .name = "TOT_CYC", .event = 0x076, .os = true, .user = true },
		{ .name = "TOT_INS", .event = 0x0c0, .os = true, .user = true },
		{ .name = "RETIRED_FLOPS", .event = 0x003, .umask = 0xff, .os = true,
		  .user = true },
		{ .name = "VEC_INS", .event = 0x0cb, .umask = 0x04, .os = true, .user = true },
		{ .name = "L1_DCM", .event = 0x041, .umask = 0x01, .os = true, .user = true },
		{ .name = "TLB_DM", .event = 0x046, .umask = 0x07, .os = true, .user = true },
	},
};
