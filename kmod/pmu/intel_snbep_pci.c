// SPDX-License-Identifier: GPL-2.0-only
/*
 * intel_snbep_pci.c - Sandy Bridge-EP's units in PCI configuration space: home agent,
 * memory channels, links, and the ring's way to PCI Express.
 *
 * Intel 327043 (Xeon E5-2600 Uncore Performance Monitoring Guide), sections 2.4
 * (HA), 2.5 (iMC), 2.7 (QPI) and 2.8 (R2PCIe), each "PCI Configuration Space
 * Registers". Widths and the events that only some counters count as Linux's
 * intel/uncore_snbep.c has them. Table I of the TACC Stats paper has the same
 * functions, by their addresses on buses 7Fh and FFh: 0e.1, 10.0, 10.1, 10.4, 10.5,
 * 08.2, 09.2 and 13.1.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "intel.h"
#include "intel_box.h"

/* The U-Box, 0b.0, tells whose bus it is. */
#define UBOX	0x3ce0

static const u16 ha_devices[] = { 0x3c46, 0 };
static const u16 imc_devices[] = { 0x3cb0, 0x3cb1, 0x3cb4, 0x3cb5, 0 };
static const u16 qpi_devices[] = { 0x3c41, 0x3c42, 0 };
static const u16 r2pcie_devices[] = { 0x3c43, 0 };

static const struct rcr_pci ha = { ha_devices, UBOX };
static const struct rcr_pci imc = { imc_devices, UBOX };
static const struct rcr_pci qpi = { qpi_devices, UBOX };
static const struct rcr_pci r2pcie = { r2pcie_devices, UBOX };

static const struct rcr_layout layout = {
	.event = 0xff,
	.umask = 0xff00,
	.cmask = 0xff000000,
	.edge = RCR_BOX_EDGE,
	.inv = RCR_BOX_INV,
	.enable = RCR_BOX_ENABLE,
};

/* Bit 8 of a link's event select is bit 21. */
static const struct rcr_layout qpi_layout = {
	.event = 0x2000ff,
	.umask = 0xff00,
	.cmask = 0xff000000,
	.edge = RCR_BOX_EDGE,
	.inv = RCR_BOX_INV,
	.enable = RCR_BOX_ENABLE,
};

/* A channel's fifth counter, of its clock: there is no event to choose. */
static const struct rcr_layout clock_layout = {
	.enable = RCR_BOX_ENABLE,
};

static const struct rcr_constraint r2pcie_constraint[] = {
	FROM_TO(0x10, 0x11, 0x3),
	ANY_MASK(0x12, 0x1),
	FROM_TO(0x23, 0x26, 0x3),
	FROM_TO(0x32, 0x34, 0x3),
	{ }
};

/* 63:32, 21:19, 17 and 16 of a control are reserved or never set. */
#define RESERVED	0xffffffff003b0000ull

#define FUNCTION				\
	.scope = RCR_SCOPE_PACKAGE,		\
	.feature = { 0xa, RCR_EAX, 0xff },	\
	.control0 = 0xd8,			\
	.counter0 = 0xa0,			\
	.stride = 4,				\
	.count_stride = 8,			\
	.counters = 4,				\
	.most = 64,				\
	.global_control = 0xf4,			\
	.global_stops = RCR_BOX_FREEZE

const struct rcr_pmu rcr_snbep_ha = {
	FUNCTION,
	.name = "ha",
	.pci = &ha,
	.layout = &layout,
	.reserved = RESERVED,
	.width = 48,
	.written = 48,
};

const struct rcr_pmu rcr_snbep_imc = {
	FUNCTION,
	.name = "imc",
	.boxes = ARRAY_SIZE(imc_devices) - 1,
	.pci = &imc,
	.layout = &layout,
	.reserved = RESERVED,
	.width = 48,
	.written = 48,
};

const struct rcr_pmu rcr_snbep_imcclk = {
	.name = "imcclk",
	.boxes = ARRAY_SIZE(imc_devices) - 1,
	.pci = &imc,
	.scope = RCR_SCOPE_PACKAGE,
	.feature = { 0xa, RCR_EAX, 0xff },
	.layout = &clock_layout,
	.control0 = 0xf0,
	.counter0 = 0xd0,
	.counters = 1,
	.width = 48,
	.written = 48,
	.most = 1,
	.reserved = ~RCR_BOX_ENABLE,
};

const struct rcr_pmu rcr_snbep_qpi = {
	FUNCTION,
	.name = "qpi",
	.boxes = ARRAY_SIZE(qpi_devices) - 1,
	.pci = &qpi,
	.layout = &qpi_layout,
	.reserved = RESERVED & ~BIT_ULL(21),
	.width = 48,
	.written = 48,
};

const struct rcr_pmu rcr_snbep_r2pcie = {
	FUNCTION,
	.name = "r2pcie",
	.pci = &r2pcie,
	.layout = &layout,
	.reserved = RESERVED,
	.width = 44,
	.written = 44,
	.constraint = r2pcie_constraint,
};
