/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * quantity.h - what the module's meters claim to be, written down a second time: from
 * the design document (sections 6.1 and 6.2) and Documentation/meters.md, and as sums
 * of what the stream's counters counted.
 */
#ifndef RCR_GUEST_QUANTITY_H
#define RCR_GUEST_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define SIDE 8			/* terms above, and below */
#define TERMS (2 * SIDE)

enum sort {
	RATIO,		/* what is above by what is below */
	CLOCK,		/* the same, times the TSC's frequency */
	RATE,		/* what is above, in a second */
	UNDER_WAY,	/* what is above, in a cycle of the TSC */
	COUNT,		/* what is above */
	HOTTEST,	/* the highest of all CPUs' */
};

struct term {
	const char *counter;
	double times;
};

/**
 * struct quantity - of which meter, and how it comes out of counts
 * @name: the meter's; a test may call another one NAME.MORE
 * @sort: what is done with
 * @times: the result is times that
 * @above: the first counters
 * @below: the others
 */
struct quantity {
	const char *name;
	enum sort sort;
	double times;
	struct term above[SIDE + 1];
	struct term below[SIDE + 1];
};

#define LINE 64

/* Of several of a name that one is meant whose counters are all in the set. */
static const struct quantity quantities[] = {
	{ "cpi", RATIO, 1, { { "TOT_CYC", 1 } }, { { "TOT_INS", 1 } } },
	{ "ipc", RATIO, 1, { { "TOT_INS", 1 } }, { { "TOT_CYC", 1 } } },
	{ "cycles", COUNT, 1, { { "TOT_CYC", 1 } }, { { 0 } } },
	{ "ins_rate", RATE, 1, { { "TOT_INS", 1 } }, { { 0 } } },
	{ "frequency", CLOCK, 1, { { "APERF", 1 } }, { { "MPERF", 1 } } },
	{ "frequency", CLOCK, 1, { { "TOT_CYC", 1 } }, { { "REF_CYC", 1 } } },
	{ "flop_rate", RATE, 1, { { "RETIRED_FLOPS", 1 } }, { { 0 } } },
	{ "flop_rate", RATE, 1, { { "FP_OPS", 1 } }, { { 0 } } },
	{ "l2_miss_ratio", RATIO, 1, { { "L2_DCM", 1 } }, { { "L1_DCM", 1 } } },
	{ "l2_miss_ratio", RATIO, 1, { { "L2_LINES_IN", 1 } }, { { "L1_DCM", 1 } } },
	{ "l3_miss_ratio", RATIO, 1, { { "L3_CACHE_MISSES", 1 } }, { { "L3_CACHE_REQUESTS", 1 } } },
	{ "l3_miss_ratio", RATIO, 1, { { "L3_CACHE_MISSES", 1 } }, { { "L3_CACHE_ACCESSES", 1 } } },
	{ "l3_miss_ratio", RATIO, 1, { { "LLC_MISSES", 1 } }, { { "LLC_REFERENCES", 1 } } },
	/* Cycles of the latency of each kind of access, by all cycles. */
	{ "l2_miss_cycle_ratio", RATIO, 1,
	  { { "L2_HIT_HITM", 74 }, { "LLC_UNSHARED_HIT", 35 } }, { { "TOT_CYC", 1 } } },
	{ "l3_miss_cycle_ratio", RATIO, 1, { { "LLC_MISS", 180 } }, { { "TOT_CYC", 1 } } },
	{ "l3_to_l2_bw", RATE, LINE, { { "L2_DCM", 1 } }, { { 0 } } },
	{ "l3_to_l2_bw", RATE, LINE, { { "L2_LINES_IN", 1 } }, { { 0 } } },
	{ "l3_fill_bw", RATE, LINE, { { "L3_CACHE_MISSES", 1 } }, { { 0 } } },
	{ "mem_bw", RATE, LINE, { { "DCT_RD_TOT", 1 }, { "DCT_WRT", 1 } }, { { 0 } } },
	{ "mem_bw", RATE, LINE, { { "UNC_LLC_LINES_IN", 1 } }, { { 0 } } },
	{ "mem_bw", RATE, LINE,
	  { { "CAS_RD0", 1 }, { "CAS_RD1", 1 }, { "CAS_RD2", 1 }, { "CAS_RD3", 1 },
	    { "CAS_WR0", 1 }, { "CAS_WR1", 1 }, { "CAS_WR2", 1 }, { "CAS_WR3", 1 } }, { { 0 } } },
	{ "mem_read_bw", RATE, LINE, { { "DCT_RD_TOT", 1 } }, { { 0 } } },
	{ "mem_read_bw", RATE, LINE,
	  { { "CAS_RD0", 1 }, { "CAS_RD1", 1 }, { "CAS_RD2", 1 }, { "CAS_RD3", 1 } }, { { 0 } } },
	{ "mem_write_bw", RATE, LINE, { { "DCT_WRT", 1 } }, { { 0 } } },
	{ "mem_write_bw", RATE, LINE,
	  { { "CAS_WR0", 1 }, { "CAS_WR1", 1 }, { "CAS_WR2", 1 }, { "CAS_WR3", 1 } }, { { 0 } } },
	{ "mem_write_share", RATIO, 1, { { "DCT_WRT", 1 } },
	  { { "DCT_RD_TOT", 1 }, { "DCT_WRT", 1 } } },
	{ "mem_write_share", RATIO, 1,
	  { { "CAS_WR0", 1 }, { "CAS_WR1", 1 }, { "CAS_WR2", 1 }, { "CAS_WR3", 1 } },
	  { { "CAS_RD0", 1 }, { "CAS_RD1", 1 }, { "CAS_RD2", 1 }, { "CAS_RD3", 1 },
	    { "CAS_WR0", 1 }, { "CAS_WR1", 1 }, { "CAS_WR2", 1 }, { "CAS_WR3", 1 } } },
	{ "mem_local_share", RATIO, 1, { { "RW_DRAM_INT", 1 }, { "IO_DRAM_INT", 1 } },
	  { { "RW_DRAM_INT", 1 }, { "IO_DRAM_INT", 1 },
	    { "RW_DRAM_EXT", 1 }, { "IO_DRAM_EXT", 1 } } },
	{ "mem_remote_share", RATIO, 1, { { "RW_DRAM_EXT", 1 }, { "IO_DRAM_EXT", 1 } },
	  { { "RW_DRAM_INT", 1 }, { "IO_DRAM_INT", 1 },
	    { "RW_DRAM_EXT", 1 }, { "IO_DRAM_EXT", 1 } } },
	{ "mem_io_share", RATIO, 1, { { "IO_DRAM_INT", 1 }, { "IO_DRAM_EXT", 1 } },
	  { { "RW_DRAM_INT", 1 }, { "IO_DRAM_INT", 1 },
	    { "RW_DRAM_EXT", 1 }, { "IO_DRAM_EXT", 1 } } },
	{ "mem_concurrency", UNDER_WAY, 1, { { "READ_LATENCY", 1 } }, { { 0 } } },
	{ "mem_latency", RATIO, 1, { { "READ_LATENCY", 1 } }, { { "READ_REQUESTS", 1 } } },
	/* Energy is counted in nanojoules, temperature in thousandths of a degree. */
	{ "energy_pkg", COUNT, 1 / 1e9, { { "ENERGY_PKG", 1 } }, { { 0 } } },
	{ "energy_cores", COUNT, 1 / 1e9, { { "ENERGY_CORES", 1 } }, { { 0 } } },
	{ "energy_cores", COUNT, 1 / 1e9, { { "ENERGY_CORE", 1 } }, { { 0 } } },
	{ "energy_dram", COUNT, 1 / 1e9, { { "ENERGY_RAM", 1 } }, { { 0 } } },
	{ "power_pkg", RATE, 1 / 1e9, { { "ENERGY_PKG", 1 } }, { { 0 } } },
	{ "power_cores", RATE, 1 / 1e9, { { "ENERGY_CORES", 1 } }, { { 0 } } },
	{ "power_cores", RATE, 1 / 1e9, { { "ENERGY_CORE", 1 } }, { { 0 } } },
	{ "power_dram", RATE, 1 / 1e9, { { "ENERGY_RAM", 1 } }, { { 0 } } },
	{ "temp_core", HOTTEST, 1 / 1e3, { { "TEMP_CORE", 1 } }, { { 0 } } },
	{ "temp_pkg", HOTTEST, 1 / 1e3, { { "TEMP_PKG", 1 } }, { { 0 } } },
};

/* Is @name this one's, or NAME.MORE? */
static inline bool is_called(const struct quantity *q, const char *name)
{
	size_t n = strlen(q->name);

	return !strncmp(q->name, name, n) && (!name[n] || name[n] == '.');
}

#endif
