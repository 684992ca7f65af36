// SPDX-License-Identifier: GPL-2.0-only
/*
 * intel_power.c - Intel's energy registers (RAPL).
 *
 * Intel SDM volume 3B, "RAPL Interfaces", and volume 4: MSR_RAPL_POWER_UNIT (606h)
 * bits 12:8, MSR_PKG_ENERGY_STATUS (611h), MSR_PP0_ENERGY_STATUS (639h),
 * MSR_DRAM_ENERGY_STATUS (619h). No CPUID bit tells of them: a family's file says
 * what its models have, and a register that faults is left out.
 */
#include "intel.h"

#define ENERGY						\
	.scope = RCR_SCOPE_PACKAGE,			\
	.feature = { 0x1, RCR_EDX, BIT(5) },	/* there are MSRs */ \
	.is_register = true,				\
	.unit = RCR_UNIT_NANOJOULE,			\
	.unit_register = 0x606,				\
	.counters = 1,					\
	.width = 32,					\
	.most = 1

const struct rcr_pmu rcr_intel_energy_pkg = {
	.name = "energy-pkg",
	.counter0 = 0x611,
	ENERGY,
};

const struct rcr_pmu rcr_intel_energy_cores = {
	.name = "energy-cores",
	.counter0 = 0x639,
	ENERGY,
};

const struct rcr_pmu rcr_intel_energy_ram = {
	.name = "energy-ram",
	.counter0 = 0x619,
	ENERGY,
};

/*
 * From Haswell on a server's DRAM is counted in 15.3 uJ (2^-16 J), whatever the
 * register of units says: Intel 330784 (Xeon E5 v3 datasheet, volume 2),
 * "DRAM_ENERGY_STATUS".
 */
const struct rcr_pmu rcr_intel_energy_ram_15uj = {
	.name = "energy-ram",
	.counter0 = 0x619,
	.scale = 16,
	ENERGY,
};
