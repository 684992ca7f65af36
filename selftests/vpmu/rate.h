/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rate.h - counts of the virtual PMU in rate mode, from which tests compute expected values.
 *
 * The count of every event is an exact function of time. Time is the guest's TSC, so a test that
 * reads the TSC before and after a counter knows bounds of the count, and if they are close, the
 * exact count:
 *
 *	rate(event, umask, cpu) = 1 + (1009 event + 97 umask + 4099 cpu) mod 49999
 *	count(t)                = floor(rate x t / 2^16)
 *	counted between t1, t2  = count(t2) - count(t1)
 *
 * Thus no event counts faster than 0.763 per TSC tick, no two events of a
 * common set count alike, and no two CPUs do. Counter mask, invert and edge do
 * not change the rate. A counter counts nothing while its user and OS bits are
 * both clear, its enable bit is clear in its control or in a global control, or
 * its register cannot count its event (a per-event counter mask).
 *
 * A register that a test has broken (fault.h) reads differently; its counter continues by the
 * formula. A test may also change the speed of an event's time (phase.h); otherwise t is the TSC.
 *
 * AMD from Family 17h on: event 003h counts, on an even counter, only while the
 * odd counter above it holds the merge event FFFh, enabled. The odd one does not
 * count: its low 16 bits are bits 63:48 of the pair.
 *
 * Intel's fixed counters have no event numbers. The first two count like a general counter with the
 * same event. Reference cycles are not a general event (3Ch with unit mask 1 counts another clock
 * on Nehalem): they have the number that Linux uses, which no general counter counts:
 *
 *	fixed counter	event	umask
 *	0		0xc0	0	instructions retired
 *	1		0x3c	0	core cycles, not halted
 *	2		0x00	3	reference cycles, not halted
 *	3		0x00	4	slots of the pipeline (from Ice Lake on)
 *
 * Shared units ("uncore"): counters of which all CPUs of a package see the same
 * copy. They count by the same formula with another rate:
 *
 *	rate(unit, event, umask, instance) =
 *		1 + (1009 event + 97 umask + 4099 instance + 12289 unit) mod 49999
 *
 * (Slices of the last level cache: Sandy Bridge-EP to Broadwell-EP, Skylake-SP, Ice
 * Lake-SP.) The instance is the number of the unit in the machine, counted through its
 * packages: package x (units in a package) + unit in the package. A package that QEMU
 * gives several dies has NB, L3 and, before PerfMonV2, DF in each of them: these are
 * counted through the dies.
 *
 *	unit			in a package		event, umask
 *	VPMU_UNIT_NB		1 (a node)		12, 8 bits
 *	VPMU_UNIT_L3		1 (a CCX)		8, 8
 *	VPMU_UNIT_DF		1 (a node)		14, 8; PerfMonV2: 14, 12
 *	VPMU_UNIT_UMC		12 (channels)		8, 2 (the mask of reads and writes)
 *	VPMU_UNIT_NHM		1			8, 8; the fixed counter: 0xff, 0
 *	VPMU_UNIT_CBO		8, 15, 18, 24, 28, 40	8, 8 (Ice Lake-SP: 32)
 *	VPMU_UNIT_PCU		1			8, 2 (the occupancy select)
 *	VPMU_UNIT_UBOX		1			8, 8; the fixed counter: 0xff, 0
 *	VPMU_UNIT_HA		1, 2			8, 8
 *	VPMU_UNIT_IMC		4, 8 (channels)		8, 8; the fixed counter: 0xff, 0
 *	VPMU_UNIT_QPI		2, 3 (links)		9, 8
 *	VPMU_UNIT_R2PCIE	1			8, 8
 *	VPMU_UNIT_R3QPI		2, 3			8, 8
 *
 * (Of two numbers the first is Sandy Bridge-EP's, of R3QPI Ivy Bridge-EP's, too.)
 *
 * A shared counter counts nothing while its enable bit is clear, while a global
 * or a box control stops it, and, in an L3, while its masks name no slice or no
 * thread; else thread, core and slice masks and filters do not change the rate.
 * A UMC's counter stops at 2^48 - 1 and then has bit 48; all others wrap.
 *
 * Family 10h counts northbridge events (select xE0h to xFFh) on its core
 * counters: these go by VPMU_UNIT_NB, so that all cores of a node count alike.
 *
 * MPERF and APERF count on every CPU from power on, and can be written:
 *
 *	MPERF	65536, which is the TSC's rate
 *	APERF	49152 + 4099 cpu mod 32768: 0.75 to 1.25 times the nominal clock
 *
 * Energy is a count of units of 2^-16 J (from Haswell-EP on 2^-14 J, except for DRAM) in read-only
 * registers of 32 bits. Its time is the TSC plus the ticks that the guest has forwarded (power.h),
 * so that a test need not wait for hours:
 *
 *	rate(domain, instance) = 1000 - 150 domain + 37 instance
 *	energy(t)              = floor(rate x (t + forwarded) / 2^16) mod 2^32
 *
 * The instance is the package, and for a core its number in the machine. At 2 GHz
 * a package of 1000 uses 466 W and wraps every 141 s: 25 times an hour.
 *
 * A temperature register holds the number of degrees below the limit of 100:
 *
 *	margin(sensor, t) = 20 + (5 sensor + floor(t / 2^31)) mod 32
 *
 * The sensor is the CPU's index, or 64 + the package's.
 *
 * This file is compiled into the model and into the tests, and it includes
 * nothing of the module.
 */
#ifndef RCR_VPMU_RATE_H
#define RCR_VPMU_RATE_H

#include <stdint.h>

#define VPMU_RATE_SHIFT 16

/**
 * vpmu_rate() - counts per 2^16 TSC ticks, 1 to 49999
 * @event: event select, as the manual numbers it (AMD: 12 bits)
 * @umask: unit mask, 0 to 0xff
 * @cpu: index of the virtual CPU, as the guest numbers it
 */
static inline uint32_t vpmu_rate(uint32_t event, uint32_t umask, uint32_t cpu)
{
	return 1 + (1009ull * event + 97ull * umask + 4099ull * cpu) % 49999;
}

/* The events of Intel's fixed counters, by the table above. */
static const struct { uint8_t event, umask; } vpmu_fixed_as[] = {
	{ 0xc0, 0 }, { 0x3c, 0 }, { 0x00, 3 }, { 0x00, 4 },
};

/**
 * vpmu_fixed_rate() - vpmu_rate() of one of Intel's fixed counters
 * @n: 0 to 3
 * @cpu: index of the virtual CPU
 */
static inline uint32_t vpmu_fixed_rate(unsigned int n, uint32_t cpu)
{
	return vpmu_rate(vpmu_fixed_as[n].event, vpmu_fixed_as[n].umask, cpu);
}

/* The numbers are part of the formula: selftests/guest/vpmu/uncore.sh has them, too. */
enum vpmu_unit {
	VPMU_UNIT_NB = 1,	/* AMD, up to Family 16h: northbridge */
	VPMU_UNIT_L3,		/* AMD, from Family 17h on */
	VPMU_UNIT_DF,		/* AMD, from Family 17h on: data fabric */
	VPMU_UNIT_UMC,		/* the same, PerfMonV2: memory controllers */
	VPMU_UNIT_NHM,		/* Intel Nehalem, Westmere: uncore */
	VPMU_UNIT_CBO,		/* Intel, from Sandy Bridge-EP on: last level cache slices */
	VPMU_UNIT_PCU,		/* power control */
	VPMU_UNIT_UBOX,		/* system configuration */
	VPMU_UNIT_HA,		/* home agent: this and what follows by PCI */
	VPMU_UNIT_IMC,		/* memory controller */
	VPMU_UNIT_QPI,		/* links between packages */
	VPMU_UNIT_R2PCIE,	/* from the ring to PCI Express */
	VPMU_UNIT_R3QPI,	/* from the ring to the links between packages */
};

/**
 * vpmu_unit_rate() - the rate of a shared counter
 * @unit: type of the unit
 * @event: its event select, all bits of it together
 * @umask: unit mask, likewise
 * @instance: number of the unit in the machine
 */
static inline uint32_t vpmu_unit_rate(enum vpmu_unit unit, uint32_t event,
				      uint32_t umask, uint32_t instance)
{
	return 1 + (1009ull * event + 97ull * umask + 4099ull * instance +
		    12289ull * unit) % 49999;
}

#define VPMU_MPERF_RATE		65536

/**
 * vpmu_aperf_rate() - the rate of APERF
 * @cpu: index of the virtual CPU
 */
static inline uint32_t vpmu_aperf_rate(uint32_t cpu)
{
	return 49152 + 4099 * cpu % 32768;
}

enum vpmu_domain {
	VPMU_ENERGY_PACKAGE,
	VPMU_ENERGY_CORES,	/* Intel's power plane 0 */
	VPMU_ENERGY_GRAPHICS,	/* power plane 1 */
	VPMU_ENERGY_DRAM,
	VPMU_ENERGY_CORE,	/* AMD's, of one core */
};

/**
 * vpmu_energy_rate() - energy units per 2^16 TSC ticks
 * @domain: whose energy
 * @instance: the package, for VPMU_ENERGY_CORE the core
 */
static inline uint32_t vpmu_energy_rate(enum vpmu_domain domain,
					uint32_t instance)
{
	return 1000 - 150 * domain + 37 * instance;
}

/**
 * vpmu_thermal_margin() - degrees left to the limit
 * @sensor: index of the virtual CPU, or 64 + its package
 * @tsc: guest time stamp counter
 */
static inline uint32_t vpmu_thermal_margin(uint32_t sensor, uint64_t tsc)
{
	return 20 + (5 * sensor + (tsc >> 31)) % 32;
}

/**
 * vpmu_count() - count of an event from power on to @tsc
 * @rate: from vpmu_rate()
 * @tsc: guest time stamp counter
 */
static inline uint64_t vpmu_count(uint32_t rate, uint64_t tsc)
{
	return (uint64_t)(((unsigned __int128)tsc * rate) >> VPMU_RATE_SHIFT);
}

#endif
