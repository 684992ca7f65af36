// SPDX-License-Identifier: GPL-2.0-only
/*
 * registers.c - registers that count by themselves, on many families.
 *
 * AMD 24593 (APM volume 2), "Determining Processor Effective Frequency", and Intel
 * SDM volume 3B, "Hardware Coordination Feedback": MPERF (E7h) counts at the rate
 * of the TSC and APERF (E8h) at the core's own, both only while it runs. CPUID
 * 6 ECX bit 0.
 */
#include "pmu.h"

const struct rcr_pmu rcr_pmu_aperf = {
	.name = "aperf",
	.feature = { 0x6, RCR_ECX, BIT(0) },
	.is_register = true,
	.counter0 = 0xe8,
	.counters = 1,
	.width = 64,
	.most = 1,
};

const struct rcr_pmu rcr_pmu_mperf = {
	.name = "mperf",
	.feature = { 0x6, RCR_ECX, BIT(0) },
	.is_register = true,
	.counter0 = 0xe7,
	.counters = 1,
	.width = 64,
	.most = 1,
};
