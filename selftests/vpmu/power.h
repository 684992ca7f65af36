/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * power.h - energy registers, whose time a guest can forward.
 *
 * A 32-bit energy register wraps every few minutes. To see twenty wraps, a test forwards the time
 * of all energy registers of the machine, by writing a register that no processor has (see
 * fault.h):
 *
 *	wrmsr(VPMU_FORWARD_MSR, ticks)	energy is now as it would be @ticks later
 *	rdmsr(VPMU_FORWARD_MSR)		sum of all forwarded ticks
 *
 * The sum is "forwarded" in rate.h. Only energy is forwarded.
 */
#ifndef RCR_VPMU_POWER_H
#define RCR_VPMU_POWER_H

#include "model.h"
#include "rate.h"

#define VPMU_FORWARD_MSR	0x52435201

struct vpmu_power_domain {
	uint32_t msr;			/* 0: end of the list */
	enum vpmu_domain domain;
};

/* A family's energy registers. */
struct vpmu_power {
	uint32_t units;			/* the register of the units */
	uint32_t unit;			/* its value */
	struct vpmu_power_domain domain[4];
};

extern const struct vpmu_power vpmu_amd_power;
extern const struct vpmu_power vpmu_intel_server_power;
extern const struct vpmu_power vpmu_intel_dram_power;

#endif
