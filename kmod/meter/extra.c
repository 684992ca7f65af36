// SPDX-License-Identifier: GPL-2.0-only
/*
 * extra.c - counts that no register has: what sampling and metering cost, and what
 * network interfaces have moved.
 */
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/string.h>

#include "extra.h"
#include "network.h"

static_assert(RCR_EXTRA_NET_DROPPED - RCR_EXTRA_NET_RX_BYTES + 1 == RCR_NETWORK_COUNTS);

/**
 * rcr_extra_told() - what a CPU tells of it
 * @machines: the machine's is told with it
 *
 * Return: bit n for operand n.
 */
u64 rcr_extra_told(bool machines)
{
	return machines ? GENMASK_ULL(RCR_OPERANDS - 1, RCR_MAX_COUNTERS) :
			  BIT_ULL(RCR_EXTRA_SAMPLER_CYCLES);
}

/**
 * rcr_extra_read() - what is counted besides the set
 * @sampler_cycles: TSC cycles that the ticks of the CPU have taken whose counts they are
 * @machines: the machine's are told with it
 * @meter_cycles: TSC cycles that the meters have taken
 * @now: gets the counts, by number from RCR_MAX_COUNTERS
 *
 * Context: process, under rcr_meters_lock.
 */
void rcr_extra_read(u64 sampler_cycles, bool machines, u64 meter_cycles, u64 *now)
{
	memset(now, 0, RCR_EXTRAS * sizeof(*now));
	now[0] = sampler_cycles;
	if (!machines)
		return;
	now[RCR_EXTRA_METER_CYCLES - RCR_MAX_COUNTERS] = meter_cycles;
	rcr_network_read(&now[RCR_EXTRA_NET_RX_BYTES - RCR_MAX_COUNTERS]);
}
