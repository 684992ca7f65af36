// SPDX-License-Identifier: GPL-2.0-only
/*
 * intel_cbo.c - slices of a Xeon's last level cache, from Sandy Bridge-EP to
 * Broadwell-EP.
 *
 * Intel 327043 (Xeon E5-2600 Uncore Performance Monitoring Guide), section 2.3;
 * 329468 (E5 v2), 331051 (E5 v3) and 334291 (E5 v4), "CBo Performance Monitoring".
 * Widths and the events that only some counters count as Linux's
 * intel/uncore_snbep.c and Intel's lists (JKT, IVT, HSX, BDX) have them; where
 * these differ the fewer counters.
 *
 * A package has a slice for each core that it was made with; cores may be switched
 * off, and then their slices count on. A slice that is not there faults. Thread filters (bit 19)
 * and the reset (17) are never set.
 */
#include <linux/bits.h>

#include "intel.h"
#include "intel_box.h"

/* Where a control of these boxes has its fields; Ivy Bridge-EP's have no inversion. */
const struct rcr_layout rcr_box_layout = {
	.event = 0xff,
	.umask = 0xff00,
	.cmask = 0xff000000,
	.edge = RCR_BOX_EDGE,
	.inv = RCR_BOX_INV,
	.enable = RCR_BOX_ENABLE,
};

const struct rcr_layout rcr_ivb_box_layout = {
	.event = 0xff,
	.umask = 0xff00,
	.cmask = 0xff000000,
	.edge = RCR_BOX_EDGE,
	.enable = RCR_BOX_ENABLE,
};

/* 63:32, 21:19, 17 and 16; on Ivy Bridge 23, too. */
#define RESERVED	0xffffffff003b0000ull

static const struct rcr_constraint snb_constraint[] = {
	ANY_MASK(0x01, 0x1),
	FROM_TO(0x02, 0x07, 0x3),
	ANY_MASK(0x09, 0x3),
	ANY_MASK(0x11, 0x1),		/* RxR_OCCUPANCY */
	FROM_TO(0x12, 0x14, 0x3),
	FROM_TO(0x1b, 0x1e, 0xc),	/* rings in use */
	ANY_MASK(0x1f, 0xe),		/* COUNTER0_OCCUPANCY: what counter 0 has */
	ANY_MASK(0x21, 0x3),
	ANY_MASK(0x23, 0x3),
	FROM_TO(0x31, 0x35, 0x3),	/* up to TOR_INSERTS */
	ANY_MASK(0x36, 0x1),		/* TOR_OCCUPANCY */
	FROM_TO(0x37, 0x39, 0x3),
	ANY_MASK(0x3b, 0x1),
	ANY_MASK(0x3c, 0x3),
	{ }
};

static const struct rcr_constraint hsw_constraint[] = {
	ANY_MASK(0x01, 0x1),
	ANY_MASK(0x09, 0x1),
	ANY_MASK(0x11, 0x1),		/* RxR_OCCUPANCY */
	ANY_MASK(0x36, 0x1),		/* TOR_OCCUPANCY */
	ANY_MASK(0x38, 0x3),
	ANY_MASK(0x3b, 0x1),
	ANY_MASK(0x3e, 0x1),
	{ }
};

#define CBO					\
	RCR_INTEL_BOX,				\
	.name = "cbo",				\
	.boxes_by = RCR_BOXES_PROBED,		\
	.counters = 4,				\
	.most = 64,				\
	.global_stops = RCR_BOX_FREEZE

#define SNB_CBO					\
	CBO,					\
	.box_stride = 0x20,			\
	.control0 = 0xd10,			\
	.counter0 = 0xd16,			\
	.width = 44,				\
	.written = 44,				\
	.constraint = snb_constraint,		\
	.global_control = 0xd04

#define HSW_CBO					\
	CBO,					\
	.box_stride = 0x10,			\
	.control0 = 0xe01,			\
	.counter0 = 0xe08,			\
	.width = 48,				\
	.written = 48,				\
	.layout = &rcr_box_layout,			\
	.reserved = RESERVED,			\
	.constraint = hsw_constraint,		\
	.global_control = 0xe00,		\
	.filter = { { 0xe05, 0x00fe03ff }, { 0xe06, 0xfff0ffff } }

/* Filter: state, node, opcode; the thread's bits mean nothing here. */
const struct rcr_pmu rcr_snbep_cbo = {
	SNB_CBO,
	.boxes = 8,
	.layout = &rcr_box_layout,
	.reserved = RESERVED,
	.filter = { { 0xd14, 0xfffffc1f } },
};

const struct rcr_pmu rcr_ivbep_cbo = {
	SNB_CBO,
	.boxes = 15,
	.layout = &rcr_ivb_box_layout,
	.reserved = RESERVED | RCR_BOX_INV,
	.filter = { { 0xd14, 0x007e01ff }, { 0xd1a, 0xfff0ffff } },
};

const struct rcr_pmu rcr_hswep_cbo = {
	HSW_CBO,
	.boxes = 18,
};

const struct rcr_pmu rcr_bdwep_cbo = {
	HSW_CBO,
	.boxes = 24,
};
