// SPDX-License-Identifier: GPL-2.0-only
/*
 * clock.c - a CPU's clocks and temperature.
 *
 * Intel: SDM volume 3B, "Power and Thermal Management": "Hardware Coordination
 * Feedback" (IA32_MPERF, IA32_APERF) and "Digital Thermal Sensor"; volume 4 for
 * MSR_TEMPERATURE_TARGET. AMD: APM volume 2, "Effective Frequency Interface".
 * No MSR has AMD's temperatures.
 *
 * Any value can be written to MPERF and APERF. They wrap at 64 bits, and no status reports it.
 */
#include "clock.h"
#include "counter.h"
#include "rate.h"

#define MPERF			0xe7
#define APERF			0xe8
#define THERM_STATUS		0x19c
#define TEMPERATURE_TARGET	0x1a2
#define PACKAGE_THERM_STATUS	0x1b1

#define THERM_VALID		(1ull << 31)
#define THERM_RESOLUTION	(1ull << 27)	/* one degree */
#define LIMIT			100		/* degrees, in bits 23:16 */
#define PACKAGE_SENSORS		64

/* CPUID 6 */
#define APERF_MPERF		(1u << 0)	/* ECX */
#define DIGITAL_SENSOR		(1u << 0)	/* EAX */
#define PACKAGE_SENSOR		(1u << 6)

void vpmu_clock_init(struct vpmu_cpu *cpu)
{
	cpu->mperf.what = (struct vpmu_what){
		.rate = VPMU_MPERF_RATE, .unit = VPMU_UNIT_CLOCK, .event = MPERF,
		.instance = cpu->index,
	};
	cpu->aperf.what = (struct vpmu_what){
		.rate = vpmu_aperf_rate(cpu->index), .unit = VPMU_UNIT_CLOCK,
		.event = APERF, .instance = cpu->index,
	};
}

void vpmu_clock_cpuid(const struct vpmu_cpu *cpu, uint32_t leaf,
		      struct vpmu_cpuid *out)
{
	if (leaf != 6)
		return;
	out->ecx |= APERF_MPERF;
	if (cpu->family->thermal)
		out->eax |= DIGITAL_SENSOR;
	if (cpu->family->package_thermal)
		out->eax |= PACKAGE_SENSOR;
}

static uint64_t status_of(uint32_t sensor, uint64_t tsc)
{
	return THERM_VALID | THERM_RESOLUTION |
	       (uint64_t)vpmu_thermal_margin(sensor, tsc) << 16;
}

static enum vpmu_answer read_thermal(const struct vpmu_cpu *cpu, uint32_t msr,
				     uint64_t tsc, uint64_t *val)
{
	if (!cpu->family->thermal)
		return VPMU_NOT_MINE;
	switch (msr) {
	case THERM_STATUS:
		*val = status_of(cpu->index, tsc);
		return VPMU_DONE;
	case PACKAGE_THERM_STATUS:
		if (!cpu->family->package_thermal)
			return VPMU_FAULT;
		*val = status_of(PACKAGE_SENSORS + cpu->package, tsc);
		return VPMU_DONE;
	case TEMPERATURE_TARGET:
		*val = LIMIT << 16;
		return VPMU_DONE;
	}
	return VPMU_NOT_MINE;
}

static enum vpmu_answer clock_read(struct vpmu_cpu *cpu, uint32_t msr,
				   uint64_t tsc, uint64_t *val)
{
	switch (msr) {
	case MPERF:
		*val = vpmu_raw(&cpu->mperf, tsc);
		return VPMU_DONE;
	case APERF:
		*val = vpmu_raw(&cpu->aperf, tsc);
		return VPMU_DONE;
	}
	return read_thermal(cpu, msr, tsc, val);
}

/* A thermal status has only log bits to clear, and none is ever set here. */
static enum vpmu_answer clock_write(struct vpmu_cpu *cpu, uint32_t msr,
				    uint64_t tsc, uint64_t val)
{
	switch (msr) {
	case MPERF:
		vpmu_preset(&cpu->mperf, tsc, val);
		return VPMU_DONE;
	case APERF:
		vpmu_preset(&cpu->aperf, tsc, val);
		return VPMU_DONE;
	}
	return VPMU_NOT_MINE;
}

const struct vpmu_part vpmu_clocks = {
	.read = clock_read,
	.write = clock_write,
};
