// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * amd_f15h.c - AMD Family 15h: names of events, known defects, relations, meters.
 *
 * Events: AMD 42301; those of the northbridge are in section 3.24. Limits per cycle: AMD 47414
 * (Software Optimization Guide). Memory concurrency follows from Little's law: the mean number of
 * requests in flight is the sum of their latencies over the elapsed cycles (RCRTool Design
 * Document, section 6.2).
 */
#include "amd.h"

#define FAM15H	"AMD Fam15h"

#define NB(e, u)	{ .unit = "nb", .event = (e), .umask = (u) }
#define NB_NODES(e, u)	{ .unit = "nb", .event = (e), .umask = (u), .per_node = true }

/*
 * Table I's events of the northbridge, and the rest of the sampler's dictionary. In
 * the unit mask of NB_NODES() each bit selects a node, and the bit of the counting
 * node is inverted (per_node): 0x00 selects only that node, 0x0f all other nodes of a
 * machine of four.
 */
#define NORTHBRIDGE \
	{ "L3_CACHE_MISSES", NB(0x4e1, 0xf7), "L3 cache misses" }, \
	{ "DCT_PREFETCH", NB(0x1f0, 0x64), "memory prefetch requests" }, \
	{ "DCT_RD_TOT", NB(0x1f0, 0x62), "memory read requests, including prefetches" }, \
	{ "DCT_WRT", NB(0x1f0, 0x19), "memory write requests" }, \
	{ "RW_DRAM_INT", NB_NODES(0x1e0, 0x00), "accesses of cores to the node's own memory" }, \
	{ "RW_DRAM_EXT", NB_NODES(0x1e0, 0x0f), "accesses of cores to other nodes' memory" }, \
	{ "IO_DRAM_INT", NB_NODES(0x1e1, 0x00), "accesses of devices to the node's own memory" }, \
	{ "IO_DRAM_EXT", NB_NODES(0x1e1, 0x0f), "accesses of devices to other nodes' memory" }

const struct own_name own_uncore[] = {
	NORTHBRIDGE,
	{ }
};

static const struct own_name fam15h_names[] = {
	NORTHBRIDGE,
	AMD_BRANCHES,
	AMD_CACHES,
	{ "TOT_CYC", CORE(0x076, 0x00), CYCLES },
	{ "TOT_INS", CORE(0x0c0, 0x00), INSTRUCTIONS },
	{ "RETIRED_FLOPS", CORE(0x003, 0xff), FLOPS },
	{ "DP_OPS", CORE(0x003, 0xf0), "double precision floating-point operations retired" },
	{ "VEC_INS", CORE(0x0cb, 0x04), VECTOR },
	{ "L1_DCM", CORE(0x041, 0x01), "L1 data cache misses" },
	{ "L1_DCA", CORE(0x040, 0x00), "L1 data cache accesses" },
	{ "L2_DCM", CORE(0x043, 0x00), "data cache refills from beyond the L2 cache" },
	{ "TLB_DM", CORE(0x046, 0x07), "data misses of the unified TLB" },
	{ "LS_DISP", CORE(0x029, 0x07), "loads and stores dispatched" },
	{ "PAPI_TOT_CYC", CORE(0x076, 0x00), CYCLES },
	{ "PAPI_TOT_INS", CORE(0x0c0, 0x00), INSTRUCTIONS },
	{ "PAPI_FP_OPS", CORE(0x003, 0xff), FLOPS },
	{ "PAPI_VEC_INS", CORE(0x0cb, 0x04), VECTOR },
	{ "PAPI_L1_DCM", CORE(0x041, 0x01), "L1 data cache misses" },
	{ "PAPI_LL_DCM", CORE(0x041, 0x01), "L1 data cache misses" },
	{ "PAPI_TLB_DM", CORE(0x046, 0x07), "data misses of the unified TLB" },
	{ "PAPI_TLB_IM", CORE(0x046, 0x70), "instruction misses of the unified TLB" },
	{ }
};

static const struct family_names names[] = {
	{ FAM15H, "", fam15h_names,
	  EVENT_SET("TOT_CYC", "TOT_INS", "RETIRED_FLOPS", "VEC_INS", "L1_DCM", "TLB_DM",
		    "L3_CACHE_MISSES", "DCT_PREFETCH", "DCT_RD_TOT", "DCT_WRT"),
	  EVENT_SET("TOT_CYC", "TOT_INS", "RETIRED_FLOPS", "VEC_INS", "L1_DCM", "TLB_DM") },
	{ }
};

static const struct pfm_name cores[] = {
	{ "amd64_fam15h", FAM15H },
	{ }
};

static const struct known_defect defects[] = {
	{ FAM15H, 0x003, ANY_UMASK, NO_X87 "(AMD 42301, PMCx003)" },
	{ FAM15H, 0x0cb, 0x04, SCALAR "(AMD 42301, PMCx0CB)" },
	{ FAM15H, 0x041, 0x01,
	  "counts the first miss to a line only, and streaming stores, too (AMD 42301, PMCx041)" },
	{ }
};

static const struct known_relation relations[] = {
	/* At most four macro-ops retire per cycle; each may be a comparison and its branch. */
	{ FAM15H, "TOT_INS <= 8 TOT_CYC", 16 },
	/* Two pipes of 128 bits, multiplying and adding; 128 macro-ops in flight. */
	{ FAM15H, "RETIRED_FLOPS <= 16 TOT_CYC + 1024", 32 },
	{ FAM15H, "DP_OPS <= 8 TOT_CYC + 512", 32 },
	{ FAM15H, "VEC_INS <= TOT_INS", 16 },
	{ FAM15H, "event:0xc2 <= TOT_INS", 16 },
	AMD_BRANCH_RELATIONS(FAM15H),
	/* Includes streaming stores; an access that crosses a line is two misses. */
	{ FAM15H, "L1_DCM <= 2 LS_DISP + 256", 16 },
	{ FAM15H, "event:0x7e,umask:0x01 <= event:0x7d,umask:0x01 + 256", 16 },
	{ FAM15H, "L3_CACHE_MISSES <= nb:event:0x4e0,umask:0xf7 + 1024", 32 },
	{ FAM15H, "DCT_PREFETCH <= DCT_RD_TOT", 32 },
	{ }
};

/* Lines of 64 bytes that the northbridge's DRAM controllers read and write. */
#define FAM15H_READS	"DCT_RD_TOT=nb:event:0x1f0,umask:0x62"
#define FAM15H_WRITES	"DCT_WRT=nb:event:0x1f0,umask:0x19"

/* Requests of a node's cores and devices to memory of the same node, and of others. */
#define FAM15H_SHARES \
	"RW_DRAM_INT=nb:event:0x1e0,umask:0x00,pernode;" \
	"RW_DRAM_EXT=nb:event:0x1e0,umask:0x0f,pernode;" \
	"IO_DRAM_INT=nb:event:0x1e1,umask:0x00,pernode;" \
	"IO_DRAM_EXT=nb:event:0x1e1,umask:0x0f,pernode"
#define FAM15H_ALL	"(RW_DRAM_INT + RW_DRAM_EXT + IO_DRAM_INT + IO_DRAM_EXT)"

static const struct catalogue_row meters[] = {
	{ "flop_rate", FAM15H, "rate(RETIRED_FLOPS)", "RETIRED_FLOPS=event:0x03,umask:0xff",
	  "flop/s", 0, false },
	{ "l2_miss_ratio", FAM15H, "L2_DCM / L1_DCM",
	  "L2_DCM=event:0x43;L1_DCM=event:0x41,umask:0x01", "1", 6, false },
	{ "l3_miss_ratio", FAM15H, "L3_CACHE_MISSES / L3_CACHE_REQUESTS",
	  "L3_CACHE_MISSES=nb:event:0x4e1,umask:0xf7;L3_CACHE_REQUESTS=nb:event:0x4e0,umask:0xf7",
	  "1", 6, false },
	{ "l3_to_l2_bw", FAM15H, "rate(L2_DCM) * 64", "L2_DCM=event:0x43", "B/s", 0, false },
	{ "mem_bw", FAM15H, "rate(DCT_RD_TOT + DCT_WRT) * 64", FAM15H_READS ";" FAM15H_WRITES,
	  "B/s", 0, true },
	{ "mem_read_bw", FAM15H, "rate(DCT_RD_TOT) * 64", FAM15H_READS, "B/s", 0, false },
	{ "mem_write_bw", FAM15H, "rate(DCT_WRT) * 64", FAM15H_WRITES, "B/s", 0, false },
	{ "mem_write_share", FAM15H, "DCT_WRT / (DCT_RD_TOT + DCT_WRT)",
	  FAM15H_READS ";" FAM15H_WRITES, "1", 6, false },
	{ "mem_local_share", FAM15H, "(RW_DRAM_INT + IO_DRAM_INT) / " FAM15H_ALL, FAM15H_SHARES,
	  "1", 6, false },
	{ "mem_remote_share", FAM15H, "(RW_DRAM_EXT + IO_DRAM_EXT) / " FAM15H_ALL, FAM15H_SHARES,
	  "1", 6, false },
	{ "mem_io_share", FAM15H, "(IO_DRAM_INT + IO_DRAM_EXT) / " FAM15H_ALL, FAM15H_SHARES,
	  "1", 6, false },
	{ "mem_concurrency", FAM15H, "rate(READ_LATENCY) / tsc_hz",
	  "READ_LATENCY=nb:event:0x1e2,umask:0xff", "1", 6, false },
	{ "mem_latency", FAM15H, "READ_LATENCY / READ_REQUESTS",
	  "READ_LATENCY=nb:event:0x1e2,umask:0xff;READ_REQUESTS=nb:event:0x1e3,umask:0xff",
	  "cycles", 3, false },
	{ }
};

/* PMCx043, PMCx06C, PMCx076, PMCx0C0; the northbridge's in section 3.24. */
static const struct signal_row signals[] = {
	{ FAM15H, SIGNAL_CYCLES, .event = "event:0x76" },
	{ FAM15H, SIGNAL_INSTRUCTIONS, .event = "event:0xc0" },
	{ FAM15H, SIGNAL_REQUESTS, .event = "event:0x43" },
	{ FAM15H, SIGNAL_MODIFIED, .event = "event:0x6c,umask:0x2a" },
	{ FAM15H, SIGNAL_MISSES, .event = "nb:event:0x4e1,umask:0xf7" },
	{ FAM15H, SIGNAL_READS, .event = "nb:event:0x1f0,umask:0x62" },
	{ FAM15H, SIGNAL_WRITES, .event = "nb:event:0x1f0,umask:0x19" },
	{ FAM15H, SIGNAL_WAITING, .event = "nb:event:0x1e2,umask:0xff" },
	{ FAM15H, SIGNAL_WAITED, .event = "nb:event:0x1e3,umask:0xff" },
	{ FAM15H, SIGNAL_CONFLICTS, .event = "nb:event:0xe0,umask:0x24" },
	{ FAM15H, SIGNAL_ROWS, .event = "nb:event:0xe0,umask:0x3f" },
	{ FAM15H, SIGNAL_LOCAL, .event = "nb:event:0x1e0,umask:0x00,pernode" },
	{ FAM15H, SIGNAL_REMOTE, .event = "nb:event:0x1e0,umask:0x0f,pernode" },
	{ FAM15H, SIGNAL_DEVICES, .event = "nb:event:0x1e1,umask:0x00,pernode" },
	{ FAM15H, SIGNAL_UNDER_WAY, .like = SIGNAL_WAITING },
	{ }
};

const struct event_table events_amd_f15h = {
	.names = names,
	.cores = cores,
	.defects = defects,
	.relations = relations,
	.meters = meters,
	.signals = signals,
};
