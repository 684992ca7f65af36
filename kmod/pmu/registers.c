// SPDX-License-Identifier: GPL-2.0-only
/*
 * registers.c - free-running registers: clocks, energy and temperatures.
 */
#include <linux/bits.h>

#include "pmu.h"

#define REGISTER(bits)						\
	.is_register = true,					\
	.counters = 1,						\
	.width = (bits),					\
	.most = 1

/*
 * AMD 24593 (APM volume 2), "Determining Processor Effective Frequency", and Intel SDM volume
 * 3B, "Hardware Coordination Feedback": MPERF (E7h) counts at the TSC rate, APERF (E8h) at
 * the core's, both only while the core is not idle. CPUID 6 ECX bit 0.
 */
#define CLOCK	REGISTER(64), .feature = { 0x6, RCR_ECX, BIT(0) }

const struct rcr_pmu rcr_clocks[] = {
	{ CLOCK, .name = "aperf", .counter0 = 0xe8 },
	{ CLOCK, .name = "mperf", .counter0 = 0xe7 },
	{ }
};

#define ENERGY(unit_msr)					\
	REGISTER(32),						\
	.unit = RCR_UNIT_NANOJOULE,				\
	.unit_register = (unit_msr)

/*
 * The PPRs of Family 17h and later (listed in amd_uncore.c), "RAPL": MSRC001_029A Core Energy
 * Status, MSRC001_029B Package Energy Status, in units of MSRC001_0299 RAPL Power Unit bits
 * 12:8; CPUID Fn8000_0007_EDX bit 14. The threads of a core share a register. The thermal
 * status is in the SMN, not in an MSR, and is not read.
 */
#define AMD_ENERGY	ENERGY(0xc0010299), .feature = { 0x80000007, RCR_EDX, BIT(14) }

const struct rcr_pmu rcr_amd_energy[] = {
	{ AMD_ENERGY, .name = "energy-core", .counter0 = 0xc001029a, .scope = RCR_SCOPE_CORE },
	{ AMD_ENERGY, .name = "energy-pkg", .counter0 = 0xc001029b, .scope = RCR_SCOPE_PACKAGE },
	{ }
};

/*
 * Intel SDM volume 3B, "RAPL Interfaces", and volume 4: MSR_RAPL_POWER_UNIT (606h) bits 12:8,
 * MSR_PKG_ENERGY_STATUS (611h), MSR_PP0_ENERGY_STATUS (639h), MSR_DRAM_ENERGY_STATUS (619h).
 * CPUID does not enumerate them: the table of a family lists those of its models, and a
 * register that faults is left out.
 */
#define INTEL_ENERGY						\
	ENERGY(0x606),						\
	.feature = { 0x1, RCR_EDX, BIT(5) },	/* MSRs are supported */ \
	.scope = RCR_SCOPE_PACKAGE
#define ENERGY_PKG	INTEL_ENERGY, .name = "energy-pkg", .counter0 = 0x611
#define ENERGY_CORES	INTEL_ENERGY, .name = "energy-cores", .counter0 = 0x639
#define ENERGY_RAM	INTEL_ENERGY, .name = "energy-ram", .counter0 = 0x619

const struct rcr_pmu rcr_intel_energy_cores[] = {
	{ ENERGY_PKG },
	{ ENERGY_CORES },
	{ ENERGY_RAM },
	{ }
};

const struct rcr_pmu rcr_intel_energy[] = {
	{ ENERGY_PKG },
	{ ENERGY_RAM },
	{ }
};

/*
 * Since Haswell, DRAM energy of servers is in units of 15.3 uJ (2^-16 J), independent of
 * MSR_RAPL_POWER_UNIT: Intel 330784 (Xeon E5 v3 datasheet, volume 2), "DRAM_ENERGY_STATUS".
 */
const struct rcr_pmu rcr_intel_energy_15uj[] = {
	{ ENERGY_PKG },
	{ ENERGY_RAM, .scale = 16 },
	{ }
};

/*
 * Intel SDM volume 3B, "Digital Thermal Sensor": IA32_THERM_STATUS (19Ch) of a core,
 * IA32_PACKAGE_THERM_STATUS (1B1h) of a package. Bits 22:16 are the degrees below the limit in
 * MSR_TEMPERATURE_TARGET (1A2h) bits 23:16. Bit 31 of the core's register is set while the
 * reading is valid; the package's is always valid. CPUID 06H EAX bits 0 and 6.
 */
#define TEMPERATURE						\
	REGISTER(32),						\
	.unit = RCR_UNIT_MILLIDEGREE,				\
	.unit_register = 0x1a2,					\
	.gauge = 0x7f0000
#define TEMP_CORE						\
	TEMPERATURE, .name = "temp-core", .counter0 = 0x19c,	\
	.scope = RCR_SCOPE_CORE,				\
	.feature = { 0x6, RCR_EAX, BIT(0) },			\
	.gauge_valid = BIT_ULL(31)
#define TEMP_PKG						\
	TEMPERATURE, .name = "temp-pkg", .counter0 = 0x1b1,	\
	.scope = RCR_SCOPE_PACKAGE,				\
	.feature = { 0x6, RCR_EAX, BIT(6) }

const struct rcr_pmu rcr_intel_temp[] = {
	{ TEMP_CORE },
	{ TEMP_PKG },
	{ }
};

/* Processors before Sandy Bridge have no package thermal status. */
const struct rcr_pmu rcr_intel_temp_core[] = {
	{ TEMP_CORE },
	{ }
};
