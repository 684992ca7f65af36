// SPDX-License-Identifier: GPL-2.0-only
/*
 * catalogue.c - the meters that come with the module, as data: what each family's
 * counters say of a resource.
 *
 * Formulas: RCRTool Design Document, sections 6.1 (the cycles that a miss takes
 * on a Core i7 are from there) and 6.2. Memory concurrency is by Little's law: as many
 * requests are under way as there are cycles of latency in a cycle. Events:
 * AMD 42301 (Family 15h, northbridge), 54945 and 55803 (Zen 1, Zen 2), 55898 (Zen
 * 3), 55901 (Zen 4); Intel SDM volume 3B and the uncore guides of Nehalem (SDM
 * 3B, "Uncore performance events"), 327043 (Sandy Bridge-EP), 329468, 331051, 336274.
 */
#include <linux/kernel.h>
#include <linux/rcrboard.h>
#include <linux/string.h>

#include "catalogue.h"

#define AMD_CYCLES	"TOT_CYC=event:0x76"
#define INTEL_CYCLES	"TOT_CYC=event:0x3c"
#define INSTRUCTIONS	"TOT_INS=event:0xc0"

#define F15H	"AMD Fam15h"
#define ZEN	"AMD Fam17h"
#define ZEN3	"AMD Fam19h"
#define ZEN4	"AMD PerfMonV2"
#define NEHALEM	"Intel Nehalem"
#define SNB	"Intel Sandy Bridge"
#define IVB	"Intel Ivy Bridge"
#define HSW	"Intel Haswell"
#define BDW	"Intel Broadwell"
#define SKX	"Intel Skylake-SP"

/* Lines that the northbridge's controllers read and write, 64 bytes each. */
#define F15H_READS	"DCT_RD_TOT=nb:event:0x1f0,umask:0x62"
#define F15H_WRITES	"DCT_WRT=nb:event:0x1f0,umask:0x19"

/* Whose memory the cores and devices of a node use: its own, or another's. */
#define F15H_SHARES \
	"RW_DRAM_INT=nb:event:0x1e0,umask:0x00,pernode;" \
	"RW_DRAM_EXT=nb:event:0x1e0,umask:0x0f,pernode;" \
	"IO_DRAM_INT=nb:event:0x1e1,umask:0x00,pernode;" \
	"IO_DRAM_EXT=nb:event:0x1e1,umask:0x0f,pernode"
#define F15H_ALL	"(RW_DRAM_INT + RW_DRAM_EXT + IO_DRAM_INT + IO_DRAM_EXT)"

#define APERF_MPERF	"APERF=register:aperf;MPERF=register:mperf"

/*
 * CAS commands, 03h reads and 0ch writes: of the four channels of an -EP, of the six
 * of a Skylake-SP. (An -EX has eight: more than a set has counters for beside others.)
 */
#define CAS_READS4 \
	"CAS_RD0=imc0:event:0x04,umask:0x03;CAS_RD1=imc1:event:0x04,umask:0x03;" \
	"CAS_RD2=imc2:event:0x04,umask:0x03;CAS_RD3=imc3:event:0x04,umask:0x03"
#define CAS_WRITES4 \
	"CAS_WR0=imc0:event:0x04,umask:0x0c;CAS_WR1=imc1:event:0x04,umask:0x0c;" \
	"CAS_WR2=imc2:event:0x04,umask:0x0c;CAS_WR3=imc3:event:0x04,umask:0x0c"
#define CAS_READ_SUM4	"CAS_RD0 + CAS_RD1 + CAS_RD2 + CAS_RD3"
#define CAS_WRITE_SUM4	"CAS_WR0 + CAS_WR1 + CAS_WR2 + CAS_WR3"

#define CAS_READS6 CAS_READS4 \
	";CAS_RD4=imc4:event:0x04,umask:0x03;CAS_RD5=imc5:event:0x04,umask:0x03"
#define CAS_WRITES6 CAS_WRITES4 \
	";CAS_WR4=imc4:event:0x04,umask:0x0c;CAS_WR5=imc5:event:0x04,umask:0x0c"
#define CAS_READ_SUM6	CAS_READ_SUM4 " + CAS_RD4 + CAS_RD5"
#define CAS_WRITE_SUM6	CAS_WRITE_SUM4 " + CAS_WR4 + CAS_WR5"

#define CAS_METERS(f, n) \
	{ "mem_bw", f, "rate(" CAS_READ_SUM##n " + " CAS_WRITE_SUM##n ") * 64", \
	  CAS_READS##n ";" CAS_WRITES##n, "B/s", 0, RCR_METER_PUBLIC }, \
	{ "mem_read_bw", f, "rate(" CAS_READ_SUM##n ") * 64", CAS_READS##n, "B/s", 0, 0 }, \
	{ "mem_write_bw", f, "rate(" CAS_WRITE_SUM##n ") * 64", CAS_WRITES##n, "B/s", 0, 0 }, \
	{ "mem_write_share", f, \
	  "(" CAS_WRITE_SUM##n ") / (" CAS_READ_SUM##n " + " CAS_WRITE_SUM##n ")", \
	  CAS_READS##n ";" CAS_WRITES##n, "1", 6, 0 }

#define ZEN_METERS(f, flops, l3_miss) \
	{ "flop_rate", f, "rate(RETIRED_FLOPS)", "RETIRED_FLOPS=event:0x03,umask:" flops, \
	  "flop/s", 0, 0 }, \
	{ "l2_miss_ratio", f, "L2_DCM / L1_DCM", \
	  "L2_DCM=event:0x64,umask:0x08;L1_DCM=event:0x60,umask:0xc8", "1", 6, 0 }, \
	{ "l3_miss_ratio", f, "L3_CACHE_MISSES / L3_CACHE_ACCESSES", \
	  "L3_CACHE_MISSES=l3:event:" l3_miss ",umask:0x01;" \
	  "L3_CACHE_ACCESSES=l3:event:0x04,umask:0xff", "1", 6, 0 }, \
	{ "l3_to_l2_bw", f, "rate(L2_DCM) * 64", "L2_DCM=event:0x64,umask:0x08", "B/s", 0, 0 }, \
	{ "l3_fill_bw", f, "rate(L3_CACHE_MISSES) * 64", \
	  "L3_CACHE_MISSES=l3:event:" l3_miss ",umask:0x01", "B/s", 0, 0 }

static const struct rcr_catalogued catalogue[] = {
	{ "cpi", "AMD", "TOT_CYC / TOT_INS", AMD_CYCLES ";" INSTRUCTIONS, "1", 6, 0 },
	{ "cpi", "Intel", "TOT_CYC / TOT_INS", INTEL_CYCLES ";" INSTRUCTIONS, "1", 6, 0 },
	{ "ipc", "AMD", "TOT_INS / TOT_CYC", AMD_CYCLES ";" INSTRUCTIONS, "1", 6, 0 },
	{ "ipc", "Intel", "TOT_INS / TOT_CYC", INTEL_CYCLES ";" INSTRUCTIONS, "1", 6, 0 },
	{ "frequency", "AMD", "tsc_hz * APERF / MPERF", APERF_MPERF, "Hz", 0, 0 },
	{ "frequency", "Intel", "tsc_hz * APERF / MPERF", APERF_MPERF, "Hz", 0, 0 },
	{ "frequency", "Intel", "tsc_hz * TOT_CYC / REF_CYC",
	  INTEL_CYCLES ";REF_CYC=event:0x00,umask:0x03", "Hz", 0, 0 },

	{ "flop_rate", "AMD Fam10h", "rate(RETIRED_FLOPS)", "RETIRED_FLOPS=event:0x03,umask:0x7f",
	  "flop/s", 0, 0 },
	{ "flop_rate", F15H, "rate(RETIRED_FLOPS)", "RETIRED_FLOPS=event:0x03,umask:0xff",
	  "flop/s", 0, 0 },
	{ "l2_miss_ratio", F15H, "L2_DCM / L1_DCM",
	  "L2_DCM=event:0x43;L1_DCM=event:0x41,umask:0x01", "1", 6, 0 },
	{ "l3_miss_ratio", F15H, "L3_CACHE_MISSES / L3_CACHE_REQUESTS",
	  "L3_CACHE_MISSES=nb:event:0x4e1,umask:0xf7;L3_CACHE_REQUESTS=nb:event:0x4e0,umask:0xf7",
	  "1", 6, 0 },
	{ "l3_to_l2_bw", F15H, "rate(L2_DCM) * 64", "L2_DCM=event:0x43", "B/s", 0, 0 },
	{ "mem_bw", F15H, "rate(DCT_RD_TOT + DCT_WRT) * 64", F15H_READS ";" F15H_WRITES,
	  "B/s", 0, RCR_METER_PUBLIC },
	{ "mem_read_bw", F15H, "rate(DCT_RD_TOT) * 64", F15H_READS, "B/s", 0, 0 },
	{ "mem_write_bw", F15H, "rate(DCT_WRT) * 64", F15H_WRITES, "B/s", 0, 0 },
	{ "mem_write_share", F15H, "DCT_WRT / (DCT_RD_TOT + DCT_WRT)",
	  F15H_READS ";" F15H_WRITES, "1", 6, 0 },
	{ "mem_local_share", F15H, "(RW_DRAM_INT + IO_DRAM_INT) / " F15H_ALL, F15H_SHARES,
	  "1", 6, 0 },
	{ "mem_remote_share", F15H, "(RW_DRAM_EXT + IO_DRAM_EXT) / " F15H_ALL, F15H_SHARES,
	  "1", 6, 0 },
	{ "mem_io_share", F15H, "(IO_DRAM_INT + IO_DRAM_EXT) / " F15H_ALL, F15H_SHARES,
	  "1", 6, 0 },
	{ "mem_concurrency", F15H, "rate(READ_LATENCY) / tsc_hz",
	  "READ_LATENCY=nb:event:0x1e2,umask:0xff", "1", 6, 0 },
	{ "mem_latency", F15H, "READ_LATENCY / READ_REQUESTS",
	  "READ_LATENCY=nb:event:0x1e2,umask:0xff;READ_REQUESTS=nb:event:0x1e3,umask:0xff",
	  "cycles", 3, 0 },

	ZEN_METERS(ZEN, "0x0f", "0x06"),
	ZEN_METERS(ZEN3, "0x0f", "0x04"),
	ZEN_METERS(ZEN4, "0x0f", "0x04"),

	{ "flop_rate", NEHALEM, "rate(FP_OPS)", "FP_OPS=event:0x10,umask:0x05", "flop/s", 0, 0 },
	{ "l2_miss_ratio", NEHALEM, "L2_LINES_IN / L1_DCM",
	  "L2_LINES_IN=event:0xf1,umask:0x07;L1_DCM=event:0x51,umask:0x01", "1", 6, 0 },
	{ "l2_miss_cycle_ratio", NEHALEM,
	  "(L2_HIT_HITM * 74 + LLC_UNSHARED_HIT * 35) / TOT_CYC",
	  "L2_HIT_HITM=event:0xcb,umask:0x08;LLC_UNSHARED_HIT=event:0xcb,umask:0x04;" INTEL_CYCLES,
	  "1", 6, 0 },
	{ "l3_miss_cycle_ratio", NEHALEM, "LLC_MISS * 180 / TOT_CYC",
	  "LLC_MISS=event:0xcb,umask:0x10;" INTEL_CYCLES, "1", 6, 0 },
	{ "l3_to_l2_bw", NEHALEM, "rate(L2_LINES_IN) * 64", "L2_LINES_IN=event:0xf1,umask:0x07",
	  "B/s", 0, 0 },
	{ "mem_bw", NEHALEM, "rate(UNC_LLC_LINES_IN) * 64",
	  "UNC_LLC_LINES_IN=uncore:event:0x0a,umask:0x0f", "B/s", 0, RCR_METER_PUBLIC },
	{ "l3_miss_ratio", "Intel", "LLC_MISSES / LLC_REFERENCES",
	  "LLC_MISSES=event:0x2e,umask:0x41;LLC_REFERENCES=event:0x2e,umask:0x4f", "1", 6, 0 },

	CAS_METERS(SNB, 4),
	CAS_METERS(IVB, 4),
	CAS_METERS(HSW, 4),
	CAS_METERS(BDW, 4),
	CAS_METERS(SKX, 6),

	{ "energy_pkg", NULL, "ENERGY_PKG / 1e9", "ENERGY_PKG=register:energy-pkg", "J", 6, 0 },
	{ "energy_cores", NULL, "ENERGY_CORES / 1e9", "ENERGY_CORES=register:energy-cores",
	  "J", 6, 0 },
	{ "energy_cores", NULL, "ENERGY_CORE / 1e9", "ENERGY_CORE=register:energy-core",
	  "J", 6, 0 },
	{ "energy_dram", NULL, "ENERGY_RAM / 1e9", "ENERGY_RAM=register:energy-ram", "J", 6, 0 },
	{ "power_pkg", NULL, "rate(ENERGY_PKG) / 1e9", "ENERGY_PKG=register:energy-pkg", "W", 6, 0 },
	{ "power_cores", NULL, "rate(ENERGY_CORES) / 1e9", "ENERGY_CORES=register:energy-cores",
	  "W", 6, 0 },
	{ "power_cores", NULL, "rate(ENERGY_CORE) / 1e9", "ENERGY_CORE=register:energy-core",
	  "W", 6, 0 },
	{ "power_dram", NULL, "rate(ENERGY_RAM) / 1e9", "ENERGY_RAM=register:energy-ram", "W", 6, 0 },
	{ "temp_core", "Intel", "max(TEMP_CORE) / 1000", "TEMP_CORE=register:temp-core", "degC", 3, 0 },
	{ "temp_pkg", "Intel", "max(TEMP_PKG) / 1000", "TEMP_PKG=register:temp-pkg", "degC", 3, 0 },

	{ "net_rx", NULL, "rate(net_rx_bytes)", NULL, "B/s", 0, 0 },
	{ "net_tx", NULL, "rate(net_tx_bytes)", NULL, "B/s", 0, 0 },
	{ "net_dropped", NULL, "rate(net_dropped)", NULL, "1/s", 3, 0 },
	{ "sampler_cost", NULL, "rate(sampler_cycles) / tsc_hz * 1e6 / cpus", NULL, "ppm", 3, 0 },
	{ "meter_cost", NULL, "rate(meter_cycles) / tsc_hz * 1e6", NULL, "ppm", 3, 0 },
};

static bool is_for(const struct rcr_catalogued *c, const char *family)
{
	return !c->family || !strncmp(c->family, family, strlen(c->family));
}

/**
 * rcr_catalogue_next() - walks through what a family can tell
 * @before: what came last; NULL: nothing
 * @family: its name; "" for none
 *
 * Return: the next; NULL at the end.
 */
const struct rcr_catalogued *rcr_catalogue_next(const struct rcr_catalogued *before,
						const char *family)
{
	const struct rcr_catalogued *c = before ? before + 1 : catalogue;

	for (; c < catalogue + ARRAY_SIZE(catalogue); c++)
		if (is_for(c, family))
			return c;
	return NULL;
}
