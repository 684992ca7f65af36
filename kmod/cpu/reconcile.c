// SPDX-License-Identifier: GPL-2.0-only
/*
 * reconcile.c - deferred work for perf events: creates and releases those that cannot be
 * touched under the hotplug lock, and re-enables pinned events that lost their counter.
 */
#include <linux/bitops.h>
#include <linux/cpu.h>
#include <linux/smp.h>
#include <linux/workqueue.h>

#include "percpu.h"
#include "cpus.h"
#include "source/source.h"

/*
 * Interval of retries for events without a counter. All work items here are unbound: they
 * sleep with locks held, and would not run on a CPU that a real-time task keeps busy.
 */
#define RECONCILE_INTERVAL HZ

/* Serializes start, stop and reconciliation, which all may sleep. */
DEFINE_MUTEX(rcr_reconcile_lock);

static struct rcr_cpu_counters *cpu_side(int cpu, bool spare)
{
	struct rcr_sampler *s = rcr_cpus.sampler[cpu];

	return spare ? s->spare : s->counters;
}

/* Detach dead events on each CPU; all events if they are not @wanted. */
static bool detach_all(const struct rcr_run *run, bool spare, bool wanted)
{
	bool any = false;
	int cpu;

	for_each_cpu(cpu, &rcr_cpus.mask)
		any |= rcr_perf_detach(&run->set, cpu_side(cpu, spare), cpu,
				       wanted && cpu_online(cpu));
	return any;
}

static void wait_for_tick(void *unused)
{
}

/*
 * Ticks read the events in hard interrupts, so after an IPI to each CPU none reads a
 * detached event. There is one wait for all events of all CPUs, and none for RCU, which a
 * real-time task on any CPU can delay.
 */
static void release_all(const struct rcr_run *run, bool spare)
{
	int cpu;

	if (!spare)
		on_each_cpu_mask(&rcr_cpus.running, wait_for_tick, NULL, true);
	for_each_cpu(cpu, &rcr_cpus.mask)
		rcr_perf_release_detached(&run->set, cpu_side(cpu, spare));
}

/**
 * rcr_reconcile_release() - release the events that rcr_reconcile_create() created
 * @run: the run; NULL: nothing is done
 * @spare: it is not sampled: its counters are the spare ones
 *
 * Context: may sleep; under rcr_reconcile_lock, not under the hotplug lock.
 */
void rcr_reconcile_release(const struct rcr_run *run, bool spare)
{
	if (run && detach_all(run, spare, false))
		release_all(run, spare);
}

/* Counters whose event is missing on some online CPU, bit n for counter n. */
static u32 missing_anywhere(const struct rcr_run *run, bool spare)
{
	u32 missing = 0;
	int cpu;

	for_each_cpu_and(cpu, &rcr_cpus.mask, cpu_online_mask)
		missing |= rcr_perf_missing(&run->set, cpu_side(cpu, spare), cpu);
	return missing;
}

/*
 * Creating a tracepoint takes a kernel mutex that the release of any other tracepoint holds
 * for a grace period of RCU. While a CPU, sampled or not, may delay that, tracepoints are
 * not created and stay busy.
 */
static u32 creatable_events(const struct rcr_run *run, bool spare)
{
	struct rcr_failure f = { };

	if (!(missing_anywhere(run, spare) & run->set.tracepoints) ||
	    !rcr_cpus_probe(cpu_online_mask, &f))
		return ~0u;
	return ~run->set.tracepoints;
}

/**
 * rcr_reconcile_create() - create missing events that may not be created under the hotplug
 * lock on all online CPUs, and release those of offline CPUs
 * @run: the run
 * @spare: it is not sampled yet: its counters are the spare ones
 * @f: filled in on failure
 *
 * A CPU that goes online or offline meanwhile queues the work item again. Dead events are
 * released first: an offline CPU may hold all counters of a unit that has a new owner.
 *
 * Context: may sleep; under rcr_reconcile_lock, not under the hotplug lock.
 * Return: 0, or -errno of a CPU that is online.
 */
int rcr_reconcile_create(const struct rcr_run *run, bool spare, struct rcr_failure *f)
{
	int cpu, err = 0;
	u32 which;

	if (detach_all(run, spare, true))
		release_all(run, spare);
	which = creatable_events(run, spare);
	for_each_cpu_and(cpu, &rcr_cpus.mask, cpu_online_mask)
		err = rcr_perf_create_late(&run->set, cpu_side(cpu, spare), cpu, which, f) ?: err;
	return err;
}

/**
 * rcr_reconcile_pause() - mark the span in which the kernel stops events of its PMUs
 * @run: the sampled run; NULL: none
 * @begins: true before the span, false after it
 *
 * Each event reports a gap during the span and in the first sample after it.
 */
void rcr_reconcile_pause(struct rcr_run *run, bool begins)
{
	int cpu;

	for_each_cpu(cpu, &rcr_cpus.mask)
		rcr_readings_pause(rcr_cpus.sampler[cpu]->counters,
				   run ? run->set.driven : 0, begins);
}

static void reenable_all(struct rcr_run *run)
{
	int cpu;

	cpus_read_lock();
	for_each_cpu(cpu, &rcr_cpus.running)
		rcr_perf_reenable(&run->set, rcr_cpus.sampler[cpu]->counters);
	cpus_read_unlock();
}

/* Set when a CPU goes online or offline: a shared unit may have a new owner CPU. */
static bool moved;

/* The kernel chooses the new owner CPU only after our hotplug callbacks have run. */
static void clear_elsewhere(void)
{
	int cpu;

	cpus_read_lock();
	for_each_cpu(cpu, &rcr_cpus.mask)
		rcr_cpus.sampler[cpu]->counters->elsewhere = 0;
	cpus_read_unlock();
}

static void reconcile_events(struct work_struct *work);
static DECLARE_DEFERRABLE_WORK(reconcile_work, reconcile_events);

static void repair_cpus(struct work_struct *work)
{
	int cpu;

	mutex_lock(&rcr_reconcile_lock);
	cpus_read_lock();
	for_each_cpu(cpu, &rcr_cpus.running)
		rcr_cpu_repair(rcr_cpus.sampler[cpu]);
	cpus_read_unlock();
	mutex_unlock(&rcr_reconcile_lock);
}

/* Queued by ticks that find misplaced events. */
DECLARE_WORK(rcr_reconcile_repair, repair_cpus);

static void reconcile_run(struct rcr_run *run)
{
	struct rcr_failure failure = { };
	bool has_moved = xchg(&moved, false);
	/* perf stops the other events of a PMU while one of them is recreated. */
	bool stops = has_moved || (missing_anywhere(run, false) & run->set.driven);

	if (stops)
		rcr_reconcile_pause(run, true);
	if (has_moved)
		clear_elsewhere();
	if (rcr_reconcile_create(run, false, &failure))
		pr_warn_once("%s\n", rcr_failure_text(&failure));
	if (stops)
		rcr_reconcile_pause(run, false);
}

/* True if perf counts an event of the run; @run may be NULL. */
static bool has_perf_events(const struct rcr_run *run)
{
	return run && run->set.by[RCR_SOURCE_PERF];
}

static void reconcile_events(struct work_struct *work)
{
	mutex_lock(&rcr_reconcile_lock);
	if (has_perf_events(rcr_cpus.run)) {
		reconcile_run(rcr_cpus.run);
		reenable_all(rcr_cpus.run);
		queue_delayed_work(system_unbound_wq, &reconcile_work, RECONCILE_INTERVAL);
	}
	mutex_unlock(&rcr_reconcile_lock);
}

/* Start the retries for a run that is sampled. */
void rcr_reconcile_start(const struct rcr_run *run)
{
	if (has_perf_events(run))
		queue_delayed_work(system_unbound_wq, &reconcile_work, RECONCILE_INTERVAL);
}

/* Reconcile after a CPU went online or offline. Called in a hotplug callback. */
void rcr_reconcile_hotplug(void)
{
	WRITE_ONCE(moved, true);
	if (has_perf_events(rcr_cpus.run))
		mod_delayed_work(system_unbound_wq, &reconcile_work, 0);
}

/* Forget changes of owners before a run that is created from scratch. */
void rcr_reconcile_reset(void)
{
	WRITE_ONCE(moved, false);
}

/* Cancel all work items after sampling has stopped. May sleep. */
void rcr_reconcile_stop(void)
{
	cancel_delayed_work_sync(&reconcile_work);
	cancel_work_sync(&rcr_reconcile_repair);
}
