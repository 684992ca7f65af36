// SPDX-License-Identifier: GPL-2.0-only
/*
 * cpus.c - has each CPU start, change and stop sampling, as runs change.
 */
#include <linux/cpu.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/topology.h>

#include "cpu.h"
#include "cpus.h"
#include "hotplug.h"
#include "sources.h"
#include "tend.h"

struct rcr_cpus rcr_cpus;

/* What a CPU is asked to do by another one. */
struct errand {
	struct rcr_run *old;
	struct rcr_run *next;
	u32 which;
	struct rcr_failure *failure;
};

static struct rcr_sampler *sampler_here(void)
{
	return rcr_cpus.sampler[smp_processor_id()];
}

static int change_errand(void *arg)
{
	struct errand *e = arg;

	return rcr_cpu_change(sampler_here(), e->old, e->next, e->failure);
}

static int back_errand(void *arg)
{
	struct errand *e = arg;

	rcr_cpu_change_back(sampler_here(), e->old, e->next);
	return 0;
}

static int change_one(int cpu, struct errand *e)
{
	if (cpu_online(cpu))
		return smp_call_on_cpu(cpu, change_errand, e, false);
	rcr_cpu_change_absent(rcr_cpus.sampler[cpu], e->next);
	return 0;
}

static void change_back(int cpu, struct errand *e)
{
	if (cpu_online(cpu))
		smp_call_on_cpu(cpu, back_errand, e, false);
	else
		rcr_cpu_change_back_absent(rcr_cpus.sampler[cpu], e->next);
}

/* Somebody must read each counter: its CPU may not be among those that are sampled. */
static int check_readers(const struct rcr_run *run, struct rcr_failure *f)
{
	unsigned int i;
	u32 read = 0;
	int cpu;

	for_each_cpu(cpu, &rcr_cpus.mask)
		if (cpu_online(cpu))
			read |= ~rcr_cpus.sampler[cpu]->spare->elsewhere;
	for (i = 0; i < run->set.count; i++)
		if (!(read & BIT(i)))
			return rcr_fail(f, -ENODEV,
				"%s: the CPU on which the kernel reads it is not sampled: load rcrtool with it in cpus=.",
				run->set.counter[i].name);
	return 0;
}

/* On all CPUs or on none. */
static int change_all(struct errand *e)
{
	int cpu, back, err = 0;

	cpus_read_lock();
	for_each_cpu(cpu, &rcr_cpus.mask) {
		err = change_one(cpu, e);
		if (err)
			break;
	}
	if (err) {
		for_each_cpu(back, &rcr_cpus.mask) {
			if (back == cpu)
				break;
			change_back(back, e);
		}
	} else {
		rcr_cpus.run = e->next;
	}
	cpus_read_unlock();
	return err;
}

static void clear_spares(void)
{
	int cpu;

	for_each_cpu(cpu, &rcr_cpus.mask)
		memset(rcr_cpus.sampler[cpu]->spare, 0,
		       sizeof(*rcr_cpus.sampler[cpu]->spare));
}

/**
 * rcr_cpus_change() - goes from the run that is sampled to the next one, on
 * every CPU that is online or on none
 * @next: the run, with a ring for each CPU
 * @f: gets the reason when it fails
 *
 * Counters that the next set has from the old one count on, untouched, whether
 * it fails or not. When it fails the others of the old set go on with a gap.
 *
 * Context: may sleep; not under the hotplug lock; callers are serialized.
 * Return: 0, or -errno.
 */
int rcr_cpus_change(struct rcr_run *next, struct rcr_failure *f)
{
	struct errand e = { .old = rcr_cpus.run, .next = next, .failure = f };
	struct rcr_failure none = { };
	int err;

	mutex_lock(&rcr_tend_lock);
	clear_spares();
	if (!e.old)
		rcr_tend_forget();
	rcr_tend_disturb(e.old, true);
	err = rcr_tend_settle(next, true, true, f);
	if (!err)
		err = check_readers(next, f);
	if (!err)
		err = change_all(&e);
	if (err) {
		rcr_tend_settle(next, true, false, &none);
	} else {
		memset(next->set.from, RCR_FROM_NONE, sizeof(next->set.from));
		rcr_tend_settle(e.old, true, false, &none);
		rcr_tend_start(next);
	}
	rcr_tend_disturb(rcr_cpus.run, false);
	mutex_unlock(&rcr_tend_lock);
	return err;
}

static int stop_errand(void *arg)
{
	rcr_cpu_stop(sampler_here());
	return 0;
}

/* Stops sampling on every CPU and puts every register back. May sleep. */
void rcr_cpus_stop(void)
{
	struct rcr_failure none = { };
	struct rcr_run *run;
	int cpu;

	mutex_lock(&rcr_tend_lock);
	run = rcr_cpus.run;
	cpus_read_lock();
	for_each_cpu(cpu, &rcr_cpus.mask)
		if (cpu_online(cpu))
			smp_call_on_cpu(cpu, stop_errand, NULL, false);
	rcr_cpus.run = NULL;
	cpus_read_unlock();
	rcr_tend_settle(run, false, false, &none);
	mutex_unlock(&rcr_tend_lock);
	rcr_tend_stop();
}

static int resume_errand(void *arg)
{
	struct errand *e = arg;

	return rcr_cpu_start(sampler_here(), e->next, e->failure);
}

/**
 * rcr_cpus_resume() - samples again what was stopped; totals go on
 * @run: what was sampled last
 *
 * A CPU that cannot is not sampled, and says so in the log.
 *
 * Context: may sleep; not under the hotplug lock; callers are serialized.
 */
void rcr_cpus_resume(struct rcr_run *run)
{
	struct rcr_failure f = { };
	struct errand e = { .next = run, .failure = &f };
	int cpu;

	mutex_lock(&rcr_tend_lock);
	rcr_tend_settle(run, false, true, &f);
	cpus_read_lock();
	rcr_cpus.run = run;
	for_each_cpu(cpu, &rcr_cpus.mask)
		if (cpu_online(cpu) &&
		    smp_call_on_cpu(cpu, resume_errand, &e, false))
			pr_warn("CPU %d is not sampled: %s\n", cpu, f.reason);
	cpus_read_unlock();
	rcr_tend_start(run);
	mutex_unlock(&rcr_tend_lock);
}

/* A CPU that could not be sampled when it came is tried again. */
static int rewrite_errand(void *arg)
{
	struct rcr_sampler *s = sampler_here();
	struct errand *e = arg;

	if (!cpumask_test_cpu(s->cpu, &rcr_cpus.running))
		return rcr_cpu_start(s, e->next, e->failure);
	return rcr_cpu_rewrite(s, e->which, e->failure);
}

/**
 * rcr_cpus_rewrite() - programs again what is not as it should be
 * @which: the counters, bit n for counter n
 * @f: gets the reason when it fails
 *
 * Context: may sleep; something is sampled; callers are serialized.
 * Return: 0, or -errno of a CPU where it could not be; all others are as they
 * should be.
 */
int rcr_cpus_rewrite(u32 which, struct rcr_failure *f)
{
	struct errand e = { .next = rcr_cpus.run, .which = which, .failure = f };
	int cpu, err = 0;

	mutex_lock(&rcr_tend_lock);
	cpus_read_lock();
	for_each_cpu(cpu, &rcr_cpus.mask)
		if (cpu_online(cpu))
			err = smp_call_on_cpu(cpu, rewrite_errand, &e, false) ?: err;
	cpus_read_unlock();
	mutex_unlock(&rcr_tend_lock);
	return err;
}

/* From what a user needs to know first to what needs nothing done. */
static unsigned int badness(u8 status)
{
	static const u8 order[] = {
		RCR_STATUS_ELSEWHERE, RCR_STATUS_OK, RCR_STATUS_HALTED, RCR_STATUS_OFFLINE,
		RCR_STATUS_GAP, RCR_STATUS_BUSY, RCR_STATUS_FOREIGN,
		RCR_STATUS_FAULT,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(order); i++)
		if (order[i] == status)
			return i;
	return 0;
}

/* The kernel has another CPU read it when the one that did is gone. */
static bool is_kernel_shared(const struct rcr_counter_set *set, unsigned int counter)
{
	return (set->driven & BIT(counter)) &&
	       set->counter[counter].scope != RCR_SCOPE_CPU;
}

static u8 status_on(int cpu, unsigned int counter)
{
	const struct rcr_cpu_counters *c = rcr_cpus.sampler[cpu]->counters;

	if (!(c->mine & BIT(counter)) || (c->elsewhere & BIT(counter)))
		return RCR_STATUS_ELSEWHERE;
	if (!cpumask_test_cpu(cpu, &rcr_cpus.running))
		return is_kernel_shared(&rcr_cpus.run->set, counter) ?
		       RCR_STATUS_ELSEWHERE : RCR_STATUS_OFFLINE;
	if (rcr_is_halted(&rcr_cpus.run->set, counter))
		return RCR_STATUS_HALTED;
	return READ_ONCE(c->reading[counter].status);
}

/**
 * rcr_cpus_status() - how a counter fares
 * @counter: its number in the set
 * @not_ok: gets the CPUs where it is not RCR_STATUS_OK
 *
 * Context: something is sampled, and is not changed meanwhile.
 * Return: the status of the CPU that fares worst.
 */
u8 rcr_cpus_status(unsigned int counter, struct cpumask *not_ok)
{
	u8 worst = RCR_STATUS_ELSEWHERE, status;
	int cpu;

	cpumask_clear(not_ok);
	for_each_cpu_and(cpu, &rcr_cpus.mask, cpu_present_mask) {
		status = status_on(cpu, counter);
		if (status != RCR_STATUS_OK && status != RCR_STATUS_ELSEWHERE)
			cpumask_set_cpu(cpu, not_ok);
		if (badness(status) > badness(worst))
			worst = status;
	}
	return worst;
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
		ret = rcr_hotplug_init();
	if (ret)
		free_samplers();
	return ret;
}

/* Nothing is sampled any more. May sleep. */
void rcr_cpus_exit(void)
{
	rcr_hotplug_exit();
	free_samplers();
}
