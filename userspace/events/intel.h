/* SPDX-License-Identifier: GPL-2.0-or-later */
/* intel.h - rows that the tables of several Intel families share. */
#ifndef EVENTS_INTEL_H
#define EVENTS_INTEL_H

#include "table.h"

#define WALKS		"loads that miss all data TLBs: page table walks"
#define FLOAT_INS	"floating-point instructions retired, multiply-adds counted twice"
#define PACKED_INS	"packed floating-point instructions retired, multiply-adds counted twice"
#define L1_LINES	"lines brought into the L1 data cache"

/* PAPI presets of the architectural events, the same on all Intel processors. */
#define INTEL_PRESETS \
	{ "PAPI_REF_CYC", CORE(0x00, 0x03), "reference clock cycles, not halted" }, \
	{ "PAPI_L2_TCM", CORE(0x2e, 0x4f), "accesses of the last level cache" }, \
	{ "PAPI_L3_TCA", CORE(0x2e, 0x4f), "accesses of the last level cache" }, \
	{ "PAPI_L3_TCM", CORE(0x2e, 0x41), "misses of the last level cache" }

/* PAPI presets that are the same on all cores since Sandy Bridge. */
#define SINCE_SNB \
	INTEL_PRESETS, \
	{ "PAPI_BR_INS", CORE(0xc4, 0x00), "branches retired" }, \
	{ "PAPI_LD_INS", CORE(0xd0, 0x81), "loads retired" }, \
	{ "PAPI_SR_INS", CORE(0xd0, 0x82), "stores retired" }, \
	{ "TOT_CYC", CORE(0x3c, 0x00), CYCLES }, \
	{ "TOT_INS", CORE(0xc0, 0x00), INSTRUCTIONS }, \
	{ "L1_DCM", CORE(0x51, 0x01), L1_LINES }, \
	{ "LOADS", CORE(0xd0, 0x81), "loads retired" }, \
	{ "STORES", CORE(0xd0, 0x82), "stores retired" }, \
	{ "PAPI_TOT_CYC", CORE(0x3c, 0x00), CYCLES }, \
	{ "PAPI_TOT_INS", CORE(0xc0, 0x00), INSTRUCTIONS }, \
	{ "PAPI_L1_DCM", CORE(0x51, 0x01), L1_LINES }, \
	{ "PAPI_LL_DCM", CORE(0x51, 0x01), L1_LINES }

/* Conditional branches, and mispredicted branches as PAPI counts them. */
#define BRANCHES(conditional, mispredicted) \
	{ "PAPI_BR_CN", CORE(0xc4, conditional), "conditional branches retired" }, \
	{ "PAPI_BR_MSP", CORE(0xc5, mispredicted), "branches mispredicted, retired" }

#define CODE_MISSES(e, u) \
	{ "PAPI_L1_ICM", CORE(e, u), "instruction cache misses" }

#define TLB(e, u) \
	{ "TLB_DM", CORE(e, u), WALKS }, \
	{ "PAPI_TLB_DM", CORE(e, u), WALKS }

#define FP_ARITH(all, packed) \
	{ "FP_INS", CORE(0xc7, all), FLOAT_INS }, \
	{ "VEC_INS", CORE(0xc7, packed), PACKED_INS }, \
	{ "PAPI_FP_INS", CORE(0xc7, all), FLOAT_INS }, \
	{ "PAPI_VEC_INS", CORE(0xc7, packed), PACKED_INS }

#define LDMS_XEON \
	EVENT_SET("TOT_CYC", "TOT_INS", "FP_INS", "VEC_INS", "L1_DCM", "TLB_DM")

#define FMA_TWICE \
	"counts multiply-add instructions twice, and no x87 (Intel, FP_ARITH_INST_RETIRED)"

/*
 * @retired: maximum number of instructions that retire per cycle; each micro-op may be a
 *	comparison and its branch
 * @issued: UOPS_ISSUED.ANY; at most eight are issued per cycle
 * @conditional: unit mask of conditional branches, BR_INST_RETIRED.CONDITIONAL or .COND
 */
#define SINCE_SNB_RELATIONS(family, retired, issued, conditional) \
	{ (family), "TOT_INS <= " retired " TOT_CYC", 64 }, \
	{ (family), issued " <= 8 TOT_CYC", 64 }, \
	{ (family), "event:0xc4 <= TOT_INS", 64 }, \
	/* Near branches: taken ones and mispredicted ones. */ \
	{ (family), "event:0xc4,umask:0x20 <= TOT_INS", 64 }, \
	{ (family), "event:0xc4,umask:0x20 <= event:0xc4", 64 }, \
	{ (family), "event:0xc4,umask:" conditional " <= event:0xc4", 64 }, \
	{ (family), "event:0xc5 <= event:0xc4", 64 }, \
	/* Architectural events: misses are a subset of the references. */ \
	{ (family), "event:0x2e,umask:0x41 <= event:0x2e,umask:0x4f + 256", 64 }, \
	/* Reference cycles count at the rate of the TSC, in steps of a bus clock. */ \
	{ (family), "event:0x00,umask:0x03 <= 1.1 tsc + 1000", 1 }

/* Since Skylake-SP, loads and stores are counted as instructions instead of micro-ops. */
#define SINCE_SKX_RELATIONS(family) \
	{ (family), "LOADS <= TOT_INS", 64 }, \
	{ (family), "STORES <= TOT_INS", 64 }

/* FP_ARITH_INST_RETIRED: packed instructions are a subset of all. */
#define PACKED(family) \
	{ (family), "VEC_INS <= FP_INS", 64 }

/*
 * CAS commands that read (@rd) and write (@wr), of all channels of the machine. With two home
 * agents, the channels are numbered 0, 1, 4 and 5.
 */
#define CAS_READS(event, rd)	"CAS_RD#=imc#:event:" event ",umask:" rd
#define CAS_WRITES(event, wr)	"CAS_WR#=imc#:event:" event ",umask:" wr

#define CAS_METERS(f, event, rd, wr) \
	{ "mem_bw", f, "rate(CAS_RD# + CAS_WR#) * 64", \
	  CAS_READS(event, rd) ";" CAS_WRITES(event, wr), "B/s", 0, true }, \
	{ "mem_read_bw", f, "rate(CAS_RD#) * 64", CAS_READS(event, rd), "B/s", 0, false }, \
	{ "mem_write_bw", f, "rate(CAS_WR#) * 64", CAS_WRITES(event, wr), "B/s", 0, false }, \
	{ "mem_write_share", f, "(CAS_WR#) / (CAS_RD# + CAS_WR#)", \
	  CAS_READS(event, rd) ";" CAS_WRITES(event, wr), "1", 6, false }

/*
 * Latency of reads in the queues of the memory controllers only, in cycles of the memory, and mean
 * number of reads that wait in the queue of a channel. @clock counts the cycles of a channel.
 */
#define RPQ_WAITING	"RPQ_OCC#=imc#:event:0x80"
#define RPQ_WAITED	"RPQ_INS#=imc#:event:0x10"
#define QUEUE_METERS(f, clock) \
	{ "mem_concurrency", f, "(RPQ_OCC#) / (DCLK#)", RPQ_WAITING ";DCLK#=" clock, \
	  "1", 6, false }, \
	{ "mem_latency", f, "(RPQ_OCC#) / (RPQ_INS#)", RPQ_WAITING ";" RPQ_WAITED, \
	  "cycles", 3, false }

/* Cycles of a channel: up to Broadwell-EP, a separate box counts them. */
#define CHANNEL_CLOCK	"imcclk#:event:0"

/*
 * Architectural events of a core, the same on all Intel processors.
 * @llc: known defect of the events of the L3, or NULL
 */
#define INTEL_SIGNALS(f, llc) \
	{ (f), SIGNAL_CYCLES, .event = "event:0x3c" }, \
	{ (f), SIGNAL_INSTRUCTIONS, .event = "event:0xc0" }, \
	{ (f), SIGNAL_REQUESTS, .event = "event:0x2e,umask:0x4f", .doubt = (llc) }, \
	{ (f), SIGNAL_MISSES, .event = "event:0x2e,umask:0x41", .doubt = (llc) }

/*
 * Memory channels (CAS_COUNT, PRE_COUNT.PAGE_MISS, RPQ_OCCUPANCY and RPQ_INSERTS). The latency is
 * only that in the queue of the controller. A line is a burst of eight: four cycles of a channel.
 * @queue: known defect of RPQ_OCCUPANCY, or NULL
 */
#define CHANNEL_SIGNALS(f, clock, queue) \
	{ (f), SIGNAL_READS, .event = CAS_READS("0x04", "0x03") }, \
	{ (f), SIGNAL_WRITES, .event = CAS_WRITES("0x04", "0x0c") }, \
	{ (f), SIGNAL_WAITING, .event = RPQ_WAITING, .doubt = (queue) }, \
	{ (f), SIGNAL_WAITED, .event = RPQ_WAITED }, \
	{ (f), SIGNAL_CONFLICTS, .event = "PAGE_MISS#=imc#:event:0x02,umask:0x01" }, \
	{ (f), SIGNAL_ROWS, .event = "CAS#=imc#:event:0x04,umask:0x0f" }, \
	{ (f), SIGNAL_BUSY, .like = SIGNAL_LINES, .weight = 4 }, \
	{ (f), SIGNAL_CLOCKS, .event = "DCLK#=" clock }

/* Reads and writes that home agents receive from their own package, and from others (REQUESTS). */
#define HOME_SIGNALS(f) \
	{ (f), SIGNAL_LOCAL, .event = "HOME_LOCAL#=ha#:event:0x01,umask:0x05" }, \
	{ (f), SIGNAL_REMOTE, .event = "HOME_REMOTE#=ha#:event:0x01,umask:0x0a", .at_home = true }

/* Lines that another core modified take about 60 cycles in the same package, 200 from another. */
#define NEAR_COST	0.6
#define FAR_COST	2

/* Intel documents the event for Sandy Bridge-EP and Skylake-SP, but not for those between. */
#define NO_OCCUPANCY \
	"the latency is by an event of the memory channels, 80h, that Intel's lists do not have (events of IVT, HSX and BDX)"

#define NO_FAR_LINES	"modified lines of other packages are not counted "

#endif
