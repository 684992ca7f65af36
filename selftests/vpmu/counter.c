// SPDX-License-Identifier: GPL-2.0-only
/*
 * counter.c - counters in rate mode.
 *
 * A running counter is a base and a rate. The sum of the base and what the rate
 * has counted is kept in 64 bits: what stands above the counter's width is how
 * often it has wrapped since the last vpmu_settle().
 */
#include "counter.h"
#include "rate.h"

uint64_t vpmu_raw(const struct vpmu_counter *c, uint64_t tsc)
{
	return c->base + vpmu_count(c->rate, tsc);
}

void vpmu_preset(struct vpmu_counter *c, uint64_t tsc, uint64_t val)
{
	c->base = val - vpmu_count(c->rate, tsc);
}

void vpmu_change_rate(struct vpmu_counter *c, uint64_t tsc, uint32_t rate)
{
	uint64_t val = vpmu_raw(c, tsc);

	c->rate = rate;
	vpmu_preset(c, tsc, val);
}

static uint64_t mask_of(const struct vpmu_cpu *cpu)
{
	return (1ull << cpu->family->width) - 1;
}

uint64_t vpmu_get(const struct vpmu_cpu *cpu, unsigned int i, uint64_t tsc)
{
	return vpmu_raw(&cpu->counter[i], tsc) & mask_of(cpu);
}

void vpmu_set(struct vpmu_cpu *cpu, unsigned int i, uint64_t tsc, uint64_t val)
{
	vpmu_settle(cpu, tsc);
	vpmu_preset(&cpu->counter[i], tsc, val & mask_of(cpu));
}

void vpmu_settle(struct vpmu_cpu *cpu, uint64_t tsc)
{
	unsigned int width = cpu->family->width;
	unsigned int i;

	for (i = 0; i < VPMU_COUNTERS; i++) {
		struct vpmu_counter *c = &cpu->counter[i];
		uint64_t times = vpmu_raw(c, tsc) >> width;

		if (!times)
			continue;
		c->base -= times << width;
		cpu->vendor->wrapped(cpu, i, times);
	}
}

void vpmu_restart(struct vpmu_cpu *cpu, uint64_t tsc)
{
	unsigned int i;

	for (i = 0; i < VPMU_COUNTERS; i++)
		vpmu_change_rate(&cpu->counter[i], tsc, cpu->vendor->rate(cpu, i));
}
