// SPDX-License-Identifier: GPL-2.0-only
/*
 * intel_thermal.c - Intel's temperatures.
 *
 * Intel SDM volume 3B, "Digital Thermal Sensor": IA32_THERM_STATUS (19Ch) of a core,
 * IA32_PACKAGE_THERM_STATUS (1B1h) of a package: bits 22:16 are the degrees below the
 * limit, which MSR_TEMPERATURE_TARGET (1A2h) bits 23:16 tell; bit 31 of a core's says
 * whether they are valid, a package's always are. CPUID 06H EAX bits 0 and 6.
 */
#include <linux/bits.h>

#include "intel.h"

#define MARGIN	0x7f0000

static const struct rcr_gauge core = { .valid = BIT_ULL(31), .margin = MARGIN };
static const struct rcr_gauge package = { .margin = MARGIN };

#define TEMPERATURE				\
	.is_register = true,			\
	.unit = RCR_UNIT_MILLIDEGREE,		\
	.unit_register = 0x1a2,			\
	.counters = 1,				\
	.width = 32,				\
	.most = 1

const struct rcr_pmu rcr_intel_temp_core = {
	.name = "temp-core",
	.scope = RCR_SCOPE_CORE,
	.feature = { 0x6, RCR_EAX, BIT(0) },
	.counter0 = 0x19c,
	.gauge = &core,
	TEMPERATURE,
};

const struct rcr_pmu rcr_intel_temp_pkg = {
	.name = "temp-pkg",
	.scope = RCR_SCOPE_PACKAGE,
	.feature = { 0x6, RCR_EAX, BIT(6) },
	.counter0 = 0x1b1,
	.gauge = &package,
	TEMPERATURE,
};
