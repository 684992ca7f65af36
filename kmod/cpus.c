// SPDX-License-Identifier: GPL-2.0-only
/*
 * cpus.c - starts and stops sampling on each CPU, as runs change and as CPUs
 * come and go.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/topology.h>

#include "cpus.h"

struct rcr_cpus rcr_cpus;

/* On the sampler's CPU: programs it and starts its timer. */
static int start_sampler(struct rcr_sampler *s, struct rcr_run *run,
			 struct rcr_failure *f)
{
	int err;

	err = run->source->start(&run->set, &s->counters, f);
	if (err)
		return err;
	rcr_sampler_start(s, run);
	cpumask_set_cpu(s->cpu, &rcr_cpus.running);
	return 0;
}

/* On the sampler's CPU: nothing of ours is left there. */
static void stop_sampler(struct rcr_sampler *s)
{
	if (!cpumask_test_and_clear_cpu(s->cpu, &rcr_cpus.running))
		return;
	rcr_sampler_stop(s);
	s->run->source->stop(&s->run->set, &s->counters);
}

/* What a CPU is asked to do by another one. */
struct errand {
	struct rcr_run *run;
	bool keep_totals;
	struct rcr_failure *failure;
};

static int start_errand(void *arg)
{
	struct rcr_sampler *s = rcr_cpus.sampler[smp_processor_id()];
	const struct errand *e = arg;

	if (!e->keep_totals)
		memset(&s->counters, 0, sizeof(s->counters));
	return start_sampler(s, e->run, e->failure);
}

static int stop_errand(void *arg)
{
	stop_sampler(rcr_cpus.sampler[smp_processor_id()]);
	return 0;
}

/* The hotplug lock is held. */
static void stop_all(void)
{
	int cpu;

	for_each_cpu(cpu, &rcr_cpus.mask)
		if (cpu_online(cpu))
			smp_call_on_cpu(cpu, stop_errand, NULL, false);
	rcr_cpus.run = NULL;
}

/**
 * rcr_cpus_start() - samples a run on every CPU that is online, and on each
 * that comes
 * @run: the run, with a ring for each CPU; nothing is sampled now
 * @keep_totals: totals go on from what they are, else from 0
 * @f: gets the reason when it fails
 *
 * Context: may sleep; not under the hotplug lock; callers are serialized.
 * Return: 0, or -errno with every register of every CPU as it was.
 */
int rcr_cpus_start(struct rcr_run *run, bool keep_totals, struct rcr_failure *f)
{
	struct errand e = { run, keep_totals, f };
	int cpu, err = 0;

	cpus_read_lock();
	rcr_cpus.run = run;
	for_each_cpu(cpu, &rcr_cpus.mask) {
		if (!cpu_online(cpu))
			continue;
		err = smp_call_on_cpu(cpu, start_errand, &e, false);
		if (err) {
			stop_all();
			break;
		}
	}
	cpus_read_unlock();
	return err;
}

/* Stops sampling on every CPU and puts every register back. May sleep. */
void rcr_cpus_stop(void)
{
	cpus_read_lock();
	stop_all();
	cpus_read_unlock();
}

/* On @cpu. Never keeps a CPU from coming up: what fails is this CPU's alone. */
static int cpu_came(unsigned int cpu)
{
	struct rcr_sampler *s = rcr_cpus.sampler[cpu];
	struct rcr_failure failure = { };

	if (s && rcr_cpus.run && start_sampler(s, rcr_cpus.run, &failure))
		pr_warn("CPU %u is not sampled: %s\n", cpu, failure.reason);
	return 0;
}

/* On @cpu, which goes. */
static int cpu_goes(unsigned int cpu)
{
	if (rcr_cpus.sampler[cpu])
		stop_sampler(rcr_cpus.sampler[cpu]);
	return 0;
}

static int alloc_samplers(void)
{
	struct rcr_sampler *s;
	int cpu;

	for_each_cpu(cpu, &rcr_cpus.mask) {
		s = kzalloc_node(sizeof(*s), GFP_KERNEL, cpu_to_node(cpu));
		if (!s)
			return -ENOMEM;
		rcr_sampler_init(s, cpu);
		rcr_cpus.sampler[cpu] = s;
	}
	return 0;
}

static void free_samplers(void)
{
	int cpu;

	for_each_cpu(cpu, &rcr_cpus.mask)
		kfree(rcr_cpus.sampler[cpu]);
	kfree(rcr_cpus.sampler);
}

/**
 * rcr_cpus_init() - takes the memory for every CPU that may ever be sampled,
 * and listens to CPUs that come and go
 * @mask: those CPUs
 *
 * Context: may sleep.
 * Return: 0, or -errno and nothing taken.
 */
int rcr_cpus_init(const struct cpumask *mask)
{
	int ret;

	cpumask_copy(&rcr_cpus.mask, mask);
	rcr_cpus.sampler = kcalloc(nr_cpu_ids, sizeof(*rcr_cpus.sampler),
				   GFP_KERNEL);
	if (!rcr_cpus.sampler)
		return -ENOMEM;
	ret = alloc_samplers();
	if (!ret)
		ret = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "x86/rcrtool:online",
					cpu_came, cpu_goes);
	if (ret < 0) {
		free_samplers();
		return ret;
	}
	rcr_cpus.state = ret;
	return 0;
}

/* Nothing is sampled any more. May sleep. */
void rcr_cpus_exit(void)
{
	cpuhp_remove_state(rcr_cpus.state);
	free_samplers();
}
