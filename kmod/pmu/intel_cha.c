// SPDX-License-Identifier: GPL-2.0-only
/*
 * intel_cha.c - slices of a Xeon's last level cache from Skylake-SP on, each with
 * its part of the home agent.
 *
 * Intel 336274 (Xeon Scalable Uncore Performance Monitoring) and 639778 (3rd
 * generation), "CHA Performance Monitoring"; where Ice Lake-SP has each box, and
 * the events that only some counters count, as Linux's intel/uncore_snbep.c and
 * Intel's lists (SKX, ICX) have them.
 *
 * How many there are stands in PCI configuration space (CAPID6), which may be
 * hidden. A box that is not there faults.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "intel.h"
#include "intel_box.h"

/* The unit mask goes on in the upper half: of the TOR, what it is filtered by. */
static const struct rcr_layout icx_layout = {
	.event = 0xff,
	.umask = 0x00ffffff0000ff00ull,
	.cmask = 0xff000000,
	.edge = RCR_BOX_EDGE,
	.inv = RCR_BOX_INV,
	.enable = RCR_BOX_ENABLE,
};

static const struct rcr_constraint constraint[] = {
	ANY_MASK(0x11, 0x1),		/* RxC_OCCUPANCY */
	ANY_MASK(0x36, 0x1),		/* TOR_OCCUPANCY */
	ANY_MASK(0x3b, 0x1),
	{ }
};

#define CHA					\
	RCR_INTEL_BOX,				\
	.name = "cha",				\
	.boxes_by = RCR_BOXES_PROBED,		\
	.counters = 4,				\
	.width = 48,				\
	.written = 48,				\
	.most = 128,				\
	.constraint = constraint,		\
	.global_stops = RCR_BOX_FREEZE

/* 63:32, 21:19, 17 and 16 are reserved or never set. */
const struct rcr_pmu rcr_skx_cha = {
	CHA,
	.boxes = 28,
	.box_stride = 0x10,
	.layout = &rcr_box_layout,
	.control0 = 0xe01,
	.counter0 = 0xe08,
	.reserved = 0xffffffff003b0000ull,
	.global_control = 0xe00,
	.filter = { { 0xe05, 0x07fe1fff }, { 0xe06, 0xfffffe3b } },
};

/* Boxes 0, 18 and 34 begin runs of their own. */
static const u16 icx_offset[] = {
	0x2a0, 0x2ae, 0x2bc, 0x2ca, 0x2d8, 0x2e6, 0x2f4, 0x302, 0x310, 0x31e,
	0x32c, 0x33a, 0x348, 0x356, 0x364, 0x372, 0x380, 0x38e,
	0x3aa, 0x3b8, 0x3c6, 0x3d4, 0x3e2, 0x3f0, 0x3fe, 0x40c, 0x41a, 0x428,
	0x436, 0x444, 0x452, 0x460, 0x46e, 0x47c,
	0x000, 0x00e, 0x01c, 0x02a, 0x038, 0x046,
};

const struct rcr_pmu rcr_icx_cha = {
	CHA,
	.boxes = ARRAY_SIZE(icx_offset),
	.box_offset = icx_offset,
	.layout = &icx_layout,
	.control0 = 0xb61,
	.counter0 = 0xb68,
	.reserved = 0xff000000003b0000ull,
	.global_control = 0xb60,
};
