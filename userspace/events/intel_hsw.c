// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * intel_hsw.c - Haswell-EP and Broadwell-EP: names of events, known defects, relations, meters.
 *
 * Events: Intel SDM volume 3B; Intel's event lists HSX and BDX; uncore guides 331051 and 334291.
 * Limits per cycle: Intel 248966 (Optimization Reference Manual).
 */
#include "intel.h"

#define HSW	"Intel Haswell"
#define BDW	"Intel Broadwell"

static const struct own_name hsw_names[] = {
	SINCE_SNB, TLB(0x08, 0x01), BRANCHES(0x01, 0x01), CODE_MISSES(0x24, 0xe4),
	{ "VEC_INS", CORE(0xc6, 0x07), "AVX instructions executed, approximately" },
	{ }
};

static const struct own_name bdw_names[] = {
	SINCE_SNB, FP_ARITH(0x3f, 0x3c), TLB(0x08, 0x01),
	BRANCHES(0x01, 0x01), CODE_MISSES(0x24, 0xe4),
	{ }
};

static const struct family_names names[] = {
	{ HSW, "", hsw_names, EVENT_SET("TOT_CYC", "TOT_INS", "VEC_INS", "L1_DCM", "TLB_DM"),
	  EVENT_SET("TOT_CYC", "TOT_INS", "L1_DCM", "TLB_DM", "VEC_INS") },
	{ BDW, "", bdw_names, LDMS_XEON,
	  EVENT_SET("TOT_CYC", "TOT_INS", "L1_DCM", "TLB_DM", "FP_INS", "VEC_INS") },
	{ }
};

static const struct pfm_name cores[] = {
	{ "hsw_ep", HSW },
	{ "bdw_ep", BDW },
	{ }
};

static const struct pfm_name units[] = {
	{ "hswep_unc_", HSW },
	{ "bdx_unc_", BDW },
	{ }
};

#define APPROXIMATE \
	"counts a repeated string instruction once, whatever it moves (Intel, events of HaswellX)"

static const struct known_defect defects[] = {
	{ HSW, 0xc6, ANY_UMASK, APPROXIMATE },
	{ BDW, 0xc7, ANY_UMASK, FMA_TWICE },
	{ }
};

static const struct known_relation relations[] = {
	SINCE_SNB_RELATIONS(HSW, "8", "event:0x0e,umask:0x01", "0x01"),
	SINCE_SNB_RELATIONS(BDW, "8", "event:0x0e,umask:0x01", "0x01"),
	PACKED(BDW),
	{ }
};

static const struct catalogue_row meters[] = {
	CAS_METERS(HSW, "0x04", "0x03", "0x0c"),
	QUEUE_METERS(HSW, CHANNEL_CLOCK),
	CAS_METERS(BDW, "0x04", "0x03", "0x0c"),
	QUEUE_METERS(BDW, CHANNEL_CLOCK),
	{ }
};

#define HSW_MODIFIED \
	"up to 40 % of the modified lines are not counted (erratum HSW150), and with hyperthreading they are counted wrongly (HSD29)"

#define BDW_MODIFIED \
	"modified lines may be counted wrongly (errata BDM100 and BDE70, Intel, events of BDX)"

/* MEM_LOAD_UOPS_L3_HIT_RETIRED.XSNP_HITM and MEM_LOAD_UOPS_L3_MISS_RETIRED.REMOTE_HITM */
static const struct signal_row signals[] = {
	INTEL_SIGNALS(HSW, NULL),
	CHANNEL_SIGNALS(HSW, CHANNEL_CLOCK, NO_OCCUPANCY),
	HOME_SIGNALS(HSW),
	{ HSW, SIGNAL_MODIFIED, .event = "event:0xd2,umask:0x04", .cost = NEAR_COST,
	  .doubt = HSW_MODIFIED },
	{ HSW, SIGNAL_MODIFIED, .event = "event:0xd3,umask:0x10", .cost = FAR_COST,
	  .doubt = HSW_MODIFIED },
	INTEL_SIGNALS(BDW, NULL),
	CHANNEL_SIGNALS(BDW, CHANNEL_CLOCK, NO_OCCUPANCY),
	HOME_SIGNALS(BDW),
	{ BDW, SIGNAL_MODIFIED, .event = "event:0xd2,umask:0x04", .cost = NEAR_COST,
	  .doubt = BDW_MODIFIED },
	{ BDW, SIGNAL_MODIFIED, .event = "event:0xd3,umask:0x10", .cost = FAR_COST,
	  .doubt = BDW_MODIFIED },
	{ }
};

const struct event_table events_intel_hsw = {
	.names = names,
	.cores = cores,
	.units = units,
	.defects = defects,
	.relations = relations,
	.meters = meters,
	.signals = signals,
};
