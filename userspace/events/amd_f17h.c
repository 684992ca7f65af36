// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * amd_f17h.c - AMD Families 17h and 19h (Zen): names of events, known defects, relations, meters.
 *
 * Events: AMD 54945 (Family 17h Models 00h-2Fh: Zen 1), 55803 and 56255 (Zen 2), 55898 (Zen 3),
 * 55901 (Zen 4), 57238 (Zen 5). Limits per cycle: AMD 56665 (Software Optimization Guide).
 */
#include "amd.h"

#define FAM17H	"AMD Fam17h"
#define FAM19H	"AMD Fam19h"
#define V2	"AMD PerfMonV2"

#define L3(e, u)	{ .unit = "l3", .event = (e), .umask = (u) }
#define L1_DEMAND	"L2 accesses for L1 data cache misses"

/* @l1: unit mask of L2 accesses from data cache misses, which has one more bit since Zen 3 */
#define ZEN_BOTH(l1) \
	AMD_BRANCHES, \
	{ "PAPI_L1_ICM", CORE(0x060, 0x10), "L2 accesses for instruction cache misses" }, \
	{ "PAPI_L2_DCM", CORE(0x064, 0x08), "L1 data cache misses that miss the L2 cache" }, \
	{ "PAPI_L2_ICM", CORE(0x064, 0x01), "instruction cache misses that miss the L2 cache" }, \
	{ "TOT_CYC", CORE(0x076, 0x00), CYCLES }, \
	{ "TOT_INS", CORE(0x0c0, 0x00), INSTRUCTIONS }, \
	{ "VEC_INS", CORE(0x0cb, 0x04), VECTOR }, \
	{ "L1_DCM", CORE(0x060, l1), L1_DEMAND }, \
	{ "L1_DCA", CORE(0x040, 0x00), "L1 data cache accesses" }, \
	{ "L2_DCM", CORE(0x064, 0x08), "L1 data cache misses that miss the L2 cache" }, \
	{ "TLB_DM", CORE(0x045, 0xf0), "data misses of the L2 TLB: page table walks" }, \
	{ "LS_DISP", CORE(0x029, 0x07), "loads and stores dispatched" }, \
	{ "PAPI_TOT_CYC", CORE(0x076, 0x00), CYCLES }, \
	{ "PAPI_TOT_INS", CORE(0x0c0, 0x00), INSTRUCTIONS }, \
	{ "PAPI_VEC_INS", CORE(0x0cb, 0x04), VECTOR }, \
	{ "PAPI_L1_DCM", CORE(0x060, l1), L1_DEMAND }, \
	{ "PAPI_LL_DCM", CORE(0x060, l1), L1_DEMAND }, \
	{ "PAPI_TLB_DM", CORE(0x045, 0xf0), "data misses of the L2 TLB: page table walks" }

/* Zen 3 and later have another event for L3 misses. */
#define ZEN_L3(e) \
	{ "L3_CACHE_MISSES", L3(e, 0x01), "L3 cache misses" }, \
	{ "L3_CACHE_ACCESSES", L3(0x04, 0xff), "L3 cache accesses" }

/* On Zen 1, bits 7:4 of event 003h select double precision; Zen 2 and later do not use them. */
static const struct own_name zen1_names[] = {
	ZEN_BOTH(0xc8),
	ZEN_L3(0x06),
	{ "RETIRED_FLOPS", CORE(0x003, 0xff), FLOPS },
	{ "DP_OPS", CORE(0x003, 0xf0), "double precision floating-point operations retired" },
	{ "PAPI_FP_OPS", CORE(0x003, 0xff), FLOPS },
	{ }
};

#define ZEN_FLOPS \
	{ "RETIRED_FLOPS", CORE(0x003, 0x0f), FLOPS }, \
	{ "PAPI_FP_OPS", CORE(0x003, 0x0f), FLOPS }

static const struct own_name zen2_names[] = {
	ZEN_BOTH(0xc8),
	ZEN_L3(0x06),
	ZEN_FLOPS,
	{ }
};

static const struct own_name zen_names[] = {
	ZEN_BOTH(0xe8),
	ZEN_L3(0x04),
	ZEN_FLOPS,
	{ }
};

#define LDMS_ZEN \
	EVENT_SET("TOT_CYC", "TOT_INS", "VEC_INS", "L1_DCM", "TLB_DM", "L3_CACHE_MISSES")
#define DEFAULT_ZEN	EVENT_SET("TOT_CYC", "TOT_INS", "VEC_INS", "L1_DCM", "TLB_DM")

static const struct family_names names[] = {
	{ FAM17H, "amd64_fam17h_zen1", zen1_names, LDMS_ZEN, DEFAULT_ZEN },
	{ FAM17H, "", zen2_names, LDMS_ZEN, DEFAULT_ZEN },
	{ FAM19H, "", zen_names, LDMS_ZEN, DEFAULT_ZEN },
	{ V2, "", zen_names, LDMS_ZEN, DEFAULT_ZEN },
	{ }
};

static const struct pfm_name cores[] = {
	{ "amd64_fam19h_zen4", V2 },
	{ "amd64_fam17h", FAM17H },
	{ "amd64_fam19h", FAM19H },
	{ }
};

static const struct known_defect defects[] = {
	{ FAM17H, 0x003, ANY_UMASK, NO_X87 "(AMD 54945, PMCx003)" },
	{ FAM17H, 0x0cb, 0x04, SCALAR "(AMD 54945, PMCx0CB)" },
	{ FAM19H, 0x003, ANY_UMASK, NO_X87 "(AMD 55898, PMCx003)" },
	{ FAM19H, 0x0cb, 0x04, SCALAR "(AMD 55898, PMCx0CB)" },
	{ V2, 0x003, ANY_UMASK, NO_X87 "(AMD 55901, PMCx003)" },
	{ V2, 0x0cb, 0x04, SCALAR "(AMD 55901, PMCx0CB)" },
	{ }
};

/*
 * Eight macro-ops retire per cycle, each of up to two instructions. Event 003h counts at most 96
 * per cycle: two multiply-adds and two additions of 512 bits each.
 */
#define ZEN_RELATIONS(family) \
	AMD_BRANCH_RELATIONS(family), \
	{ (family), "TOT_INS <= 16 TOT_CYC", 16 }, \
	{ (family), "RETIRED_FLOPS <= 96 TOT_CYC", 96 }, \
	{ (family), "VEC_INS <= TOT_INS", 16 }

static const struct known_relation relations[] = {
	ZEN_RELATIONS(FAM17H),
	ZEN_RELATIONS(FAM19H),
	ZEN_RELATIONS(V2),
	{ }
};

/* Models 00h to 2Fh, and all others, by libpfm4's names of their core PMUs */
#define ZEN1	FAM17H " amd64_fam17h_zen1"
#define ZEN2	FAM17H " amd64_fam17h_zen2"

/*
 * @mask: unit mask of event 003h that counts all operations. On Zen 1, bits 7:4 select double
 * precision; on Zen 2 and later, bits 3:0 cover both precisions (fp_ret_sse_avx_ops.all in Linux's
 * pmu-events/arch/x86/amdzen1 and amdzen2).
 */
#define FLOP_RATE(f, mask) \
	{ "flop_rate", f, "rate(RETIRED_FLOPS)", "RETIRED_FLOPS=event:0x03,umask:" mask, \
	  "flop/s", 0, false }

/*
 * @l3_miss: event select of the L3's misses
 * @l1_miss: unit mask of L2 accesses from data cache misses
 */
#define CACHE_METERS(f, l3_miss, l1_miss) \
	{ "l2_miss_ratio", f, "L2_DCM / L1_DCM", \
	  "L2_DCM=event:0x64,umask:0x08;L1_DCM=event:0x60,umask:" l1_miss, "1", 6, false }, \
	{ "l3_miss_ratio", f, "L3_CACHE_MISSES / L3_CACHE_ACCESSES", \
	  "L3_CACHE_MISSES=l3:event:" l3_miss ",umask:0x01;" \
	  "L3_CACHE_ACCESSES=l3:event:0x04,umask:0xff", "1", 6, false }, \
	{ "l3_to_l2_bw", f, "rate(L2_DCM) * 64", "L2_DCM=event:0x64,umask:0x08", \
	  "B/s", 0, false }, \
	{ "l3_fill_bw", f, "rate(L3_CACHE_MISSES) * 64", \
	  "L3_CACHE_MISSES=l3:event:" l3_miss ",umask:0x01", "B/s", 0, false }

/*
 * Reads and writes of 64 bytes, by channel of memory of the data fabric
 * (dram_channel_data_controller_N in Linux's pmu-events/arch/x86/amdzen1 and later). A die of Zen
 * 1 has two channels. Zen 2 and 3 have up to eight channels, but only four counters: a meter covers
 * at most four channels, whose numbers are in its name.
 */
#define CHANNEL(n, select)	"DRAM_CH" #n "=df:event:" select ",umask:0x38"

#define DF_BW_ALL(f) \
	{ "mem_bw", f, "rate(DRAM_CH0 + DRAM_CH1) * 64", \
	  CHANNEL(0, "0x07") ";" CHANNEL(1, "0x47"), "B/s", 0, true }
#define DF_BW_PARTS(f) \
	{ "mem_bw_ch0_3", f, "rate(DRAM_CH0 + DRAM_CH1 + DRAM_CH2 + DRAM_CH3) * 64", \
	  CHANNEL(0, "0x07") ";" CHANNEL(1, "0x47") ";" CHANNEL(2, "0x87") ";" CHANNEL(3, "0xc7"), \
	  "B/s", 0, false }, \
	{ "mem_bw_ch4_7", f, "rate(DRAM_CH4 + DRAM_CH5 + DRAM_CH6 + DRAM_CH7) * 64", \
	  CHANNEL(4, "0x107") ";" CHANNEL(5, "0x147") ";" CHANNEL(6, "0x187") ";" \
	  CHANNEL(7, "0x1c7"), "B/s", 0, false }

/* CAS commands of 64 bytes of each channel: RdWrMask 1 reads, 2 writes (umc_cas_cmd). */
#define UMC_ALL		"CAS#=umc#:event:0x0a"
#define UMC_READS	"CAS_RD#=umc#:event:0x0a,umask:0x01"
#define UMC_WRITES	"CAS_WR#=umc#:event:0x0a,umask:0x02"

#define UMC_METERS(f) \
	{ "mem_bw", f, "rate(CAS#) * 64", UMC_ALL, "B/s", 0, true }, \
	{ "mem_read_bw", f, "rate(CAS_RD#) * 64", UMC_READS, "B/s", 0, false }, \
	{ "mem_write_bw", f, "rate(CAS_WR#) * 64", UMC_WRITES, "B/s", 0, false }, \
	{ "mem_write_share", f, "(CAS_WR#) / (CAS#)", UMC_WRITES ";" UMC_ALL, "1", 6, false }

/* Sampled latency of reads from any node's memory, in tens of cycles (l3_read_miss_latency). */
#define SAMPLED_LATENCY(f) \
	{ "mem_latency", f, "DRAM_LATENCY * 10 / DRAM_READS", \
	  "DRAM_LATENCY=l3:event:0xac,umask:0x03;DRAM_READS=l3:event:0xad,umask:0x03", \
	  "cycles", 3, false }

static const struct catalogue_row meters[] = {
	FLOP_RATE(ZEN1, "0xff"),
	FLOP_RATE(ZEN2, "0x0f"),
	CACHE_METERS(FAM17H, "0x06", "0xc8"),
	DF_BW_ALL(ZEN1),
	DF_BW_PARTS(ZEN2),
	FLOP_RATE(FAM19H, "0x0f"),
	CACHE_METERS(FAM19H, "0x04", "0xe8"),
	DF_BW_PARTS(FAM19H),
	FLOP_RATE(V2, "0x0f"),
	CACHE_METERS(V2, "0x04", "0xe8"),
	UMC_METERS(V2),
	SAMPLED_LATENCY(V2),
	{ }
};

/*
 * PMCx044: fills of the data cache, from the core complex, the caches of others, or memory.
 * L3PMCx04. L3PMCxAC and L3PMCxAD: sampled reads, by source (01h: memory of the node, 02h: of other
 * nodes), in units of ten cycles. UMC events 00h, 06h, 0Ah and 14h: both halves of a channel share
 * its data bus (umc_data_bus_utilization in Linux's pmu-events/arch/x86/amdzen4).
 */
static const struct signal_row signals[] = {
	{ V2, SIGNAL_CYCLES, .event = "event:0x76" },
	{ V2, SIGNAL_INSTRUCTIONS, .event = "event:0xc0" },
	{ V2, SIGNAL_REQUESTS, .event = "event:0x44,umask:0xde" },
	{ V2, SIGNAL_MODIFIED, .event = "event:0x44,umask:0x14",
	  .doubt = "clean lines of other core complexes count, and own ones do not (AMD 55901)" },
	{ V2, SIGNAL_MISSES, .event = "l3:event:0x04,umask:0x01" },
	{ V2, SIGNAL_READS, .event = "CAS_RD#=umc#:event:0x0a,umask:0x01" },
	{ V2, SIGNAL_WRITES, .event = "CAS_WR#=umc#:event:0x0a,umask:0x02" },
	{ V2, SIGNAL_WAITING, .event = "l3:event:0xac,umask:0x03", .weight = 10 },
	{ V2, SIGNAL_WAITED, .event = "l3:event:0xad,umask:0x03" },
	{ V2, SIGNAL_CONFLICTS, .event = "PRECHARGE#=umc#:event:0x06" },
	{ V2, SIGNAL_ROWS, .event = "CAS#=umc#:event:0x0a" },
	{ V2, SIGNAL_LOCAL, .event = "l3:event:0xad,umask:0x01" },
	{ V2, SIGNAL_REMOTE, .event = "l3:event:0xad,umask:0x02" },
	{ V2, SIGNAL_BUSY, .event = "DATA_CLK#=umc#:event:0x14", .weight = 0.5 },
	{ V2, SIGNAL_CLOCKS, .event = "MEM_CLK#=umc#:event:0x00" },
	{ }
};

const struct event_table events_amd_f17h = {
	.names = names,
	.cores = cores,
	.defects = defects,
	.relations = relations,
	.meters = meters,
	.signals = signals,
};
