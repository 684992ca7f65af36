// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * intel_icx.c - Ice Lake-SP and Sapphire Rapids: names of events, known defects, relations, meters.
 *
 * Events: Intel SDM volume 3B; Intel's event lists ICX and SPR; uncore guide 639778.
 * Limits per cycle: Intel 248966 (Optimization Reference Manual).
 */
#include "intel.h"

#define ICX	"Intel Ice Lake-SP"
#define SPR	"Intel Sapphire Rapids"

static const struct own_name icx_names[] = {
	SINCE_SNB, FP_ARITH(0xff, 0xfc), TLB(0x08, 0x0e),
	BRANCHES(0x11, 0x11), CODE_MISSES(0x24, 0xe4),
	{ }
};

static const struct own_name spr_names[] = {
	SINCE_SNB, FP_ARITH(0xff, 0xfc), TLB(0x12, 0x0e),
	BRANCHES(0x11, 0x11), CODE_MISSES(0x24, 0xe4),
	{ }
};

static const struct family_names names[] = {
	{ ICX, "", icx_names, LDMS_XEON, NULL },
	{ SPR, "", spr_names, LDMS_XEON, NULL },
	{ }
};

static const struct pfm_name cores[] = {
	{ "icx", ICX },
	{ "spr", SPR },
	{ "emr", SPR },
	{ }
};

static const struct pfm_name units[] = {
	{ "icx_unc_", ICX },
	{ "spr_unc_", SPR },
	{ }
};

static const struct known_defect defects[] = {
	{ ICX, 0xc7, ANY_UMASK, FMA_TWICE },
	{ SPR, 0xc7, ANY_UMASK, FMA_TWICE },
	{ }
};

static const struct known_relation relations[] = {
	SINCE_SNB_RELATIONS(ICX, "16", "event:0x0e,umask:0x01", "0x11"),
	SINCE_SKX_RELATIONS(ICX),
	PACKED(ICX),
	SINCE_SNB_RELATIONS(SPR, "16", "event:0xae,umask:0x01", "0x11"),
	SINCE_SKX_RELATIONS(SPR),
	PACKED(SPR),
	{ }
};

/* Only the kernel's driver can count the memory channels. */
static const struct catalogue_row meters[] = {
	CAS_METERS(ICX, "0x04", "0x0f", "0x30"),
	CAS_METERS(SPR, "0x05", "0xcf", "0xf0"),
	{ }
};

const struct event_table events_intel_icx = {
	.names = names,
	.cores = cores,
	.units = units,
	.defects = defects,
	.relations = relations,
	.meters = meters,
};
