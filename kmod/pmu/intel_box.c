// SPDX-License-Identifier: GPL-2.0-only
/*
 * intel_box.c - uncore of Xeon packages: slices of the last level cache, power control and
 * system configuration in MSRs; home agents, memory channels, links between packages, and the
 * ring's interfaces to PCI Express and to the links in PCI functions.
 *
 * Intel 327043 (Xeon E5-2600 Uncore Performance Monitoring Guide), sections 2.2 (U-Box),
 * 2.3 (CBo), 2.4 (HA), 2.5 (iMC), 2.6 (PCU), 2.7 (QPI), 2.8 (R2PCIe) and 2.9 (R3QPI);
 * 329468 (E5 v2), 331051 (E5 v3) and 334291 (E5 v4), likewise; 336274 (Xeon Scalable) and
 * 639778 (3rd generation), "CHA Performance Monitoring" and "Power Control (PCU)
 * Performance Monitoring". Device ids, widths, box addresses of Ice Lake-SP and constraints
 * are those of Linux's intel/uncore_snbep.c and of Intel's event lists (JKT, IVT, HSX, BDX,
 * SKX, ICX); where these differ, the smaller set of counters.
 *
 * Controls have the same fields as those of a core. Thread filters (bit 19), the interrupt (20),
 * the reset of a count (17), and on Ivy Bridge-EP that of an occupancy (16) are never set. QPI
 * matches and IRP are not supported.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "intel.h"

/*
 * Box control: all counters of the box are frozen while FREEZE is set. Controls have 32 bits,
 * of which 20, 19, 17 and 16 are never set.
 */
#define FREEZE		BIT_ULL(8)
#define RESERVED	0xffffffff001b0000ull
#define EVENT_EXT	BIT_ULL(21)	/* QPI: bit 8 of the event select */
#define INVERT		BIT_ULL(23)	/* not on Ivy Bridge-EP */
#define ENABLE		BIT_ULL(22)

#define PACKAGE(bits)				\
	.scope = RCR_SCOPE_PACKAGE,		\
	.feature = { 0xa, RCR_EAX, 0xff },	\
	.width = (bits)

/* A clock has no event select. */
#define CLOCK					\
	PACKAGE(48),				\
	.counters = 1,				\
	.most = 1,				\
	.reserved = ~ENABLE

/* CBo: a slice of the last level cache. */

static const struct rcr_constraint snb_cbo[] = {
	ANY_MASK(0x01, 0x1),
	FROM_TO(0x02, 0x07, 0x3),
	ANY_MASK(0x09, 0x3),
	ANY_MASK(0x11, 0x1),		/* RxR_OCCUPANCY */
	FROM_TO(0x12, 0x14, 0x3),
	FROM_TO(0x1b, 0x1e, 0xc),	/* ring occupancy */
	ANY_MASK(0x1f, 0xe),		/* COUNTER0_OCCUPANCY: occupancy selected by counter 0 */
	ANY_MASK(0x21, 0x3),
	ANY_MASK(0x23, 0x3),
	FROM_TO(0x31, 0x35, 0x3),	/* up to TOR_INSERTS */
	ANY_MASK(0x36, 0x1),		/* TOR_OCCUPANCY */
	FROM_TO(0x37, 0x39, 0x3),
	ANY_MASK(0x3b, 0x1),
	ANY_MASK(0x3c, 0x3),
	{ }
};

static const struct rcr_constraint hsw_cbo[] = {
	ANY_MASK(0x01, 0x1),
	ANY_MASK(0x09, 0x1),
	ANY_MASK(0x11, 0x1),		/* RxR_OCCUPANCY */
	ANY_MASK(0x36, 0x1),		/* TOR_OCCUPANCY */
	ANY_MASK(0x38, 0x3),
	ANY_MASK(0x3b, 0x1),
	ANY_MASK(0x3e, 0x1),
	{ }
};

/*
 * A package has a slice for each core of its die; slices of disabled cores keep counting.
 * Their number is in PCI configuration space (CAPID6), which may be hidden, so slices are
 * probed: the registers of a missing one fault.
 */
#define SLICE(n, bits)				\
	PACKAGE(bits),				\
	.boxes = (n),				\
	.stride = 1,				\
	.counters = 4,				\
	.global_stops = FREEZE

#define SNB_CBO(n)				\
	SLICE(n, 44),				\
	.name = "cbo",				\
	.most = 64,				\
	.box_stride = 0x20,			\
	.control0 = 0xd10,			\
	.counter0 = 0xd16,			\
	.constraint = snb_cbo,			\
	.global_control = 0xd04

/* Skylake-SP has its CHAs at the same addresses. */
#define HSW_SLICE(n)				\
	SLICE(n, 48),				\
	.box_stride = 0x10,			\
	.control0 = 0xe01,			\
	.counter0 = 0xe08,			\
	.reserved = RESERVED | EVENT_EXT,	\
	.global_control = 0xe00

#define HSW_CBO(n)				\
	HSW_SLICE(n),				\
	.name = "cbo",				\
	.most = 64,				\
	.constraint = hsw_cbo,			\
	.filter = { { 0xe05, 0x00fe03ff }, { 0xe06, 0xfff0ffff } }

/* CHA: a slice together with its part of the home agent. */

static const struct rcr_constraint cha[] = {
	ANY_MASK(0x11, 0x1),		/* RxC_OCCUPANCY */
	ANY_MASK(0x36, 0x1),		/* TOR_OCCUPANCY */
	ANY_MASK(0x3b, 0x1),
	{ }
};

#define CHA					\
	.name = "cha",				\
	.most = 128,				\
	.constraint = cha

/* Bits 55:32 extend the unit mask: filter of TOR events. */
static const struct rcr_layout icx_cha_layout = {
	.event = 0xff,
	.umask = 0x00ffffff0000ff00ull,
	.cmask = 0xff000000,
	.edge = BIT_ULL(18),
	.inv = INVERT,
	.enable = ENABLE,
};

/* Boxes 0, 18 and 34 each begin a range of addresses. */
static const u16 icx_cha_offset[] = {
	0x2a0, 0x2ae, 0x2bc, 0x2ca, 0x2d8, 0x2e6, 0x2f4, 0x302, 0x310, 0x31e,
	0x32c, 0x33a, 0x348, 0x356, 0x364, 0x372, 0x380, 0x38e,
	0x3aa, 0x3b8, 0x3c6, 0x3d4, 0x3e2, 0x3f0, 0x3fe, 0x40c, 0x41a, 0x428,
	0x436, 0x444, 0x452, 0x460, 0x46e, 0x47c,
	0x000, 0x00e, 0x01c, 0x02a, 0x038, 0x046,
};

/*
 * PCU. Bits 15:14 select an occupancy and take the place of the unit mask. Bits 63:32, 29,
 * 21:19, 16 and 13:8 are never set, nor are 31:30 (of an occupancy) and 17 (reset). The filter
 * has four frequencies, one byte each, for events 0Bh to 0Eh.
 */
#define PCU					\
	PACKAGE(48),				\
	.name = "pcu",				\
	.stride = 1,				\
	.counters = 4,				\
	.most = 64,				\
	.global_stops = FREEZE
#define PCU_RESERVED	0xffffffffe03b3f00ull

#define SNB_PCU					\
	PCU,					\
	.control0 = 0xc30,			\
	.counter0 = 0xc36,			\
	.global_control = 0xc24,		\
	.filter = { { 0xc34, 0xffffffff } }

#define HSW_PCU					\
	PCU,					\
	.control0 = 0x711,			\
	.counter0 = 0x717,			\
	.reserved = PCU_RESERVED,		\
	.global_control = 0x710,		\
	.filter = { { 0x715, 0xffffffff } }

/* Broadwell-EP to Ice Lake-SP: counter 0 cannot count an occupancy (80h). */
static const struct rcr_constraint bdw_pcu[] = {
	{ 0x80, 0x80, RCR_UMASK_ANY, 0xe },
	{ }
};

/*
 * The U-Box has no box control. Bits 63:29, 21:19, 17 and 16 of its controls are reserved or
 * never set. Its third counter is the uncore clock.
 */
#define UBOX					\
	PACKAGE(44),				\
	.name = "ubox",				\
	.stride = 1,				\
	.counters = 2,				\
	.control0 = 0xc10,			\
	.counter0 = 0xc16,			\
	.most = 64
#define UBOX_RESERVED	0xffffffffe03b0000ull
#define UCLK		CLOCK, .name = "uclk", .control0 = 0xc08, .counter0 = 0xc09

/* PCI functions: counts are eight bytes apart, controls four. */

/* Home agents since Haswell-EP. */
static const struct rcr_constraint hsw_ha[] = {
	FROM_TO(0x61, 0x65, 0x7),
	{ }
};

static const struct rcr_constraint snb_r2pcie[] = {
	FROM_TO(0x10, 0x11, 0x3),	/* RxR */
	FROM_TO(0x12, 0x13, 0x1),
	FROM_TO(0x23, 0x25, 0x1),	/* TxR */
	FROM_TO(0x26, 0x28, 0x3),
	FROM_TO(0x32, 0x34, 0x3),
	{ }
};

static const struct rcr_constraint hsw_r2pcie[] = {
	FROM_TO(0x10, 0x11, 0x3),
	ANY_MASK(0x13, 0x1),
	FROM_TO(0x23, 0x25, 0x1),
	ANY_MASK(0x26, 0x3),
	ANY_MASK(0x27, 0x1),
	FROM_TO(0x28, 0x29, 0x3),
	ANY_MASK(0x2a, 0x1),
	FROM_TO(0x2b, 0x2d, 0x3),
	FROM_TO(0x32, 0x35, 0x3),
	{ }
};

static const struct rcr_constraint snb_r3qpi[] = {
	FROM_TO(0x10, 0x12, 0x3),
	ANY_MASK(0x13, 0x1),
	FROM_TO(0x20, 0x34, 0x3),
	FROM_TO(0x36, 0x39, 0x3),
	{ }
};

static const struct rcr_constraint hsw_r3qpi[] = {
	ANY_MASK(0x01, 0x3),
	FROM_TO(0x10, 0x12, 0x3),
	ANY_MASK(0x13, 0x1),
	FROM_TO(0x14, 0x15, 0x3),
	FROM_TO(0x1f, 0x29, 0x3),
	FROM_TO(0x2a, 0x2b, 0x1),
	FROM_TO(0x2c, 0x34, 0x3),
	FROM_TO(0x36, 0x39, 0x3),
	{ }
};

#define PCI_BOX(n, bits)			\
	PACKAGE(bits),				\
	.control0 = 0xd8,			\
	.counter0 = 0xa0,			\
	.stride = 4,				\
	.count_stride = 8,			\
	.counters = (n),			\
	.most = 64,				\
	.global_control = 0xf4,			\
	.global_stops = FREEZE

#define HA		PCI_BOX(4, 48), .name = "ha"
#define IMC		PCI_BOX(4, 48), .name = "imc"
#define IMCCLK		CLOCK, .name = "imcclk", .control0 = 0xf0, .counter0 = 0xd0
#define QPI		PCI_BOX(4, 48), .name = "qpi"
#define R2PCIE(bits)	PCI_BOX(4, bits), .name = "r2pcie"
#define R3QPI(bits)	PCI_BOX(3, bits), .name = "r3qpi"

#define PLAIN		.reserved = RESERVED | EVENT_EXT
#define IVB_PLAIN	.reserved = RESERVED | EVENT_EXT | INVERT
#define EXTENDED	.reserved = RESERVED
#define IVB_EXTENDED	.reserved = RESERVED | INVERT

/* FUNCTIONS(BOXES, DEVICE...): a device id for each box, by its number. */
#define FUNCTIONS(n, ...)	.boxes = (n), .pci = (const u16[]){ __VA_ARGS__, 0 }

#define SNB_IMC		FUNCTIONS(4, 0x3cb0, 0x3cb1, 0x3cb4, 0x3cb5)
#define IVB_IMC		\
	FUNCTIONS(8, 0x0eb4, 0x0eb5, 0x0eb0, 0x0eb1, 0x0ef4, 0x0ef5, 0x0ef0, 0x0ef1)
#define HSW_IMC		\
	FUNCTIONS(8, 0x2fb0, 0x2fb1, 0x2fb4, 0x2fb5, 0x2fd0, 0x2fd1, 0x2fd4, 0x2fd5)
#define BDW_IMC		\
	FUNCTIONS(8, 0x6fb0, 0x6fb1, 0x6fb4, 0x6fb5, 0x6fd0, 0x6fd1, 0x6fd4, 0x6fd5)

/* Filter of a slice: state, node, opcode; the thread id is not used. */
const struct rcr_pmu rcr_snbep_boxes[] = {
	{ SNB_CBO(8), PLAIN, .filter = { { 0xd14, 0xfffffc1f } } },
	{ SNB_PCU, .reserved = PCU_RESERVED },
	{ UBOX, .reserved = UBOX_RESERVED },
	{ UCLK },
	{ HA, PLAIN, FUNCTIONS(0, 0x3c46) },
	{ IMC, PLAIN, SNB_IMC },
	{ IMCCLK, SNB_IMC },
	{ QPI, EXTENDED, FUNCTIONS(2, 0x3c41, 0x3c42) },
	{ R2PCIE(44), PLAIN, FUNCTIONS(0, 0x3c43), .constraint = snb_r2pcie },
	{ R3QPI(44), PLAIN, FUNCTIONS(2, 0x3c44, 0x3c45), .constraint = snb_r3qpi },
	{ }
};

/* Bit 23 is reserved: IVBEP_U_MSR_PMON_RAW_EVENT_MASK of Linux's intel/uncore_snbep.c. */
const struct rcr_pmu rcr_ivbep_boxes[] = {
	{ SNB_CBO(15), IVB_PLAIN, .filter = { { 0xd14, 0x007e01ff }, { 0xd1a, 0xfff0ffff } } },
	{ SNB_PCU, .reserved = PCU_RESERVED | INVERT },
	{ UBOX, .reserved = UBOX_RESERVED | INVERT },
	{ UCLK },
	{ HA, IVB_PLAIN, FUNCTIONS(2, 0x0e30, 0x0e38) },
	{ IMC, IVB_PLAIN, IVB_IMC },
	{ IMCCLK, IVB_IMC },
	{ QPI, IVB_EXTENDED, FUNCTIONS(3, 0x0e32, 0x0e33, 0x0e3a) },
	{ R2PCIE(44), IVB_PLAIN, FUNCTIONS(0, 0x0e34), .constraint = snb_r2pcie },
	{ R3QPI(44), IVB_PLAIN, FUNCTIONS(2, 0x0e36, 0x0e37), .constraint = snb_r3qpi },
	{ }
};

const struct rcr_pmu rcr_hswep_boxes[] = {
	{ HSW_CBO(18) },
	{ HSW_PCU },
	{ HA, PLAIN, FUNCTIONS(2, 0x2f30, 0x2f38), .constraint = hsw_ha },
	{ IMC, PLAIN, HSW_IMC },
	{ IMCCLK, HSW_IMC },
	{ QPI, EXTENDED, FUNCTIONS(3, 0x2f32, 0x2f33, 0x2f3a) },
	{ R2PCIE(48), PLAIN, FUNCTIONS(0, 0x2f34), .constraint = hsw_r2pcie },
	{ R3QPI(44), PLAIN, FUNCTIONS(3, 0x2f36, 0x2f37, 0x2f3e), .constraint = hsw_r3qpi },
	{ }
};

const struct rcr_pmu rcr_bdwep_boxes[] = {
	{ HSW_CBO(24) },
	{ HSW_PCU, .constraint = bdw_pcu },
	{ HA, PLAIN, FUNCTIONS(2, 0x6f30, 0x6f38), .constraint = hsw_ha },
	{ IMC, PLAIN, BDW_IMC },
	{ IMCCLK, BDW_IMC },
	{ QPI, EXTENDED, FUNCTIONS(3, 0x6f32, 0x6f33, 0x6f3a) },
	{ R2PCIE(48), PLAIN, FUNCTIONS(0, 0x6f34), .constraint = hsw_r2pcie },
	{ R3QPI(48), PLAIN, FUNCTIONS(3, 0x6f36, 0x6f37, 0x6f3e), .constraint = hsw_r3qpi },
	{ }
};

const struct rcr_pmu rcr_skx_boxes[] = {
	{ HSW_SLICE(28), CHA, .filter = { { 0xe05, 0x07fe1fff }, { 0xe06, 0xfffffe3b } } },
	{ HSW_PCU, .constraint = bdw_pcu },
	{ }
};

const struct rcr_pmu rcr_icx_boxes[] = {
	{
		SLICE(ARRAY_SIZE(icx_cha_offset), 48), CHA,
		.box_offset = icx_cha_offset,
		.layout = &icx_cha_layout,
		.control0 = 0xb61,
		.counter0 = 0xb68,
		.reserved = 0xff000000003b0000ull,
		.global_control = 0xb60,
	},
	{ HSW_PCU, .constraint = bdw_pcu },
	{ }
};
