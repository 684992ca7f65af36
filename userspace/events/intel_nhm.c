// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * intel_nhm.c - Nehalem and Westmere: names of events, known defects, relations, meters.
 *
 * Events: Intel SDM volume 3B, with "Uncore performance events". Limits per cycle: Intel 248966
 * (Optimization Reference Manual). Cycles of a miss on a Core i7 (74, 35 and 180): RCRTool Design
 * Document, section 6.1.
 */
#include "intel.h"

#define NEHALEM	"Intel Nehalem"

static const struct own_name nehalem_names[] = {
	INTEL_PRESETS,
	{ "PAPI_BR_INS", CORE(0x88, 0x7f), "branches executed" },
	{ "PAPI_BR_MSP", CORE(0x89, 0x7f), "branches executed and mispredicted" },
	{ "PAPI_L1_DCA", CORE(0x43, 0x01), "L1 data cache accesses" },
	{ "PAPI_L1_ICM", CORE(0x80, 0x02), "instruction cache misses" },
	{ "PAPI_LD_INS", CORE(0x0b, 0x01), "loads retired" },
	{ "PAPI_SR_INS", CORE(0x0b, 0x02), "stores retired" },
	{ "PAPI_TLB_IM", CORE(0x85, 0x01), "instruction TLB misses" },
	{ "PAPI_RES_STL", CORE(0xa2, 0x01), "cycles stalled for lack of a resource" },
	{ "TOT_CYC", CORE(0x3c, 0x00), CYCLES },
	{ "TOT_INS", CORE(0xc0, 0x00), INSTRUCTIONS },
	{ "FP_OPS", CORE(0x10, 0x05), "floating-point operations executed, x87 and SSE" },
	{ "RETIRED_FLOPS", CORE(0x10, 0x05), "floating-point operations executed, x87 and SSE" },
	{ "DP_OPS", CORE(0x10, 0x80), "double precision SSE operations executed" },
	{ "VEC_INS", CORE(0x10, 0x10), "packed SSE floating-point operations executed" },
	{ "L1_DCM", CORE(0x51, 0x01), L1_LINES },
	{ "L1_DCA", CORE(0x43, 0x01), "L1 data cache accesses" },
	{ "TLB_DM", CORE(0x49, 0x01), "data TLB misses" },
	{ "PAPI_TOT_CYC", CORE(0x3c, 0x00), CYCLES },
	{ "PAPI_TOT_INS", CORE(0xc0, 0x00), INSTRUCTIONS },
	{ "PAPI_FP_OPS", CORE(0x10, 0x05), "floating-point operations executed, x87 and SSE" },
	{ "PAPI_VEC_INS", CORE(0x10, 0x10), "packed SSE floating-point operations executed" },
	{ "PAPI_L1_DCM", CORE(0x51, 0x01), L1_LINES },
	{ "PAPI_LL_DCM", CORE(0x51, 0x01), L1_LINES },
	{ "PAPI_TLB_DM", CORE(0x49, 0x01), "data TLB misses" },
	{ }
};

static const struct family_names names[] = {
	{ NEHALEM, "", nehalem_names,
	  EVENT_SET("TOT_CYC", "TOT_INS", "RETIRED_FLOPS", "VEC_INS", "L1_DCM", "TLB_DM"),
	  EVENT_SET("TOT_CYC", "TOT_INS", "FP_OPS", "VEC_INS", "L1_DCM", "TLB_DM") },
	{ }
};

static const struct pfm_name cores[] = {
	{ "nhm", NEHALEM },
	{ "wsm", NEHALEM },
	{ }
};

#define EXECUTED \
	"counts operations executed, not retired: includes those of wrong paths "
#define EXECUTED_BRANCHES \
	"counts branches executed, not retired: includes those of wrong paths "

static const struct known_defect defects[] = {
	{ NEHALEM, 0x10, ANY_UMASK, EXECUTED "(Intel SDM 3B, FP_COMP_OPS_EXE)" },
	{ NEHALEM, 0x88, ANY_UMASK, EXECUTED_BRANCHES "(Intel SDM 3B, BR_INST_EXEC)" },
	{ NEHALEM, 0x89, ANY_UMASK, EXECUTED_BRANCHES "(Intel SDM 3B, BR_MISP_EXEC)" },
	{ }
};

static const struct known_relation relations[] = {
	/* At most four micro-ops retire per cycle; each may be a comparison and its branch. */
	{ NEHALEM, "TOT_INS <= 8 TOT_CYC", 64 },
	/* Three ports execute computations. */
	{ NEHALEM, "FP_OPS <= 3 TOT_CYC", 64 },
	{ NEHALEM, "DP_OPS <= 3 TOT_CYC", 64 },
	{ NEHALEM, "VEC_INS <= 3 TOT_CYC", 64 },
	{ NEHALEM, "event:0xa2,umask:0x01 <= TOT_CYC", 1 },
	{ NEHALEM, "event:0xc4 <= TOT_INS", 64 },
	{ NEHALEM, "event:0x0b,umask:0x01 <= TOT_INS", 64 },
	{ NEHALEM, "event:0x0b,umask:0x02 <= TOT_INS", 64 },
	{ NEHALEM, "event:0xcb,umask:0x10 <= event:0x0b,umask:0x01", 64 },
	/* Reference cycles count at the rate of the TSC, in steps of a bus clock. */
	{ NEHALEM, "event:0x00,umask:0x03 <= 1.1 tsc + 1000", 1 },
	{ }
};

static const struct catalogue_row meters[] = {
	{ "flop_rate", NEHALEM, "rate(FP_OPS)", "FP_OPS=event:0x10,umask:0x05",
	  "flop/s", 0, false },
	{ "l2_miss_ratio", NEHALEM, "L2_LINES_IN / L1_DCM",
	  "L2_LINES_IN=event:0xf1,umask:0x07;L1_DCM=event:0x51,umask:0x01", "1", 6, false },
	{ "l2_miss_cycle_ratio", NEHALEM,
	  "(L2_HIT_HITM * 74 + LLC_UNSHARED_HIT * 35) / TOT_CYC",
	  "L2_HIT_HITM=event:0xcb,umask:0x08;LLC_UNSHARED_HIT=event:0xcb,umask:0x04;" INTEL_CYCLES,
	  "1", 6, false },
	{ "l3_miss_cycle_ratio", NEHALEM, "LLC_MISS * 180 / TOT_CYC",
	  "LLC_MISS=event:0xcb,umask:0x10;" INTEL_CYCLES, "1", 6, false },
	{ "l3_to_l2_bw", NEHALEM, "rate(L2_LINES_IN) * 64", "L2_LINES_IN=event:0xf1,umask:0x07",
	  "B/s", 0, false },
	{ "mem_bw", NEHALEM, "rate(UNC_LLC_LINES_IN) * 64",
	  "UNC_LLC_LINES_IN=uncore:event:0x0a,umask:0x0f", "B/s", 0, true },
	/* UNC_QMC_OCCUPANCY of each channel, in cycles of the uncore; UNC_QMC_NORMAL_READS.ANY */
	{ "mem_latency", NEHALEM, "(QMC_OCC0 + QMC_OCC1 + QMC_OCC2) / QMC_READS",
	  "QMC_OCC0=uncore:event:0x2a,umask:0x01;QMC_OCC1=uncore:event:0x2a,umask:0x02;"
	  "QMC_OCC2=uncore:event:0x2a,umask:0x04;QMC_READS=uncore:event:0x2c,umask:0x07",
	  "cycles", 3, false },
	{ }
};

/*
 * MEM_UNCORE_RETIRED.OTHER_CORE_L2_HITM. Uncore: UNC_QMC_NORMAL_READS, UNC_QMC_WRITES.FULL,
 * UNC_QMC_OCCUPANCY and UNC_DRAM_PAGE_MISS of each of three channels, and UNC_QHL_REQUESTS, which
 * the package that owns the memory counts. A modified line takes 74 cycles (as above).
 */
static const struct signal_row signals[] = {
	INTEL_SIGNALS(NEHALEM, NULL),
	{ NEHALEM, SIGNAL_MODIFIED, .event = "event:0x0f,umask:0x02", .cost = 0.74,
	  .doubt = NO_FAR_LINES "(Intel SDM 3B, MEM_UNCORE_RETIRED)" },
	{ NEHALEM, SIGNAL_READS, .event = "uncore:event:0x2c,umask:0x07" },
	{ NEHALEM, SIGNAL_WRITES, .event = "uncore:event:0x2f,umask:0x07" },
	{ NEHALEM, SIGNAL_WAITING, .event = "uncore:event:0x2a,umask:0x01" },
	{ NEHALEM, SIGNAL_WAITING, .event = "uncore:event:0x2a,umask:0x02" },
	{ NEHALEM, SIGNAL_WAITING, .event = "uncore:event:0x2a,umask:0x04" },
	{ NEHALEM, SIGNAL_WAITED, .like = SIGNAL_READS },
	{ NEHALEM, SIGNAL_CONFLICTS, .event = "uncore:event:0x62,umask:0x01" },
	{ NEHALEM, SIGNAL_CONFLICTS, .event = "uncore:event:0x62,umask:0x02" },
	{ NEHALEM, SIGNAL_CONFLICTS, .event = "uncore:event:0x62,umask:0x04" },
	{ NEHALEM, SIGNAL_LOCAL, .event = "uncore:event:0x20,umask:0x30" },
	{ NEHALEM, SIGNAL_REMOTE, .event = "uncore:event:0x20,umask:0x0c", .at_home = true },
	{ NEHALEM, SIGNAL_DEVICES, .event = "uncore:event:0x20,umask:0x03" },
	{ }
};

const struct event_table events_intel_nhm = {
	.names = names,
	.cores = cores,
	.defects = defects,
	.relations = relations,
	.meters = meters,
	.signals = signals,
};
