// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * intel_snb.c - Sandy Bridge-EP and Ivy Bridge-EP: names of events, known defects, relations,
 * meters.
 *
 * Events: Intel SDM volume 3B; Intel's event lists JKT and IVT; uncore guides 327043 and 329468.
 * Limits per cycle: Intel 248966 (Optimization Reference Manual).
 */
#include "intel.h"

#define SNB	"Intel Sandy Bridge"
#define IVB	"Intel Ivy Bridge"

#define SNB_FLOATS \
	{ "FP_INS", CORE(0x10, 0xf1), \
	  "x87, SSE and 128-bit AVX floating-point operations issued" }, \
	{ "VEC_INS", CORE(0x11, 0x03), "256-bit AVX floating-point operations issued" }

static const struct own_name snb_names[] = {
	SINCE_SNB, SNB_FLOATS, TLB(0x08, 0x01), BRANCHES(0x01, 0x00), CODE_MISSES(0x80, 0x02),
	{ }
};

static const struct own_name ivb_names[] = {
	SINCE_SNB, SNB_FLOATS, TLB(0x08, 0x81), BRANCHES(0x01, 0x00), CODE_MISSES(0x80, 0x02),
	{ }
};

static const struct family_names names[] = {
	{ SNB, "", snb_names, LDMS_XEON, NULL },
	{ IVB, "", ivb_names, LDMS_XEON, NULL },
	{ }
};

static const struct pfm_name cores[] = {
	{ "snb_ep", SNB },
	{ "ivb_ep", IVB },
	{ }
};

static const struct pfm_name units[] = {
	{ "snbep_unc_", SNB },
	{ "ivbep_unc_", IVB },
	{ }
};

#define ISSUED \
	"counts issues, not retirements: operations that wait for operands count again, up to ten times as much " \
	"(Evans et al., TACC Stats)"

static const struct known_defect defects[] = {
	{ SNB, 0x10, ANY_UMASK, ISSUED },
	{ SNB, 0x11, ANY_UMASK, ISSUED },
	{ IVB, 0x10, ANY_UMASK, ISSUED },
	{ IVB, 0x11, ANY_UMASK, ISSUED },
	{ }
};

static const struct known_relation relations[] = {
	SINCE_SNB_RELATIONS(SNB, "8", "event:0x0e,umask:0x01", "0x01"),
	SINCE_SNB_RELATIONS(IVB, "8", "event:0x0e,umask:0x01", "0x01"),
	{ }
};

static const struct catalogue_row meters[] = {
	CAS_METERS(SNB, "0x04", "0x03", "0x0c"),
	QUEUE_METERS(SNB, CHANNEL_CLOCK),
	CAS_METERS(IVB, "0x04", "0x03", "0x0c"),
	QUEUE_METERS(IVB, CHANNEL_CLOCK),
	{ }
};

/* Counts of MEM_*_RETIRED leak to the core's other thread (Linux's events/intel/core.c). */
#define WITH_THREADS	"with hyperthreading modified lines are counted wrongly "

/* MEM_LOAD_UOPS_LLC_HIT_RETIRED.XSNP_HITM and MEM_LOAD_UOPS_LLC_MISS_RETIRED.REMOTE_HITM */
static const struct signal_row signals[] = {
	INTEL_SIGNALS(SNB, NULL),
	CHANNEL_SIGNALS(SNB, CHANNEL_CLOCK, NULL),
	{ SNB, SIGNAL_MODIFIED, .event = "event:0xd2,umask:0x04", .cost = NEAR_COST,
	  .doubt = NO_FAR_LINES "(Intel, events of JKT), and " WITH_THREADS "(erratum BJ122)" },
	INTEL_SIGNALS(IVB, NULL),
	CHANNEL_SIGNALS(IVB, CHANNEL_CLOCK, NO_OCCUPANCY),
	HOME_SIGNALS(IVB),
	{ IVB, SIGNAL_MODIFIED, .event = "event:0xd2,umask:0x04", .cost = NEAR_COST,
	  .doubt = WITH_THREADS "(erratum BV98)" },
	{ IVB, SIGNAL_MODIFIED, .event = "event:0xd3,umask:0x10", .cost = FAR_COST,
	  .doubt = WITH_THREADS "(erratum BV98)" },
	{ }
};

const struct event_table events_intel_snb = {
	.names = names,
	.cores = cores,
	.units = units,
	.defects = defects,
	.relations = relations,
	.meters = meters,
	.signals = signals,
};
