// SPDX-License-Identifier: GPL-2.0-only
/*
 * counter.c - counters of both modes.
 *
 * The value of a running counter is a base plus the count of its rate or event (exec.h) since power
 * on. The sum has 64 bits: the part above the counter's width is the number of wraps since the last
 * vpmu_settle().
 */
#include "counter.h"
#include "register_log.h"

uint64_t vpmu_raw(const struct vpmu_counter *c, uint64_t tsc)
{
	return c->base + vpmu_what_count(&c->what, tsc, 0);
}

void vpmu_preset(struct vpmu_counter *c, uint64_t tsc, uint64_t val)
{
	c->base = val - vpmu_what_count(&c->what, tsc, 0);
}

/* Return: count of the counter's event since power on; 0 if the counter is stopped. */
static uint64_t count_of_core(const struct vpmu_cpu *cpu,
			      const struct vpmu_counter *c, uint64_t tsc)
{
	if (!cpu->exec)
		return vpmu_what_count(&c->what, tsc, 0);
	return c->what.rate ? vpmu_exec_count(cpu, &c->event, tsc) : 0;
}

static uint64_t raw_value(const struct vpmu_cpu *cpu,
			  const struct vpmu_counter *c, uint64_t tsc)
{
	return c->base + count_of_core(cpu, c, tsc);
}

static uint64_t mask_of(const struct vpmu_cpu *cpu)
{
	return (1ull << cpu->family->width) - 1;
}

uint64_t vpmu_get(const struct vpmu_cpu *cpu, unsigned int i, uint64_t tsc)
{
	return raw_value(cpu, &cpu->counter[i], tsc) & mask_of(cpu);
}

void vpmu_set(struct vpmu_cpu *cpu, unsigned int i, uint64_t tsc, uint64_t val)
{
	struct vpmu_counter *c = &cpu->counter[i];

	vpmu_settle(cpu, tsc);
	c->base = (val & mask_of(cpu)) - count_of_core(cpu, c, tsc);
}

void vpmu_settle(struct vpmu_cpu *cpu, uint64_t tsc)
{
	unsigned int width = cpu->family->width;
	unsigned int i;

	for (i = 0; i < VPMU_COUNTERS; i++) {
		struct vpmu_counter *c = &cpu->counter[i];
		uint64_t times = raw_value(cpu, c, tsc) >> width;

		if (!times)
			continue;
		c->base -= times << width;
		cpu->vendor->wrapped(cpu, i, times);
	}
}

void vpmu_restart(struct vpmu_cpu *cpu, uint64_t tsc)
{
	unsigned int i;

	for (i = 0; i < VPMU_COUNTERS; i++) {
		struct vpmu_counter *c = &cpu->counter[i];

		c->base += count_of_core(cpu, c, tsc);
		c->what = cpu->vendor->what(cpu, i);
		c->event = cpu->vendor->event(cpu, i);
		c->base -= count_of_core(cpu, c, tsc);
	}
	vpmu_log_note(cpu, tsc);
}
