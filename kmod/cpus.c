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

/* On the sampler's CPU, which is programmed for @run: starts its timer. */
static void resume_sampler(struct rcr_sampler *s, struct rcr_run *run)
{
	rcr_sampler_start(s, run);
	cpumask_set_cpu(s->cpu, &rcr_cpus.running);
}

/* On the sampler's CPU: no tick comes any more. */
static bool pause_sampler(struct rcr_sampler *s)
{
	if (!cpumask_test_and_clear_cpu(s->cpu, &rcr_cpus.running))
		return false;
	rcr_sampler_stop(s);
	return true;
}

/* On the sampler's CPU: programs it and starts its timer. */
static int start_sampler(struct rcr_sampler *s, struct rcr_run *run, bool all,
			 struct rcr_failure *f)
{
	int err;

	err = run->source->start(&run->set, s->counters, all, f);
	if (err)
		run->source->stop(&run->set, s->counters);
	else
		resume_sampler(s, run);
	return err;
}

/* On the sampler's CPU: nothing of ours is left there. */
static void stop_sampler(struct rcr_sampler *s)
{
	if (pause_sampler(s))
		s->run->source->stop(&s->run->set, s->counters);
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
static int settle_all(const struct rcr_run *run, bool spare, bool wanted,
		      struct rcr_failure *f)
{
	struct rcr_sampler *s;
	int cpu, err = 0;

	if (!run || !run->source->settle)
		return 0;
	for_each_cpu(cpu, &rcr_cpus.mask) {
		s = rcr_cpus.sampler[cpu];
		err = run->source->settle(&run->set, spare ? s->spare : s->counters,
					  cpu, wanted && cpu_online(cpu), f);
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
		run->source->revive(&run->set, rcr_cpus.sampler[cpu]->counters);
	cpus_read_unlock();
}

static void tend(struct work_struct *work);
static DECLARE_DEFERRABLE_WORK(tend_work, tend);

static void tend(struct work_struct *work)
{
	struct rcr_failure failure = { };

	mutex_lock(&cpus_lock);
	if (rcr_cpus.run && rcr_cpus.run->source->revive) {
		if (settle_all(rcr_cpus.run, false, true, &failure))
			pr_warn_once("%s\n", failure.reason);
		revive_all(rcr_cpus.run);
		schedule_delayed_work(&tend_work, TEND_INTERVAL);
	}
	mutex_unlock(&cpus_lock);
}

static void start_tending(const struct rcr_run *run)
{
	if (run->source->revive)
		schedule_delayed_work(&tend_work, TEND_INTERVAL);
}

/* What a CPU is asked to do by another one. */
struct errand {
	struct rcr_run *old;
	struct rcr_run *next;
	u32 which;
	struct rcr_failure *failure;
};

/* What goes on in the next set moves there, or back, as it is: untouched. */
static void move_counter(struct rcr_cpu_counters *to, unsigned int i,
			 struct rcr_cpu_counters *from, unsigned int k)
{
	to->reading[i] = from->reading[k];
	to->saved[i] = from->saved[k];
	to->saved_upper[i] = from->saved_upper[k];
	to->event[i] = from->event[k];
	from->saved[k].taken = false;
	from->saved_upper[k].taken = false;
	from->event[k] = NULL;
}

static void inherit(const struct rcr_counter_set *next,
		    struct rcr_cpu_counters *to, struct rcr_cpu_counters *from)
{
	unsigned int i;

	for (i = 0; i < next->count; i++)
		if (next->from[i] != RCR_FROM_NONE)
			move_counter(to, i, from, next->from[i]);
	to->begin = from->begin;
	to->end = from->end;
	to->faults = from->faults;
}

static void give_back(const struct rcr_counter_set *next,
		      struct rcr_cpu_counters *from, struct rcr_cpu_counters *to)
{
	unsigned int i;

	for (i = 0; i < next->count; i++)
		if (next->from[i] != RCR_FROM_NONE)
			move_counter(to, next->from[i], from, i);
	to->faults = from->faults;
}

/* On the sampler's CPU: takes the next set off, and goes on with the old one. */
static void go_back(struct rcr_sampler *s, const struct errand *e)
{
	struct rcr_failure f = { };

	give_back(&e->next->set, s->spare, s->counters);
	e->next->source->stop(&e->next->set, s->spare);
	if (e->old && start_sampler(s, e->old, false, &f))
		pr_warn("CPU %d is not sampled any more: %s\n", s->cpu, f.reason);
}

/* On the sampler's CPU: from the old set to the next one, or neither. */
static int change_errand(void *arg)
{
	struct rcr_sampler *s = rcr_cpus.sampler[smp_processor_id()];
	struct errand *e = arg;
	int err;

	pause_sampler(s);
	inherit(&e->next->set, s->spare, s->counters);
	if (e->old)
		e->old->source->stop(&e->old->set, s->counters);
	err = e->next->source->start(&e->next->set, s->spare, true, e->failure);
	if (err) {
		go_back(s, e);
		return err;
	}
	rcr_sampler_swap(s);
	resume_sampler(s, e->next);
	return 0;
}

/* On the sampler's CPU, which has changed: another CPU could not. */
static int back_errand(void *arg)
{
	struct rcr_sampler *s = rcr_cpus.sampler[smp_processor_id()];

	pause_sampler(s);
	rcr_sampler_swap(s);
	go_back(s, arg);
	return 0;
}

static int stop_errand(void *arg)
{
	stop_sampler(rcr_cpus.sampler[smp_processor_id()]);
	return 0;
}

/* An offline CPU has totals, and nothing else. */
static int change_one(int cpu, struct errand *e)
{
	struct rcr_sampler *s = rcr_cpus.sampler[cpu];

	if (cpu_online(cpu))
		return smp_call_on_cpu(cpu, change_errand, e, false);
	inherit(&e->next->set, s->spare, s->counters);
	rcr_sampler_swap(s);
	return 0;
}

static void change_back(int cpu, struct errand *e)
{
	struct rcr_sampler *s = rcr_cpus.sampler[cpu];

	if (cpu_online(cpu)) {
		smp_call_on_cpu(cpu, back_errand, e, false);
		return;
	}
	rcr_sampler_swap(s);
	give_back(&e->next->set, s->spare, s->counters);
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

	mutex_lock(&cpus_lock);
	clear_spares();
	err = settle_all(next, true, true, f);
	if (!err)
		err = change_all(&e);
	if (err) {
		settle_all(next, true, false, &none);
	} else {
		memset(next->set.from, RCR_FROM_NONE, sizeof(next->set.from));
		settle_all(e.old, true, false, &none);
		start_tending(next);
	}
	mutex_unlock(&cpus_lock);
	return err;
}

/* Stops sampling on every CPU and puts every register back. May sleep. */
void rcr_cpus_stop(void)
{
	struct rcr_failure none = { };
	struct rcr_run *run;
	int cpu;

	mutex_lock(&cpus_lock);
	run = rcr_cpus.run;
	cpus_read_lock();
	for_each_cpu(cpu, &rcr_cpus.mask)
		if (cpu_online(cpu))
			smp_call_on_cpu(cpu, stop_errand, NULL, false);
	rcr_cpus.run = NULL;
	cpus_read_unlock();
	settle_all(run, false, false, &none);
	mutex_unlock(&cpus_lock);
	cancel_delayed_work_sync(&tend_work);
}

static int resume_errand(void *arg)
{
	struct rcr_sampler *s = rcr_cpus.sampler[smp_processor_id()];
	struct errand *e = arg;

	return start_sampler(s, e->next, false, e->failure);
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

	mutex_lock(&cpus_lock);
	settle_all(run, false, true, &f);
	cpus_read_lock();
	rcr_cpus.run = run;
	for_each_cpu(cpu, &rcr_cpus.mask)
		if (cpu_online(cpu) &&
		    smp_call_on_cpu(cpu, resume_errand, &e, false))
			pr_warn("CPU %d is not sampled: %s\n", cpu, f.reason);
	cpus_read_unlock();
	start_tending(run);
	mutex_unlock(&cpus_lock);
}

/* A CPU that could not be sampled when it came is tried again. */
static int rewrite_errand(void *arg)
{
	struct rcr_sampler *s = rcr_cpus.sampler[smp_processor_id()];
	struct errand *e = arg;

	if (!cpumask_test_cpu(s->cpu, &rcr_cpus.running))
		return start_sampler(s, e->next, false, e->failure);
	return s->run->source->rewrite(&s->run->set, s->counters, e->which,
				       e->failure);
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

	mutex_lock(&cpus_lock);
	cpus_read_lock();
	for_each_cpu(cpu, &rcr_cpus.mask)
		if (cpu_online(cpu))
			err = smp_call_on_cpu(cpu, rewrite_errand, &e, false) ?: err;
	cpus_read_unlock();
	mutex_unlock(&cpus_lock);
	return err;
}

/* From what a user needs to know first to what needs nothing done. */
static unsigned int badness(u8 status)
{
	static const u8 order[] = {
		RCR_STATUS_OK, RCR_STATUS_HALTED, RCR_STATUS_OFFLINE,
		RCR_STATUS_GAP, RCR_STATUS_BUSY, RCR_STATUS_FOREIGN,
		RCR_STATUS_FAULT,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(order); i++)
		if (order[i] == status)
			return i;
	return 0;
}

static u8 status_on(int cpu, unsigned int counter)
{
	if (!cpumask_test_cpu(cpu, &rcr_cpus.running))
		return RCR_STATUS_OFFLINE;
	if (rcr_is_halted(&rcr_cpus.run->set, counter))
		return RCR_STATUS_HALTED;
	return READ_ONCE(rcr_cpus.sampler[cpu]->counters->reading[counter].status);
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
	u8 worst = RCR_STATUS_OK, status;
	int cpu;

	cpumask_clear(not_ok);
	for_each_cpu_and(cpu, &rcr_cpus.mask, cpu_present_mask) {
		status = status_on(cpu, counter);
		if (status != RCR_STATUS_OK)
			cpumask_set_cpu(cpu, not_ok);
		if (badness(status) > badness(worst))
			worst = status;
	}
	return worst;
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
