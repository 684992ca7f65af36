// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * any.c - meters and relations of any machine, and meters of all AMD and all Intel families.
 *
 * Events: Intel's architectural ones (SDM volume 3B), LLC_MISSES and LLC_REFERENCES among them, and
 * cycles and instructions of AMD, from the manuals that the tables of its families name.
 */
#include "table.h"

#define AMD_CYCLES	"TOT_CYC=event:0x76"
#define ANY_INSTRUCTIONS	"TOT_INS=event:0xc0"
#define APERF_MPERF	"APERF=register:aperf;MPERF=register:mperf"

static const struct known_relation relations[] = {
	/* The module assumes the same maximum ratio of the frequencies: see limits.md. */
	{ NULL, "register:aperf <= 8 register:mperf", 1 },
	{ NULL, "register:mperf <= 1.1 tsc + 1000", 1 },
	/* 5 kW; the constant is 2 ms of that, because energy counters update once per ms. */
	{ NULL, "nanojoules <= 5000 ns + 10000000000", 0 },
	{ }
};

static const struct catalogue_row meters[] = {
	{ "cpi", "AMD", "TOT_CYC / TOT_INS", AMD_CYCLES ";" ANY_INSTRUCTIONS, "1", 6, false },
	{ "cpi", "Intel", "TOT_CYC / TOT_INS", INTEL_CYCLES ";" ANY_INSTRUCTIONS, "1", 6, false },
	{ "ipc", "AMD", "TOT_INS / TOT_CYC", AMD_CYCLES ";" ANY_INSTRUCTIONS, "1", 6, false },
	{ "ipc", "Intel", "TOT_INS / TOT_CYC", INTEL_CYCLES ";" ANY_INSTRUCTIONS, "1", 6, false },
	{ "frequency", "AMD", "tsc_hz * APERF / MPERF", APERF_MPERF, "Hz", 0, false },
	{ "frequency", "Intel", "tsc_hz * APERF / MPERF", APERF_MPERF, "Hz", 0, false },
	{ "frequency", "Intel", "tsc_hz * TOT_CYC / REF_CYC",
	  INTEL_CYCLES ";REF_CYC=event:0x00,umask:0x03", "Hz", 0, false },

	{ "l3_miss_ratio", "Intel", "LLC_MISSES / LLC_REFERENCES",
	  "LLC_MISSES=event:0x2e,umask:0x41;LLC_REFERENCES=event:0x2e,umask:0x4f",
	  "1", 6, false },

	{ "energy_pkg", NULL, "ENERGY_PKG / 1e9", "ENERGY_PKG=register:energy-pkg",
	  "J", 6, false },
	{ "energy_cores", NULL, "ENERGY_CORES / 1e9", "ENERGY_CORES=register:energy-cores",
	  "J", 6, false },
	{ "energy_cores", NULL, "ENERGY_CORE / 1e9", "ENERGY_CORE=register:energy-core",
	  "J", 6, false },
	{ "energy_dram", NULL, "ENERGY_RAM / 1e9", "ENERGY_RAM=register:energy-ram",
	  "J", 6, false },
	{ "power_pkg", NULL, "rate(ENERGY_PKG) / 1e9", "ENERGY_PKG=register:energy-pkg",
	  "W", 6, false },
	{ "power_cores", NULL, "rate(ENERGY_CORES) / 1e9", "ENERGY_CORES=register:energy-cores",
	  "W", 6, false },
	{ "power_cores", NULL, "rate(ENERGY_CORE) / 1e9", "ENERGY_CORE=register:energy-core",
	  "W", 6, false },
	{ "power_dram", NULL, "rate(ENERGY_RAM) / 1e9", "ENERGY_RAM=register:energy-ram",
	  "W", 6, false },
	{ "temp_core", "Intel", "max(TEMP_CORE) / 1000", "TEMP_CORE=register:temp-core",
	  "degC", 3, false },
	{ "temp_pkg", "Intel", "max(TEMP_PKG) / 1000", "TEMP_PKG=register:temp-pkg",
	  "degC", 3, false },

	{ "sampler_cost", NULL, "rate(sampler_cycles) / tsc_hz * 1e6 / cpus", NULL,
	  "ppm", 3, false },
	{ }
};

const struct event_table events_any = {
	.relations = relations,
	.meters = meters,
};
