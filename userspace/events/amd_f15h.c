// SPDX-License-Identifier: GPL-2.0-only
/*
 * amd_f15h.c - meters of AMD's families 10h and 15h.
 *
 * Events: AMD 31116 (Family 10h), 42301 (Family 15h, with its northbridge). Memory
 * concurrency is by Little's law: the requests in flight are the cycles of latency that
 * are counted in a cycle (RCRTool Design Document, section 6.2).
 */
#include "rows.h"

#define F10H	"AMD Fam10h"
#define F15H	"AMD Fam15h"

/* Lines of 64 bytes that the northbridge's DRAM controllers read and write. */
#define F15H_READS	"DCT_RD_TOT=nb:event:0x1f0,umask:0x62"
#define F15H_WRITES	"DCT_WRT=nb:event:0x1f0,umask:0x19"

/* Requests of a node's cores and devices to memory of the same node, and of others. */
#define F15H_SHARES \
	"RW_DRAM_INT=nb:event:0x1e0,umask:0x00,pernode;" \
	"RW_DRAM_EXT=nb:event:0x1e0,umask:0x0f,pernode;" \
	"IO_DRAM_INT=nb:event:0x1e1,umask:0x00,pernode;" \
	"IO_DRAM_EXT=nb:event:0x1e1,umask:0x0f,pernode"
#define F15H_ALL	"(RW_DRAM_INT + RW_DRAM_EXT + IO_DRAM_INT + IO_DRAM_EXT)"

const struct catalogue_row catalogue_amd_f15h[] = {
	{ "flop_rate", F10H, "rate(RETIRED_FLOPS)", "RETIRED_FLOPS=event:0x03,umask:0x7f",
	  "flop/s", 0, false },
	/* DRAM accesses of both controllers, which each core of a node counts for all of it */
	{ "mem_bw_node", F10H, "mean(rate(DRAM_ACCESSES)) * 64",
	  "DRAM_ACCESSES=event:0xe0,umask:0x3f", "B/s", 0, false },

	{ "flop_rate", F15H, "rate(RETIRED_FLOPS)", "RETIRED_FLOPS=event:0x03,umask:0xff",
	  "flop/s", 0, false },
	{ "l2_miss_ratio", F15H, "L2_DCM / L1_DCM",
	  "L2_DCM=event:0x43;L1_DCM=event:0x41,umask:0x01", "1", 6, false },
	{ "l3_miss_ratio", F15H, "L3_CACHE_MISSES / L3_CACHE_REQUESTS",
	  "L3_CACHE_MISSES=nb:event:0x4e1,umask:0xf7;L3_CACHE_REQUESTS=nb:event:0x4e0,umask:0xf7",
	  "1", 6, false },
	{ "l3_to_l2_bw", F15H, "rate(L2_DCM) * 64", "L2_DCM=event:0x43", "B/s", 0, false },
	{ "mem_bw", F15H, "rate(DCT_RD_TOT + DCT_WRT) * 64", F15H_READS ";" F15H_WRITES,
	  "B/s", 0, true },
	{ "mem_read_bw", F15H, "rate(DCT_RD_TOT) * 64", F15H_READS, "B/s", 0, false },
	{ "mem_write_bw", F15H, "rate(DCT_WRT) * 64", F15H_WRITES, "B/s", 0, false },
	{ "mem_write_share", F15H, "DCT_WRT / (DCT_RD_TOT + DCT_WRT)",
	  F15H_READS ";" F15H_WRITES, "1", 6, false },
	{ "mem_local_share", F15H, "(RW_DRAM_INT + IO_DRAM_INT) / " F15H_ALL, F15H_SHARES,
	  "1", 6, false },
	{ "mem_remote_share", F15H, "(RW_DRAM_EXT + IO_DRAM_EXT) / " F15H_ALL, F15H_SHARES,
	  "1", 6, false },
	{ "mem_io_share", F15H, "(IO_DRAM_INT + IO_DRAM_EXT) / " F15H_ALL, F15H_SHARES,
	  "1", 6, false },
	{ "mem_concurrency", F15H, "rate(READ_LATENCY) / tsc_hz",
	  "READ_LATENCY=nb:event:0x1e2,umask:0xff", "1", 6, false },
	{ "mem_latency", F15H, "READ_LATENCY / READ_REQUESTS",
	  "READ_LATENCY=nb:event:0x1e2,umask:0xff;READ_REQUESTS=nb:event:0x1e3,umask:0xff",
	  "cycles", 3, false },
};

const unsigned int catalogue_amd_f15h_count = ARRAY_SIZE(catalogue_amd_f15h);
