/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rate.h - what the virtual PMU counts in rate mode: the oracle of the tests.
 *
 * Every event is an exact function of time. Time is the guest's own TSC, so a
 * test that brackets a read with two rdtsc knows the count to within the
 * bracket, and knows it to the last unit when the bracket is narrow:
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
 * A register that a test has broken (fault.h) shows something else; the counter
 * behind it goes on by the formula.
 *
 * AMD from Family 17h on: event 003h counts, on an even counter, only while the
 * odd counter above it holds the merge event FFFh, enabled. The odd one does not
 * count: its low 16 bits are bits 63:48 of the pair.
 *
 * Intel's fixed counters have no event number of their own. The first two count
 * as a general counter does that has the same event. Reference cycles are no
 * general event (3Ch with unit mask 1 counts another clock on Nehalem); they go
 * by the number that Linux gives them, which no general counter counts:
 *
 *	fixed counter	event	umask
 *	0		0xc0	0	instructions retired
 *	1		0x3c	0	core cycles, not halted
 *	2		0x00	3	reference cycles, not halted
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
	{ 0xc0, 0 }, { 0x3c, 0 }, { 0x00, 3 },
};

/**
 * vpmu_fixed_rate() - the same for one of Intel's fixed counters
 * @n: 0 to 2
 * @cpu: index of the virtual CPU
 */
static inline uint32_t vpmu_fixed_rate(unsigned int n, uint32_t cpu)
{
	return vpmu_rate(vpmu_fixed_as[n].event, vpmu_fixed_as[n].umask, cpu);
}

/**
 * vpmu_count() - what a counter of @rate that never stopped has counted at @tsc
 * @rate: from vpmu_rate()
 * @tsc: guest time stamp counter
 */
static inline uint64_t vpmu_count(uint32_t rate, uint64_t tsc)
{
	return (uint64_t)(((unsigned __int128)tsc * rate) >> VPMU_RATE_SHIFT);
}

#endif
