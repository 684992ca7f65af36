// SPDX-License-Identifier: GPL-2.0-only
/*
 * cpus.c - starts and stops sampling on each CPU, as CPUs come and go.
 *
 * All memory is taken at load, for every CPU that may ever be sampled: a ring
 * is never freed while the module lives, so a reader may look at it without
 * asking whether its CPU is online.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include "counter_set.h"
#include "cpus.h"

struct rcr_cpus rcr_cpus;

static int alloc_cpu(int cpu)
{
	struct rcr_sampler *s;

	s = kzalloc_node(sizeof(*s), GFP_KERNEL, cpu_to_node(cpu));
	if (!s)
		return -ENOMEM;
	rcr_cpus.sampler[cpu] = s;
	rcr_sampler_init(s, cpu, &rcr_cpus.sampling);
	return rcr_ring_alloc(&s->memory, cpu, rcr_cpus.capacity,
			      rcr_cpus.record_size);
}

/**
 * rcr_cpus_alloc() - takes the memory for every CPU in rcr_cpus.mask
 * @capacity: slots of each ring, a power of two
 * @counters: of each CPU
 *
 * Context: may sleep.
 * Return: 0, or -ENOMEM and nothing taken.
 */
int rcr_cpus_alloc(u32 capacity, unsigned int counters)
{
	int cpu, err;

	rcr_cpus.capacity = capacity;
	rcr_cpus.record_size = rcr_ring_record_size(counters);
	rcr_cpus.sampler = kcalloc(nr_cpu_ids, sizeof(*rcr_cpus.sampler),
				   GFP_KERNEL);
	if (!rcr_cpus.sampler)
		return -ENOMEM;
	for_each_cpu(cpu, &rcr_cpus.mask) {
		err = alloc_cpu(cpu);
		if (err) {
			rcr_cpus_free();
			return err;
		}
	}
	return 0;
}

void rcr_cpus_free(void)
{
	int cpu;

	if (!rcr_cpus.sampler)
		return;
	for_each_cpu(cpu, &rcr_cpus.mask) {
		if (!rcr_cpus.sampler[cpu])
			continue;
		rcr_ring_free(&rcr_cpus.sampler[cpu]->memory);
		kfree(rcr_cpus.sampler[cpu]);
	}
	kfree(rcr_cpus.sampler);
	rcr_cpus.sampler = NULL;
}

/*
 * On @cpu. While all are being started a failure stops all; later it is this
 * CPU's alone, and never keeps the CPU itself from coming up.
 */
static int start_cpu(unsigned int cpu)
{
	const struct rcr_sampling *sampling = &rcr_cpus.sampling;
	struct rcr_sampler *s = rcr_cpus.sampler[cpu];
	struct rcr_failure failure = { };
	int err;

	if (!s)
		return 0;
	err = sampling->source->start(sampling->set, &s->counters, &failure);
	if (err && rcr_cpus.starting) {
		sampling->set->failure = failure;
		return err;
	}
	if (err) {
		pr_warn("CPU %u is not sampled: %s\n", cpu, failure.reason);
		return 0;
	}
	s->memory.ring->generation = sampling->set->generation;
	rcr_sampler_start(s);
	cpumask_set_cpu(cpu, &rcr_cpus.running);
	return 0;
}

static int stop_cpu(unsigned int cpu)
{
	struct rcr_sampler *s = rcr_cpus.sampler[cpu];

	if (!cpumask_test_and_clear_cpu(cpu, &rcr_cpus.running))
		return 0;
	rcr_sampler_stop(s);
	rcr_cpus.sampling.source->stop(rcr_cpus.sampling.set, &s->counters);
	return 0;
}

/**
 * rcr_cpus_start() - starts sampling on every CPU that is online, and on each
 * that comes
 *
 * Context: may sleep; not under the hotplug lock.
 * Return: 0, or -errno with every register of every CPU as it was.
 */
int rcr_cpus_start(void)
{
	int state;

	rcr_cpus.starting = true;
	state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "x86/rcrtool:online",
				  start_cpu, stop_cpu);
	rcr_cpus.starting = false;
	if (state < 0)
		return state;
	rcr_cpus.state = state;
	return 0;
}

/* Stops sampling on every CPU and puts every register back. May sleep. */
void rcr_cpus_stop(void)
{
	if (rcr_cpus.state)
		cpuhp_remove_state(rcr_cpus.state);
	rcr_cpus.state = 0;
}
