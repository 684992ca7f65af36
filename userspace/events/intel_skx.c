// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * intel_skx.c - Skylake-SP and Cascade Lake-SP: names of events, known defects, relations, meters.
 *
 * Events: Intel SDM volume 3B; Intel's event list SKX; uncore guide 336274.
 * Limits per cycle: Intel 248966 (Optimization Reference Manual).
 */
#include "intel.h"

#define SKX	"Intel Skylake-SP"

static const struct own_name skx_names[] = {
	SINCE_SNB, FP_ARITH(0xff, 0xfc), TLB(0x08, 0x01),
	BRANCHES(0x01, 0x01), CODE_MISSES(0x24, 0xe4),
	{ }
};

static const struct family_names names[] = {
	{ SKX, "", skx_names, LDMS_XEON, NULL },
	{ }
};

static const struct pfm_name cores[] = {
	{ "skx", SKX },
	{ "clx", SKX },
	{ }
};

static const struct pfm_name units[] = {
	{ "skx_unc_", SKX },
	{ }
};

static const struct known_defect defects[] = {
	{ SKX, 0xc7, ANY_UMASK, FMA_TWICE },
	{ }
};

static const struct known_relation relations[] = {
	SINCE_SNB_RELATIONS(SKX, "16", "event:0x0e,umask:0x01", "0x01"),
	SINCE_SKX_RELATIONS(SKX),
	PACKED(SKX),
	{ }
};

#define SKX_CHANNEL_CLOCK	"imc#:event:0x00"

/* Only the kernel's driver can count the memory channels. */
static const struct catalogue_row meters[] = {
	CAS_METERS(SKX, "0x04", "0x03", "0x0c"),
	QUEUE_METERS(SKX, SKX_CHANNEL_CLOCK),
	{ }
};

#define SKX_LLC \
	"requests to the L3 and its misses may be counted wrongly (erratum SKL057, Intel, events of SKX)"

/*
 * MEM_LOAD_L3_HIT_RETIRED.XSNP_HITM, MEM_LOAD_L3_MISS_RETIRED.REMOTE_HITM, LOCAL_DRAM and
 * REMOTE_DRAM. A modified line takes 47.5 ns within a package and 110 ns from another one, here in
 * cycles of 2.5 GHz. Only the kernel's driver can count the memory channels.
 */
static const struct signal_row signals[] = {
	INTEL_SIGNALS(SKX, SKX_LLC),
	CHANNEL_SIGNALS(SKX, SKX_CHANNEL_CLOCK, NULL),
	{ SKX, SIGNAL_MODIFIED, .event = "event:0xd2,umask:0x04", .cost = 1.2 },
	{ SKX, SIGNAL_MODIFIED, .event = "event:0xd3,umask:0x04", .cost = 2.75 },
	{ SKX, SIGNAL_LOCAL, .event = "event:0xd3,umask:0x01" },
	{ SKX, SIGNAL_REMOTE, .event = "event:0xd3,umask:0x02" },
	{ }
};

const struct event_table events_intel_skx = {
	.names = names,
	.cores = cores,
	.units = units,
	.defects = defects,
	.relations = relations,
	.meters = meters,
	.signals = signals,
};
