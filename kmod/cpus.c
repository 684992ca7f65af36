// SPDX-License-Identifier: GPL-2.0-only
/*
 * cpus.c - has each CPU start, change and stop sampling, as runs change and as
 * CPUs come and go.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/topology.h>
#include <linux/workqueue.h>

#include "cpu.h"
#include "cpus.h"
#include "owner.h"
#include "sources.h"

struct rcr_cpus rcr_cpus;

/* How often what was pushed aside is tried again. */
#define TEND_INTERVAL HZ

/* Start, stop and tending, which all may sleep, come one after the other. */
static DEFINE_MUTEX(cpus_lock);

static int settle_those(const struct rcr_run *run, bool spare, bool online,
			bool wanted, struct rcr_failure *f)
{
	struct rcr_sampler *s;
	int cpu, err = 0;

	for_each_cpu(cpu, &rcr_cpus.mask) {
		if (cpu_online(cpu) != online)
			continue;
		s = rcr_cpus.sampler[cpu];
		err = rcr_sources_settle(&run->set, spare ? s->spare : s->counters,
					 cpu, wanted, f) ?: err;
	}
	return err;
}

/*
 * Makes on every CPU that is online, and unmakes on every other, what the source
 * may not make under the hotplug lock. A CPU that comes or goes meanwhile has
 * the work item come again. What is unmade first makes room: a CPU that is gone
 * may have had all counters of a unit that another one reads now.
 */
static int settle_all(const struct rcr_run *run, bool spare, bool wanted,
		      struct rcr_failure *f)
{
	if (!run)
		return 0;
	settle_those(run, spare, false, false, f);
	return settle_those(run, spare, true, wanted, f);
}

/*
 * The kernel is about to stop, for a moment, the counters of its own PMUs: until
 * @begins is over, and once behind that, each tells a gap.
 */
static void disturb(struct rcr_run *run, bool begins)
{
	unsigned long which = run ? run->set.driven : 0;
	struct rcr_cpu_counters *c;
	unsigned int i;
	int cpu;

	for_each_cpu(cpu, &rcr_cpus.mask) {
		c = rcr_cpus.sampler[cpu]->counters;
		for_each_set_bit(i, &which, RCR_MAX_COUNTERS)
			rcr_reading_interrupt(&c->reading[i]);
		/* Pairs with the tick's read: it knows of the gap before. */
		smp_store_release(&c->disturbed, begins ? which : 0);
	}
}

static void revive_all(struct rcr_run *run)
{
	int cpu;

	cpus_read_lock();
	for_each_cpu(cpu, &rcr_cpus.running)
		rcr_sources_revive(&run->set, rcr_cpus.sampler[cpu]->counters);
	cpus_read_unlock();
}

/* Set when a CPU comes or goes: whoever reads a shared unit may be another now. */
static bool moved;

/* Once the kernel has made up its mind, which it does behind our callbacks. */
static void look_again(void)
{
	int cpu;

	cpus_read_lock();
	for_each_cpu(cpu, &rcr_cpus.mask)
		rcr_cpus.sampler[cpu]->counters->elsewhere = 0;
	cpus_read_unlock();
}

static void tend(struct work_struct *work);
static DECLARE_DEFERRABLE_WORK(tend_work, tend);

static void tend_run(struct rcr_run *run)
{
	struct rcr_failure failure = { };
	bool again = xchg(&moved, false);

	if (again) {
		disturb(run, true);
		look_again();
	}
	if (settle_all(run, false, true, &failure))
		pr_warn_once("%s\n", failure.reason);
	if (again)
		disturb(run, false);
}

static void tend(struct work_struct *work)
{
	mutex_lock(&cpus_lock);
	if (rcr_cpus.run && rcr_sources_tended(&rcr_cpus.run->set)) {
		tend_run(rcr_cpus.run);
		revive_all(rcr_cpus.run);
		schedule_delayed_work(&tend_work, TEND_INTERVAL);
	}
	mutex_unlock(&cpus_lock);
}

static void start_tending(const struct rcr_run *run)
{
	if (rcr_sources_tended(&run->set))
		schedule_delayed_work(&tend_work, TEND_INTERVAL);
}

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

	mutex_lock(&cpus_lock);
	clear_spares();
	if (!e.old)
		WRITE_ONCE(moved, false);
	disturb(e.old, true);
	err = settle_all(next, true, true, f);
	if (!err)
		err = check_readers(next, f);
	if (!err)
		err = change_all(&e);
	if (err) {
		settle_all(next, true, false, &none);
	} else {
		memset(next->set.from, RCR_FROM_NONE, sizeof(next->set.from));
		settle_all(e.old, true, false, &none);
		start_tending(next);
	}
	disturb(rcr_cpus.run, false);
	mutex_unlock(&cpus_lock);
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

static void tend_soon(void)
{
	WRITE_ONCE(moved, true);
	if (rcr_cpus.run && rcr_sources_tended(&rcr_cpus.run->set))
		mod_delayed_work(system_wq, &tend_work, 0);
}

/*
 * On @cpu. Never keeps a CPU from coming up: what fails is this CPU's alone, and
 * a counter that somebody else took first is busy there until it is free.
 */
static int cpu_came(unsigned int cpu)
{
	struct rcr_sampler *s = rcr_cpus.sampler[cpu];
	struct rcr_failure failure = { };

	if (!s)
		return 0;
	rcr_owner_came(s);
	if (!rcr_cpus.run)
		return 0;
	if (rcr_cpu_start(s, rcr_cpus.run, &failure))
		pr_warn("CPU %u is not sampled: %s\n", cpu, failure.reason);
	tend_soon();
	return 0;
}

static void take_over(void *arg)
{
	rcr_cpu_take_over(arg);
}

/* Is this the last of the scopes that go to its CPU? */
static bool is_last(struct rcr_sampler *const *next, unsigned int scope)
{
	unsigned int i;

	for (i = scope + 1; i < RCR_SCOPES; i++)
		if (next[i] == next[scope])
			return false;
	return next[scope];
}

/*
 * What the CPU that goes has shared with others, one of these reads. Each takes over
 * at once all that it gets: what is slow is read then, and two such readings between
 * two samples would count what no sample has told the beginning of.
 */
static void hand_over(struct rcr_sampler *s)
{
	struct rcr_sampler *next[RCR_SCOPES] = { };
	u32 owned = s->owns;
	unsigned int scope;

	rcr_cpu_let_go(s);
	for (scope = RCR_SCOPE_CPU + 1; scope < RCR_SCOPES; scope++) {
		next[scope] = owned & BIT(scope) ? rcr_owner_next(s, scope) : NULL;
		if (next[scope])
			next[scope]->owns |= BIT(scope);
	}
	for (scope = RCR_SCOPE_CPU + 1; scope < RCR_SCOPES; scope++)
		if (rcr_cpus.run && is_last(next, scope))
			smp_call_function_single(next[scope]->cpu, take_over, next[scope],
						 true);
}

/* On @cpu, which goes. */
static int cpu_goes(unsigned int cpu)
{
	struct rcr_sampler *s = rcr_cpus.sampler[cpu];

	if (!s)
		return 0;
	rcr_cpu_stop(s);
	hand_over(s);
	tend_soon();
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
