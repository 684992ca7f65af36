/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * clock.h - a CPU's clocks and temperature: MPERF, APERF, thermal status.
 */
#ifndef RCR_VPMU_CLOCK_H
#define RCR_VPMU_CLOCK_H

#include "model.h"

/**
 * vpmu_clock_init() - start the clocks at power on
 */
void vpmu_clock_init(struct vpmu_cpu *cpu);

/*
 * vpmu_clock_cpuid() - set the bits of leaf 6 for the registers that the CPU has
 */
void vpmu_clock_cpuid(const struct vpmu_cpu *cpu, uint32_t leaf,
		      struct vpmu_cpuid *out);

#endif
