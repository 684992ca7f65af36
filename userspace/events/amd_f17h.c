// SPDX-License-Identifier: GPL-2.0-only
/*
 * amd_zen.c - meters of AMD's Zen families.
 *
 * Events: AMD 54945 and 55803 (Zen 1 and Zen 2), 55898 (Zen 3), 55901 (Zen 4), 57238 (Zen 5).
 */
#include "rows.h"

#define ZEN	"AMD Fam17h"
#define ZEN3	"AMD Fam19h"
#define ZEN4	"AMD PerfMonV2"

/* Models 00h to 2Fh, and others, by libpfm4's names of their cores */
#define ZEN1	ZEN " amd64_fam17h_zen1"
#define ZEN2	ZEN " amd64_fam17h_zen2"

/*
 * @mask: operations that event 003h counts. On Zen 1 bits 7:4 are those in double precision,
 * from Zen 2 on bits 3:0 are of both precisions (fp_ret_sse_avx_ops.all in Linux's
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
 * Requests with 64 bytes of data, read or written, of each channel of memory that the data
 * fabric has (dram_channel_data_controller_N in Linux's pmu-events/arch/x86/amdzen1 and on). A
 * die of Zen 1 has two channels; Zen 2 and 3 have up to eight for four counters, so that a sum
 * of all cannot be counted, and what is counted says which they are.
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

const struct catalogue_row catalogue_amd_zen[] = {
	FLOP_RATE(ZEN1, "0xff"),
	FLOP_RATE(ZEN2, "0x0f"),
	CACHE_METERS(ZEN, "0x06", "0xc8"),
	DF_BW_ALL(ZEN1),
	DF_BW_PARTS(ZEN2),
	FLOP_RATE(ZEN3, "0x0f"),
	CACHE_METERS(ZEN3, "0x04", "0xe8"),
	DF_BW_PARTS(ZEN3),
	FLOP_RATE(ZEN4, "0x0f"),
	CACHE_METERS(ZEN4, "0x04", "0xe8"),
	UMC_METERS(ZEN4),
};

const unsigned int catalogue_amd_zen_count = ARRAY_SIZE(catalogue_amd_zen);
