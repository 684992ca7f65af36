// SPDX-License-Identifier: GPL-2.0-only
/*
 * intel_pci_box.c - what the CPUs of a Xeon's package share and PCI functions have
 * the counters of, from Sandy Bridge-EP to Broadwell-EP: home agents, channels of
 * memory, links between packages, and the ring's ways to PCI Express and the links.
 *
 * Intel 327043 (Xeon E5-2600 Uncore Performance Monitoring Guide), sections 2.4
 * (HA), 2.5 (iMC), 2.7 (QPI), 2.8 (R2PCIe) and 2.9 (R3QPI); 329468 (E5 v2), 331051
 * (E5 v3) and 334291 (E5 v4), likewise. Device ids and widths as Linux's
 * intel/uncore_snbep.c has them. Which counters count an event as that and Intel's
 * lists (JKT, IVT, HSX, BDX) have it; where these differ the fewer.
 *
 * The reset of a count (bit 17), on Ivy Bridge-EP that of an occupancy (16), and the
 * interrupt (20) are never set. QPI's matches and IRP are not here.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "intel.h"
#include "intel_box.h"

#define EVENT_EXT	BIT_ULL(21)	/* QPI: bit 8 of the event select */

static const struct rcr_layout qpi_layout = {
	.event = 0xff | EVENT_EXT,
	.umask = 0xff00,
	.cmask = 0xff000000,
	.edge = RCR_BOX_EDGE,
	.inv = RCR_BOX_INV,
	.enable = RCR_BOX_ENABLE,
};

static const struct rcr_layout ivb_qpi_layout = {
	.event = 0xff | EVENT_EXT,
	.umask = 0xff00,
	.cmask = 0xff000000,
	.edge = RCR_BOX_EDGE,
	.enable = RCR_BOX_ENABLE,
};

/* A channel's fifth counter, of its clock: there is no event to choose. */
static const struct rcr_layout clock_layout = {
	.enable = RCR_BOX_ENABLE,
};

/* 63:32, 20, 19, 17 and 16, and what a kind has not. */
#define RESERVED	0xffffffff001b0000ull

/* From Haswell-EP on. */
static const struct rcr_constraint hsw_ha_constraint[] = {
	FROM_TO(0x61, 0x65, 0x7),
	{ }
};

static const struct rcr_constraint snb_r2pcie_constraint[] = {
	FROM_TO(0x10, 0x11, 0x3),	/* RxR */
	FROM_TO(0x12, 0x13, 0x1),
	FROM_TO(0x23, 0x25, 0x1),	/* TxR */
	FROM_TO(0x26, 0x28, 0x3),
	FROM_TO(0x32, 0x34, 0x3),
	{ }
};

static const struct rcr_constraint hsw_r2pcie_constraint[] = {
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

static const struct rcr_constraint snb_r3qpi_constraint[] = {
	FROM_TO(0x10, 0x12, 0x3),
	ANY_MASK(0x13, 0x1),
	FROM_TO(0x20, 0x34, 0x3),
	FROM_TO(0x36, 0x39, 0x3),
	{ }
};

static const struct rcr_constraint hsw_r3qpi_constraint[] = {
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

/* A count every eight bytes, a control every four. */
#define PCI_BOX(functions, bits)		\
	RCR_INTEL_PACKAGE,			\
	.pci = &(functions),			\
	.control0 = 0xd8,			\
	.counter0 = 0xa0,			\
	.stride = 4,				\
	.count_stride = 8,			\
	.width = (bits),			\
	.written = (bits),			\
	.most = 64,				\
	.global_control = 0xf4,			\
	.global_stops = RCR_BOX_FREEZE

#define HA(functions, n)			\
	PCI_BOX(functions, 48),			\
	.name = "ha", .boxes = (n), .counters = 4
#define IMC(functions, n)			\
	PCI_BOX(functions, 48),			\
	.name = "imc", .boxes = (n), .counters = 4
#define IMCCLK(functions, n)			\
	RCR_INTEL_PACKAGE,			\
	.pci = &(functions),			\
	.name = "imcclk", .boxes = (n), .counters = 1, \
	.layout = &clock_layout,		\
	.control0 = 0xf0,			\
	.counter0 = 0xd0,			\
	.width = 48,				\
	.written = 48,				\
	.most = 1,				\
	.reserved = ~RCR_BOX_ENABLE
#define QPI(functions, n)			\
	PCI_BOX(functions, 48),			\
	.name = "qpi", .boxes = (n), .counters = 4
#define R2PCIE(functions, bits)			\
	PCI_BOX(functions, bits),		\
	.name = "r2pcie", .counters = 4
#define R3QPI(functions, n, bits)		\
	PCI_BOX(functions, bits),		\
	.name = "r3qpi", .boxes = (n), .counters = 3

/* Ivy Bridge-EP cannot invert. */
#define PLAIN		.layout = &rcr_box_layout, .reserved = RESERVED | EVENT_EXT
#define IVB_PLAIN	.layout = &rcr_ivb_box_layout, \
			.reserved = RESERVED | EVENT_EXT | RCR_BOX_INV
#define EXTENDED	.layout = &qpi_layout, .reserved = RESERVED
#define IVB_EXTENDED	.layout = &ivb_qpi_layout, .reserved = RESERVED | RCR_BOX_INV

/* FUNCTIONS(NAME, U-BOX, DEVICE...): where the boxes of a kind are. */
#define FUNCTIONS(name, ubox_id, ...)					\
	static const u16 name##_device[] = { __VA_ARGS__, 0 };		\
	static const struct rcr_pci name = { name##_device, ubox_id }

FUNCTIONS(snb_ha, 0x3ce0, 0x3c46);
FUNCTIONS(snb_imc, 0x3ce0, 0x3cb0, 0x3cb1, 0x3cb4, 0x3cb5);
FUNCTIONS(snb_qpi, 0x3ce0, 0x3c41, 0x3c42);
FUNCTIONS(snb_r2pcie, 0x3ce0, 0x3c43);
FUNCTIONS(snb_r3qpi, 0x3ce0, 0x3c44, 0x3c45);

FUNCTIONS(ivb_ha, 0x0e1e, 0x0e30, 0x0e38);
FUNCTIONS(ivb_imc, 0x0e1e, 0x0eb4, 0x0eb5, 0x0eb0, 0x0eb1, 0x0ef4, 0x0ef5, 0x0ef0, 0x0ef1);
FUNCTIONS(ivb_qpi, 0x0e1e, 0x0e32, 0x0e33, 0x0e3a);
FUNCTIONS(ivb_r2pcie, 0x0e1e, 0x0e34);
FUNCTIONS(ivb_r3qpi, 0x0e1e, 0x0e36, 0x0e37);

FUNCTIONS(hsw_ha, 0x2f1e, 0x2f30, 0x2f38);
FUNCTIONS(hsw_imc, 0x2f1e, 0x2fb0, 0x2fb1, 0x2fb4, 0x2fb5, 0x2fd0, 0x2fd1, 0x2fd4, 0x2fd5);
FUNCTIONS(hsw_qpi, 0x2f1e, 0x2f32, 0x2f33, 0x2f3a);
FUNCTIONS(hsw_r2pcie, 0x2f1e, 0x2f34);
FUNCTIONS(hsw_r3qpi, 0x2f1e, 0x2f36, 0x2f37, 0x2f3e);

FUNCTIONS(bdw_ha, 0x6f1e, 0x6f30, 0x6f38);
FUNCTIONS(bdw_imc, 0x6f1e, 0x6fb0, 0x6fb1, 0x6fb4, 0x6fb5, 0x6fd0, 0x6fd1, 0x6fd4, 0x6fd5);
FUNCTIONS(bdw_qpi, 0x6f1e, 0x6f32, 0x6f33, 0x6f3a);
FUNCTIONS(bdw_r2pcie, 0x6f1e, 0x6f34);
FUNCTIONS(bdw_r3qpi, 0x6f1e, 0x6f36, 0x6f37, 0x6f3e);

const struct rcr_pmu rcr_snbep_ha = { HA(snb_ha, 0), PLAIN };
const struct rcr_pmu rcr_snbep_imc = { IMC(snb_imc, 4), PLAIN };
const struct rcr_pmu rcr_snbep_imcclk = { IMCCLK(snb_imc, 4) };
const struct rcr_pmu rcr_snbep_qpi = { QPI(snb_qpi, 2), EXTENDED };
const struct rcr_pmu rcr_snbep_r2pcie = {
	R2PCIE(snb_r2pcie, 44), PLAIN, .constraint = snb_r2pcie_constraint,
};

const struct rcr_pmu rcr_snbep_r3qpi = {
	R3QPI(snb_r3qpi, 2, 44), PLAIN, .constraint = snb_r3qpi_constraint,
};

const struct rcr_pmu rcr_ivbep_ha = { HA(ivb_ha, 2), IVB_PLAIN };
const struct rcr_pmu rcr_ivbep_imc = { IMC(ivb_imc, 8), IVB_PLAIN };
const struct rcr_pmu rcr_ivbep_imcclk = { IMCCLK(ivb_imc, 8) };
const struct rcr_pmu rcr_ivbep_qpi = { QPI(ivb_qpi, 3), IVB_EXTENDED };
const struct rcr_pmu rcr_ivbep_r2pcie = {
	R2PCIE(ivb_r2pcie, 44), IVB_PLAIN, .constraint = snb_r2pcie_constraint,
};

const struct rcr_pmu rcr_ivbep_r3qpi = {
	R3QPI(ivb_r3qpi, 2, 44), IVB_PLAIN, .constraint = snb_r3qpi_constraint,
};

const struct rcr_pmu rcr_hswep_ha = { HA(hsw_ha, 2), PLAIN, .constraint = hsw_ha_constraint };
const struct rcr_pmu rcr_hswep_imc = { IMC(hsw_imc, 8), PLAIN };
const struct rcr_pmu rcr_hswep_imcclk = { IMCCLK(hsw_imc, 8) };
const struct rcr_pmu rcr_hswep_qpi = { QPI(hsw_qpi, 3), EXTENDED };
const struct rcr_pmu rcr_hswep_r2pcie = {
	R2PCIE(hsw_r2pcie, 48), PLAIN, .constraint = hsw_r2pcie_constraint,
};

const struct rcr_pmu rcr_hswep_r3qpi = {
	R3QPI(hsw_r3qpi, 3, 44), PLAIN, .constraint = hsw_r3qpi_constraint,
};

const struct rcr_pmu rcr_bdwep_ha = { HA(bdw_ha, 2), PLAIN, .constraint = hsw_ha_constraint };
const struct rcr_pmu rcr_bdwep_imc = { IMC(bdw_imc, 8), PLAIN };
const struct rcr_pmu rcr_bdwep_imcclk = { IMCCLK(bdw_imc, 8) };
const struct rcr_pmu rcr_bdwep_qpi = { QPI(bdw_qpi, 3), EXTENDED };
const struct rcr_pmu rcr_bdwep_r2pcie = {
	R2PCIE(bdw_r2pcie, 48), PLAIN, .constraint = hsw_r2pcie_constraint,
};

const struct rcr_pmu rcr_bdwep_r3qpi = {
	R3QPI(bdw_r3qpi, 3, 48), PLAIN, .constraint = hsw_r3qpi_constraint,
};
