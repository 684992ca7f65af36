// SPDX-License-Identifier: GPL-2.0-only
/*
 * power.c - energy registers.
 *
 * Intel: SDM volume 3B, "Platform Specific Power Management Support", "RAPL
 * Interfaces"; a server (Sandy Bridge-EP) has a package, its cores and DRAM, and
 * no power plane 1. From Haswell-EP on it has no plane of its cores either. AMD:
 * the PPRs, MSRC001_029[9:B]: a package, and each core. All are read-only, and a write raises #GP.
 *
 * Silicon updates them about once a millisecond; these change with each tick, so that tests can be
 * exact.
 */
#include <pthread.h>

#include "power.h"

/* Power in 2^-3 W, energy in 2^-16 J, time in 2^-10 s: Sandy Bridge's and Zen's. */
#define UNITS			0xa1003
#define UNITS_61UJ		0xa0e03		/* energy in 2^-14 J */

const struct vpmu_power vpmu_amd_power = {
	.units = 0xc0010299, .unit = UNITS,
	.domain = {
		{ 0xc001029a, VPMU_ENERGY_CORE },
		{ 0xc001029b, VPMU_ENERGY_PACKAGE },
	},
};

const struct vpmu_power vpmu_intel_server_power = {
	.units = 0x606, .unit = UNITS,
	.domain = {
		{ 0x611, VPMU_ENERGY_PACKAGE },
		{ 0x639, VPMU_ENERGY_CORES },
		{ 0x619, VPMU_ENERGY_DRAM },
	},
};

/* DRAM has no unit register: its unit is 2^-16 J, whatever the register holds. */
const struct vpmu_power vpmu_intel_dram_power = {
	.units = 0x606, .unit = UNITS_61UJ,
	.domain = {
		{ 0x611, VPMU_ENERGY_PACKAGE },
		{ 0x619, VPMU_ENERGY_DRAM },
	},
};

/* Forwarded ticks of the machine, whose vCPUs are threads. */
static uint64_t forwarded;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint64_t forward_energy(uint64_t ticks)
{
	uint64_t sum;

	pthread_mutex_lock(&lock);
	forwarded += ticks;
	sum = forwarded;
	pthread_mutex_unlock(&lock);
	return sum;
}

static const struct vpmu_power_domain *find_domain(const struct vpmu_power *power,
						   uint32_t msr)
{
	const struct vpmu_power_domain *d;

	for (d = power->domain; d->msr; d++)
		if (d->msr == msr)
			return d;
	return NULL;
}

/* Cores of these guests have one thread: a CPU is a core. */
static uint64_t energy_value(const struct vpmu_cpu *cpu, enum vpmu_domain domain,
			     uint64_t tsc)
{
	uint32_t instance = domain == VPMU_ENERGY_CORE ? cpu->index :
							 cpu->package;
	struct vpmu_what what = {
		.rate = vpmu_energy_rate(domain, instance),
		.unit = VPMU_UNIT_ENERGY, .event = domain, .instance = instance,
	};

	return (uint32_t)vpmu_what_count(&what, tsc, forward_energy(0));
}

static enum vpmu_answer power_read(struct vpmu_cpu *cpu, uint32_t msr,
				   uint64_t tsc, uint64_t *val)
{
	const struct vpmu_power *power = cpu->family->power;
	const struct vpmu_power_domain *d;

	if (msr == VPMU_FORWARD_MSR) {
		*val = forward_energy(0);
		return VPMU_DONE;
	}
	if (!power)
		return VPMU_NOT_MINE;
	d = find_domain(power, msr);
	if (!d && msr != power->units)
		return VPMU_NOT_MINE;
	*val = d ? energy_value(cpu, d->domain, tsc) : power->unit;
	return VPMU_DONE;
}

static enum vpmu_answer power_write(struct vpmu_cpu *cpu, uint32_t msr,
				    uint64_t tsc, uint64_t val)
{
	const struct vpmu_power *power = cpu->family->power;

	if (msr == VPMU_FORWARD_MSR) {
		forward_energy(val);
		return VPMU_DONE;
	}
	if (!power || (msr != power->units && !find_domain(power, msr)))
		return VPMU_NOT_MINE;
	return VPMU_FAULT;
}

const struct vpmu_part vpmu_powers = {
	.read = power_read,
	.write = power_write,
};
