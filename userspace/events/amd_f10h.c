// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * amd_f10h.c - AMD Family 10h: names of events, known defects, relations, meters.
 *
 * Events: AMD 31116, section 3.14. Limits per cycle: AMD 40546 (Software Optimization Guide).
 */
#include "amd.h"

#define FAM10H	"AMD Fam10h"

/* Bit 6 of event 003h selects operations instead of micro-operations. */
static const struct own_name fam10h_names[] = {
	AMD_BRANCHES,
	AMD_CACHES,
	{ "TOT_CYC", CORE(0x076, 0x00), CYCLES },
	{ "TOT_INS", CORE(0x0c0, 0x00), INSTRUCTIONS },
	{ "RETIRED_FLOPS", CORE(0x003, 0x7f), "floating-point operations retired, SSE" },
	{ "DP_OPS", CORE(0x003, 0x78), "double precision floating-point operations retired" },
	{ "VEC_INS", CORE(0x0cb, 0x04), "SSE instructions retired" },
	{ "MMX_FP_INS", CORE(0x0cb, 0x07), "x87, MMX and SSE instructions retired" },
	{ "L1_DCM", CORE(0x041, 0x00), "L1 data cache misses" },
	{ "L1_DCA", CORE(0x040, 0x00), "L1 data cache accesses" },
	{ "L2_DCM", CORE(0x07e, 0x02), "L2 misses of the data cache" },
	{ "TLB_DM", CORE(0x046, 0x07), "data misses of both TLBs" },
	{ "RETIRED_UOPS", CORE(0x0c1, 0x00), "micro-operations retired" },
	{ "DISPATCH_STALLS", CORE(0x0d1, 0x00), "cycles without dispatch" },
	{ "DATA_CACHE_ACCESSES", CORE(0x040, 0x00), "L1 data cache accesses" },
	{ "PAPI_TOT_CYC", CORE(0x076, 0x00), CYCLES },
	{ "PAPI_TOT_INS", CORE(0x0c0, 0x00), INSTRUCTIONS },
	{ "PAPI_FP_OPS", CORE(0x003, 0x5b), "SSE additions and multiplications retired" },
	{ "PAPI_VEC_INS", CORE(0x0cb, 0x04), "SSE instructions retired" },
	{ "PAPI_L1_DCM", CORE(0x041, 0x00), "L1 data cache misses" },
	{ "PAPI_LL_DCM", CORE(0x041, 0x00), "L1 data cache misses" },
	{ "PAPI_TLB_DM", CORE(0x046, 0x07), "data misses of both TLBs" },
	{ "PAPI_TLB_IM", CORE(0x085, 0x03), "instruction misses of both TLBs" },
	{ }
};

static const struct family_names names[] = {
	{ FAM10H, "", fam10h_names, EVENT_SET("TOT_CYC", "TOT_INS", "RETIRED_FLOPS", "L1_DCM"),
	  EVENT_SET("TOT_CYC", "TOT_INS", "DATA_CACHE_ACCESSES", "MMX_FP_INS") },
	{ }
};

static const struct pfm_name cores[] = {
	{ "amd64_fam10h", FAM10H },
	{ }
};

static const struct known_defect defects[] = {
	{ FAM10H, 0x003, ANY_UMASK,
	  "leaves out x87: counts SSE operations only (AMD 31116, EventSelect 003h)" },
	{ }
};

static const struct known_relation relations[] = {
	/* At most three macro-ops and an interrupt retire per cycle. */
	{ FAM10H, "event:0xc0 <= 4 event:0x76", 16 },
	{ FAM10H, "event:0xc2 <= event:0xc0", 16 },
	AMD_BRANCH_RELATIONS(FAM10H),
	/* Each instruction is at least one micro-op. */
	{ FAM10H, "event:0xcb,umask:0x07 <= event:0xc1", 16 },
	{ FAM10H, "event:0xd1 <= event:0x76", 1 },
	{ }
};

static const struct catalogue_row meters[] = {
	{ "flop_rate", FAM10H, "rate(RETIRED_FLOPS)", "RETIRED_FLOPS=event:0x03,umask:0x7f",
	  "flop/s", 0, false },
	/* DRAM accesses of both controllers: each core of a node counts those of the whole node. */
	{ "mem_bw_node", FAM10H, "mean(rate(DRAM_ACCESSES)) * 64",
	  "DRAM_ACCESSES=event:0xe0,umask:0x3f", "B/s", 0, false },
	{ }
};

const struct event_table events_amd_f10h = {
	.names = names,
	.cores = cores,
	.defects = defects,
	.relations = relations,
	.meters = meters,
};
