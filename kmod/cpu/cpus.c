// SPDX-License-Identifier: GPL-2.0-only
/*
 * cpus.c - start, change and stop sampling on all CPUs.
 */
#include <linux/cpu.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/topology.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "percpu.h"
#include "cpus.h"
#include "source/source.h"

struct rcr_cpus rcr_cpus;

/* A CPU that runs no work item for this long makes a change fail. */
#define RESPONSE_TIMEOUT	HZ

/**
 * struct cpu_response - work item that shows that a CPU runs work items
 * @work: the work item
 * @number: number of the latest check it has responded to
 */
struct cpu_response {
	struct work_struct work;
	u32 number;
};

static DEFINE_PER_CPU(struct cpu_response, cpu_response);
static u32 check_number;		/* under rcr_reconcile_lock */
static DECLARE_WAIT_QUEUE_HEAD(response_wait);

static void respond_to_check(struct work_struct *work)
{
	struct cpu_response *r = container_of(work, struct cpu_response, work);

	WRITE_ONCE(r->number, READ_ONCE(check_number));
	wake_up(&response_wait);
}

static int first_unresponsive(const struct cpumask *mask)
{
	int cpu;

	for_each_cpu_and(cpu, mask, cpu_online_mask)
		if (READ_ONCE(per_cpu(cpu_response, cpu).number) != check_number)
			return cpu;
	return -1;
}

/**
 * rcr_cpus_probe() - check that each CPU still runs work items
 * @mask: the CPUs; offline ones are ignored
 * @f: filled in on failure
 *
 * A real-time task can keep a CPU from running them. On failure the work items are cancelled,
 * but not waited for.
 *
 * Context: may sleep, at most for RESPONSE_TIMEOUT; under rcr_reconcile_lock.
 * Return: 0, or -EBUSY.
 */
int rcr_cpus_probe(const struct cpumask *mask, struct rcr_failure *f)
{
	int cpu;

	WRITE_ONCE(check_number, check_number + 1);
	for_each_cpu_and(cpu, mask, cpu_online_mask)
		queue_work_on(cpu, system_highpri_wq, &per_cpu(cpu_response, cpu).work);
	if (wait_event_timeout(response_wait, first_unresponsive(mask) < 0, RESPONSE_TIMEOUT))
		return 0;
	cpu = first_unresponsive(mask);
	if (cpu < 0)
		return 0;
	rcr_fail_with(f, -EBUSY, cpumask_test_cpu(cpu, &rcr_cpus.mask) ?
		      RCR_REASON_BUSY_CPU : RCR_REASON_BUSY_CPU_TRACEPOINT, "%u", cpu);
	for_each_cpu(cpu, mask)
		cancel_work(&per_cpu(cpu_response, cpu).work);
	return f->error;
}

/* Fail if no sampled CPU reads some counter, because its owner CPU is not in the mask. */
static int check_readers(const struct rcr_run *run, struct rcr_failure *f)
{
	unsigned int i;
	u32 read = 0;
	int cpu;

	for_each_cpu_and(cpu, &rcr_cpus.mask, cpu_online_mask)
		read |= ~rcr_cpus.sampler[cpu]->spare->elsewhere;
	for (i = 0; i < run->set.count; i++)
		if (!(read & BIT(i)))
			return rcr_fail_with(f, -ENODEV, RCR_REASON_CPU_NOT_SAMPLED, "%s",
					     run->set.counter[i].name);
	return 0;
}

/*
 * Called when no register is programmed for @run any more. During a reboot it is never freed,
 * as rcr_cpus_shutdown() may still access it.
 */
static void keep_for_shutdown(struct rcr_run *run)
{
	smp_mb();	/* Pairs with rcr_cpus_shutdown(): one sees the other's write. */
	if (READ_ONCE(rcr_cpus.down))
		rcr_run_get(run);
}

/* Change the run on all CPUs or on none. */
static int change_all(struct rcr_run *old, struct rcr_run *next, struct rcr_failure *f)
{
	int cpu, back, err = 0;

	cpus_read_lock();
	for_each_cpu(cpu, &rcr_cpus.mask) {
		err = rcr_cpu_change(rcr_cpus.sampler[cpu], old, next, f);
		if (err)
			break;
	}
	if (err) {
		for_each_cpu(back, &rcr_cpus.mask) {
			if (back == cpu)
				break;
			rcr_cpu_change_back(rcr_cpus.sampler[back], old, next);
		}
		keep_for_shutdown(next);
	} else {
		rcr_cpus.run = next;
	}
	cpus_read_unlock();
	return err;
}

/* Zero the counters except for the serial number, by which a stale slow snapshot is detected. */
static void clear_spare(struct rcr_cpu_counters *c)
{
	u32 serial = c->slow.serial;

	memset(c, 0, sizeof(*c));
	WRITE_ONCE(c->slow.serial, serial + 1);
}

static void clear_spares(void)
{
	int cpu;

	for_each_cpu(cpu, &rcr_cpus.mask)
		clear_spare(rcr_cpus.sampler[cpu]->spare);
}

/**
 * rcr_cpus_change() - replace the sampled run on all online CPUs, or on none
 * @next: the next run, with a ring for each CPU
 * @ask: fail if a CPU does not run work items
 * @f: filled in on failure
 *
 * Counters that are in both sets keep counting, even on failure. On failure the other counters
 * of the old set continue with a gap.
 *
 * Context: may sleep; not under the hotplug lock; callers are serialized.
 * Return: 0, or -errno.
 */
int rcr_cpus_change(struct rcr_run *next, bool ask, struct rcr_failure *f)
{
	struct rcr_run *old = rcr_cpus.run;
	int err;

	mutex_lock(&rcr_reconcile_lock);
	err = ask ? rcr_cpus_probe(next->set.tracepoints ? cpu_online_mask : &rcr_cpus.mask, f) : 0;
	if (err)
		goto out;
	clear_spares();
	if (!old)
		rcr_reconcile_reset();
	rcr_reconcile_pause(old, true);
	err = rcr_reconcile_create(next, true, f);
	if (!err)
		err = check_readers(next, f);
	if (!err)
		err = change_all(old, next, f);
	if (err) {
		rcr_reconcile_release(next, true);
	} else {
		memset(next->set.from, RCR_FROM_NONE, sizeof(next->set.from));
		rcr_reconcile_release(old, true);
		rcr_reconcile_start(next);
	}
	rcr_reconcile_pause(rcr_cpus.run, false);
out:
	mutex_unlock(&rcr_reconcile_lock);
	return err;
}

/* Stop sampling on all CPUs and restore all registers. May sleep. */
void rcr_cpus_stop(void)
{
	struct rcr_run *run;
	int cpu;

	mutex_lock(&rcr_reconcile_lock);
	run = rcr_cpus.run;
	cpus_read_lock();
	for_each_cpu_and(cpu, &rcr_cpus.mask, cpu_online_mask)
		rcr_cpu_stop(rcr_cpus.sampler[cpu]);
	for_each_cpu(cpu, &rcr_cpus.mask)
		rcr_cpu_drop_saved(rcr_cpus.sampler[cpu]);
	if (run)
		keep_for_shutdown(run);
	rcr_cpus.run = NULL;
	cpus_read_unlock();
	rcr_reconcile_release(run, false);
	mutex_unlock(&rcr_reconcile_lock);
	rcr_reconcile_stop();
}

/**
 * rcr_cpus_shutdown() - restore all registers for a reboot, and program none from now on
 *
 * Uses interrupts, which a busy CPU cannot delay. Events of perf are left to perf's own reboot
 * notifier. A change that is in progress on a CPU fails, see program_here() in percpu.c.
 *
 * Context: process, without locks; does not wait for any task.
 */
void rcr_cpus_shutdown(void)
{
	int cpu;

	/* Ordered before the interrupts, which are full barriers on their CPUs. */
	WRITE_ONCE(rcr_cpus.down, true);
	smp_mb();	/* Pairs with that of keep_for_shutdown(). */
	for_each_cpu(cpu, &rcr_cpus.mask)
		rcr_cpu_shutdown(rcr_cpus.sampler[cpu]);
}

/**
 * rcr_cpus_resume() - continue to sample a stopped run; totals continue
 * @run: the run that was sampled last
 *
 * A CPU that fails is not sampled, which is logged.
 *
 * Context: may sleep; not under the hotplug lock; callers are serialized.
 */
void rcr_cpus_resume(struct rcr_run *run)
{
	struct rcr_failure f = { };
	int cpu;

	mutex_lock(&rcr_reconcile_lock);
	rcr_reconcile_create(run, false, &f);
	cpus_read_lock();
	rcr_cpus.run = run;
	for_each_cpu_and(cpu, &rcr_cpus.mask, cpu_online_mask)
		if (rcr_cpu_start(rcr_cpus.sampler[cpu], run, &f))
			pr_warn("CPU %d is not sampled: %s\n", cpu, rcr_failure_text(&f));
	cpus_read_unlock();
	rcr_reconcile_start(run);
	mutex_unlock(&rcr_reconcile_lock);
}

/* Rewrite the counters of a CPU; start it if that failed before. */
static int rewrite_cpu(struct rcr_sampler *s, u32 which, struct rcr_failure *f)
{
	if (!cpumask_test_cpu(s->cpu, &rcr_cpus.running))
		return rcr_cpu_start(s, rcr_cpus.run, f);
	return rcr_cpu_rewrite(s, which, f);
}

/**
 * rcr_cpus_rewrite() - reprogram overwritten counters
 * @which: the counters, bit n for counter n
 * @f: filled in on failure
 *
 * Context: may sleep; a run is sampled; callers are serialized.
 * Return: 0, or -errno of a CPU that failed; all other CPUs are rewritten.
 */
int rcr_cpus_rewrite(u32 which, struct rcr_failure *f)
{
	int cpu, err = 0;

	mutex_lock(&rcr_reconcile_lock);
	cpus_read_lock();
	for_each_cpu_and(cpu, &rcr_cpus.mask, cpu_online_mask)
		err = rewrite_cpu(rcr_cpus.sampler[cpu], which, f) ?: err;
	cpus_read_unlock();
	mutex_unlock(&rcr_reconcile_lock);
	return err;
}

/**
 * rcr_cpus_halt() - set the halted counters of all CPUs
 * @halted: all halted counters, bit n for counter n; already stored in the set
 *
 * Context: may sleep; a run is sampled; callers are serialized.
 */
void rcr_cpus_halt(u32 halted)
{
	int cpu;

	/* A CPU that is started later copies @halted from the set. */
	cpus_read_lock();
	for_each_cpu(cpu, &rcr_cpus.mask)
		WRITE_ONCE(rcr_cpus.sampler[cpu]->counters->halted, halted);
	cpus_read_unlock();
}

static unsigned int count_used(const struct rcr_core_use *use)
{
	return use->used + use->others + (use->watchdog == RCR_WATCHDOG_ON);
}

/**
 * rcr_cpus_core_use() - determine the use of the general counters of a core
 * @use: filled in for the sampled CPU with the fewest free counters
 *
 * Context: may sleep; callers are serialized.
 * Return: true if a CPU is sampled.
 */
bool rcr_cpus_core_use(struct rcr_core_use *use)
{
	struct rcr_core_use one;
	bool any = false;
	int cpu;

	mutex_lock(&rcr_reconcile_lock);
	cpus_read_lock();
	for_each_cpu(cpu, &rcr_cpus.running) {
		rcr_sources_core_use(&rcr_cpus.run->set, rcr_cpus.sampler[cpu]->counters, cpu,
				     &one);
		if (!any || count_used(&one) > count_used(use))
			*use = one;
		any = true;
	}
	cpus_read_unlock();
	mutex_unlock(&rcr_reconcile_lock);
	return any;
}

/* Rank of a status: the highest is reported for several CPUs. */
static unsigned int status_rank(u8 status)
{
	static const u8 order[] = {
		[RCR_STATUS_OK] = 1, [RCR_STATUS_HALTED] = 2, [RCR_STATUS_OFFLINE] = 3,
		[RCR_STATUS_GAP] = 4, [RCR_STATUS_BUSY] = 5, [RCR_STATUS_MISPLACED] = 6,
		[RCR_STATUS_FOREIGN] = 7, [RCR_STATUS_FAULT] = 8,
	};

	return status < ARRAY_SIZE(order) ? order[status] : 0;
}

/* True if a kernel driver counts a shared unit, and chooses another CPU if its CPU goes offline. */
static bool is_kernel_shared(const struct rcr_counter_set *set, unsigned int counter)
{
	return (set->driven & BIT(counter)) &&
	       set->counter[counter].scope != RCR_SCOPE_CPU;
}

static u8 status_on(int cpu, unsigned int counter)
{
	const struct rcr_cpu_counters *c = rcr_cpus.sampler[cpu]->counters;

	if (!(c->owned & BIT(counter)) || (c->elsewhere & BIT(counter)))
		return RCR_STATUS_ELSEWHERE;
	if (!cpumask_test_cpu(cpu, &rcr_cpus.running))
		return is_kernel_shared(&rcr_cpus.run->set, counter) ?
		       RCR_STATUS_ELSEWHERE : RCR_STATUS_OFFLINE;
	if (rcr_is_halted(&rcr_cpus.run->set, counter))
		return RCR_STATUS_HALTED;
	return READ_ONCE(c->status[counter]);
}

/**
 * rcr_cpus_status() - status of a counter on all CPUs
 * @counter: its number in the set
 * @not_ok: filled in with the CPUs where it is not RCR_STATUS_OK
 *
 * Context: a run is sampled and does not change meanwhile.
 * Return: the status with the highest rank.
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
		if (status_rank(status) > status_rank(worst))
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
		rcr_sampler_init(s, cpu, rcr_cpus.overhead);
		s->repair = &rcr_reconcile_repair;
		rcr_cpus.sampler[cpu] = s;
	}
	return 0;
}

static void free_samplers(void)
{
	int cpu;

	for_each_cpu(cpu, &rcr_cpus.mask) {
		if (!rcr_cpus.sampler[cpu])
			continue;
		rcr_sampler_flush(rcr_cpus.sampler[cpu]);
		rcr_scales_forget(cpu);
		kfree(rcr_cpus.sampler[cpu]);
	}
	kfree(rcr_cpus.sampler);
}

/**
 * rcr_cpus_init() - allocate the samplers and register the hotplug callbacks
 * @mask: the CPUs to be sampled while they are online
 *
 * Context: may sleep.
 * Return: 0, or -errno and nothing is allocated.
 */
int rcr_cpus_init(const struct cpumask *mask)
{
	int ret, cpu;

	for_each_possible_cpu(cpu)
		INIT_WORK(&per_cpu(cpu_response, cpu).work, respond_to_check);
	cpumask_copy(&rcr_cpus.mask, mask);
	rcr_cpus.overhead = rcr_cost_overhead();
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

/* Undo rcr_cpus_init(). Sampling has stopped; may sleep. */
void rcr_cpus_exit(void)
{
	int cpu;

	rcr_hotplug_exit();
	free_samplers();
	for_each_possible_cpu(cpu)
		cancel_work_sync(&per_cpu(cpu_response, cpu).work);
}
