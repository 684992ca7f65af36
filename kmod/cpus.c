// SPDX-License-Identifier: GPL-2.0-only
/*
 * cpus.c - starts and stops sampling on each CPU, as runs change and as CPUs
 * come and go.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/topology.h>
#include <linux/workqueue.h>

#include "cpus.h"

struct rcr_cpus rcr_cpus;

/* On the sampler's CPU: programs it and starts its timer. */
static int start_sampler(struct rcr_sampler *s, struct rcr_run *run, bool all,
			 struct rcr_failure *f)
{
	int err;

	err = run->source->start(&run->set, &s->counters, all, f);
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

/* How often what was pushed aside is tried again. */
#define TEND_INTERVAL HZ

/* Start, stop and tending, which all may sleep, come one after the other. */
static DEFINE_MUTEX(cpus_lock);

/*
 * Makes on every CPU that is online, and unmakes on every other, what the source
 * may not make under the hotplug lock. A CPU that comes or goes meanwhile has
 * the work item come again.
 */
static int settle_all(struct rcr_run *run, bool wanted, struct rcr_failure *f)
{
	int cpu, err = 0;

	if (!run->source->settle)
		return 0;
	for_each_cpu(cpu, &rcr_cpus.mask) {
		err = run->source->settle(&run->set,
					  &rcr_cpus.sampler[cpu]->counters, cpu,
					  wanted && cpu_online(cpu), f);
		if (err && cpu_online(cpu))
			break;
		err = 0;
	}
	return err;
}

static void revive_all(struct rcr_run *run)
{
	int cpu;

	cpus_read_lock();
	for_each_cpu(cpu, &rcr_cpus.running)
		run->source->revive(&run->set, &rcr_cpus.sampler[cpu]->counters);
	cpus_read_unlock();
}

static void tend(struct work_struct *work);
static DECLARE_DEFERRABLE_WORK(tend_work, tend);

static void tend(struct work_struct *work)
{
	struct rcr_failure failure = { };

	mutex_lock(&cpus_lock);
	if (rcr_cpus.run && rcr_cpus.run->source->revive) {
		if (settle_all(rcr_cpus.run, true, &failure))
			pr_warn_once("%s\n", failure.reason);
		revive_all(rcr_cpus.run);
		schedule_delayed_work(&tend_work, TEND_INTERVAL);
	}
	mutex_unlock(&cpus_lock);
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
		memset(s->counters.reading, 0, sizeof(s->counters.reading));
	return start_sampler(s, e->run, true, e->failure);
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

static int start_all(struct rcr_run *run, bool keep_totals, struct rcr_failure *f)
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
	int err;

	mutex_lock(&cpus_lock);
	err = settle_all(run, true, f);
	if (!err)
		err = start_all(run, keep_totals, f);
	if (err)
		settle_all(run, false, f);
	else if (run->source->revive)
		schedule_delayed_work(&tend_work, TEND_INTERVAL);
	mutex_unlock(&cpus_lock);
	return err;
}

/* Stops sampling on every CPU and puts every register back. May sleep. */
void rcr_cpus_stop(void)
{
	struct rcr_failure none = { };
	struct rcr_run *run;

	mutex_lock(&cpus_lock);
	run = rcr_cpus.run;
	cpus_read_lock();
	stop_all();
	cpus_read_unlock();
	if (run)
		settle_all(run, false, &none);
	mutex_unlock(&cpus_lock);
	cancel_delayed_work_sync(&tend_work);
}

/*
 * On @cpu. Never keeps a CPU from coming up: what fails is this CPU's alone, and
 * a counter that somebody else took first is busy there until it is free.
 */
static int cpu_came(unsigned int cpu)
{
	struct rcr_sampler *s = rcr_cpus.sampler[cpu];
	struct rcr_failure failure = { };

	if (!s || !rcr_cpus.run)
		return 0;
	if (start_sampler(s, rcr_cpus.run, false, &failure))
		pr_warn("CPU %u is not sampled: %s\n", cpu, failure.reason);
	if (rcr_cpus.run->source->settle)
		mod_delayed_work(system_wq, &tend_work, 0);
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
