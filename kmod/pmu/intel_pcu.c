// SPDX-License-Identifier: GPL-2.0-only
/*
 * intel_pcu.c - power control of a Xeon's package, and its system configuration.
 *
 * Intel 327043 (Xeon E5-2600 Uncore Performance Monitoring Guide), sections 2.6
 * (PCU) and 2.2 (U-Box); 331051 (E5 v3), 334291 (E5 v4), 336274 (Xeon Scalable) and
 * 639778 (3rd generation), "Power Control (PCU) Performance Monitoring".
 */
#include <linux/bits.h>

#include "intel.h"
#include "intel_box.h"

/* Where others have a unit mask there is which occupancy is counted (15:14). */
static const struct rcr_layout layout = {
	.event = 0xff,
	.umask = 0xc000,
	.cmask = 0x1f000000,
	.edge = RCR_BOX_EDGE,
	.inv = RCR_BOX_INV,
	.enable = RCR_BOX_ENABLE,
};

static const struct rcr_layout ivb_layout = {
	.event = 0xff,
	.umask = 0xc000,
	.cmask = 0x1f000000,
	.edge = RCR_BOX_EDGE,
	.enable = RCR_BOX_ENABLE,
};

/* 63:32, 29, 21:19, 16 and 13:8; 31:30 (of an occupancy) and 17 (reset) are never set. */
#define RESERVED	0xffffffffe03b3f00ull

/* From Broadwell-EP on, to Ice Lake-SP, counter 0 cannot count an occupancy (80h). */
static const struct rcr_constraint bdw_constraint[] = {
	{ 0x80, 0x80, RCR_UMASK_ANY, 0xe },
	{ }
};

/* The filter has four frequencies, a byte each, for events 0Bh to 0Eh. */
#define PCU					\
	RCR_INTEL_BOX,				\
	.name = "pcu",				\
	.counters = 4,				\
	.width = 48,				\
	.written = 48,				\
	.most = 64,				\
	.global_stops = RCR_BOX_FREEZE

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
	.layout = &layout,			\
	.reserved = RESERVED,			\
	.global_control = 0x710,		\
	.filter = { { 0x715, 0xffffffff } }

const struct rcr_pmu rcr_snbep_pcu = {
	SNB_PCU,
	.layout = &layout,
	.reserved = RESERVED,
};

const struct rcr_pmu rcr_ivbep_pcu = {
	SNB_PCU,
	.layout = &ivb_layout,
	.reserved = RESERVED | RCR_BOX_INV,
};

const struct rcr_pmu rcr_hswep_pcu = {
	HSW_PCU,
};

const struct rcr_pmu rcr_bdwep_pcu = {
	HSW_PCU,
	.constraint = bdw_constraint,
};

/* The U-Box has no box control. 63:29, 21:19, 17 and 16 are reserved or never set. */
#define UBOX_RESERVED	0xffffffffe03b0000ull

static const struct rcr_layout ubox_layout = {
	.event = 0xff,
	.umask = 0xff00,
	.cmask = 0x1f000000,
	.edge = RCR_BOX_EDGE,
	.inv = RCR_BOX_INV,
	.enable = RCR_BOX_ENABLE,
};

/* Bit 23 is none: IVBEP_U_MSR_PMON_RAW_EVENT_MASK of Linux's intel/uncore_snbep.c. */
static const struct rcr_layout ivb_ubox_layout = {
	.event = 0xff,
	.umask = 0xff00,
	.cmask = 0x1f000000,
	.edge = RCR_BOX_EDGE,
	.enable = RCR_BOX_ENABLE,
};

#define UBOX					\
	RCR_INTEL_BOX,				\
	.name = "ubox",				\
	.counters = 2,				\
	.control0 = 0xc10,			\
	.counter0 = 0xc16,			\
	.width = 44,				\
	.written = 44,				\
	.most = 64

const struct rcr_pmu rcr_snbep_ubox = {
	UBOX,
	.layout = &ubox_layout,
	.reserved = UBOX_RESERVED,
};

const struct rcr_pmu rcr_ivbep_ubox = {
	UBOX,
	.layout = &ivb_ubox_layout,
	.reserved = UBOX_RESERVED | RCR_BOX_INV,
};

/* Its third counter: the uncore's clock, with no event to choose. */
static const struct rcr_layout uclk_layout = {
	.enable = RCR_BOX_ENABLE,
};

const struct rcr_pmu rcr_snbep_uclk = {
	RCR_INTEL_BOX,
	.name = "uclk",
	.counters = 1,
	.layout = &uclk_layout,
	.control0 = 0xc08,
	.counter0 = 0xc09,
	.width = 48,
	.written = 48,
	.most = 1,
	.reserved = ~RCR_BOX_ENABLE,
};
