// SPDX-License-Identifier: GPL-2.0-only
/*
 * reconcile.c - looks after what sources count through the kernel: makes what may not be
 * made in a hotplug callback, and tries again what was pushed aside.
 */
#include <linux/bitops.h>
#include <linux/cpu.h>
#include <linux/smp.h>
#include <linux/workqueue.h>

#include "percpu.h"
#include "cpus.h"
#include "source/sources.h"
#include "reconcile.h"

/*
 * How often what was pushed aside is tried again. All work items here are unbound: they
 * sleep with locks held, and a CPU that a real-time task keeps busy would not go on.
 */
#define RECONCILE_INTERVAL HZ

/* Start, stop and reconciling, which all may sleep, come one after the other. */
DEFINE_MUTEX(rcr_reconcile_lock);

static struct rcr_cpu_counters *side_of(int cpu, bool spare)
{
	struct rcr_sampler *s = rcr_cpus.sampler[cpu];

	return spare ? s->spare : s->counters;
}

/* On each CPU those that are dead; all of them where they are not @wanted. */
static bool detach_all(const struct rcr_run *run, bool spare, bool wanted)
{
	bool any = false;
	int cpu;

	for_each_cpu(cpu, &rcr_cpus.mask)
		any |= rcr_sources_detach(&run->set, side_of(cpu, spare), cpu,
					  wanted && cpu_online(cpu));
	return any;
}

static void end_tick(void *unused)
{
}

/*
 * The ticks that may be reading what is detached are over: all their readers are in hard
 * interrupts, which this one does not interrupt. One wait for all events of all CPUs, and
 * none for RCU, to which a CPU that a real-time task keeps busy may not report.
 */
static void release_all(const struct rcr_run *run, bool spare)
{
	int cpu;

	if (!spare)
		on_each_cpu_mask(&rcr_cpus.running, end_tick, NULL, true);
	for_each_cpu(cpu, &rcr_cpus.mask)
		rcr_sources_release_detached(&run->set, side_of(cpu, spare));
}

/**
 * rcr_reconcile_unsettle() - ends what rcr_reconcile_settle() has created
 * @run: the run; NULL: nothing is done
 * @spare: it is not sampled: its counters are the spare ones
 *
 * Context: may sleep; under rcr_reconcile_lock, not under the hotplug lock.
 */
void rcr_reconcile_unsettle(const struct rcr_run *run, bool spare)
{
	if (run && detach_all(run, spare, false))
		release_all(run, spare);
}

/* What some CPU that is online lacks, bit n for counter n. */
static u32 lacks_anywhere(const struct rcr_run *run, bool spare)
{
	u32 lacks = 0;
	int cpu;

	for_each_cpu(cpu, &rcr_cpus.mask)
		if (cpu_online(cpu))
			lacks |= rcr_sources_lacks(&run->set, side_of(cpu, spare), cpu);
	return lacks;
}

/*
 * A tracepoint is created under a mutex that the end of any other one holds until RCU has a
 * grace period: not while a CPU, sampled or not, may keep RCU from that. It is busy then.
 */
static u32 creatable(const struct rcr_run *run, bool spare)
{
	struct rcr_failure f = { };

	if (!(lacks_anywhere(run, spare) & run->set.tracepoints) ||
	    !rcr_cpus_ask(cpu_online_mask, &f))
		return ~0u;
	return ~run->set.tracepoints;
}

/**
 * rcr_reconcile_settle() - creates on every CPU that is online, and ends on every other,
 * what a source may not create under the hotplug lock
 * @run: the run
 * @spare: it is not sampled yet: its counters are the spare ones
 * @f: filled in on failure
 *
 * A CPU that comes or goes meanwhile queues the work item again. What is dead ends
 * first: a CPU that is gone may have had all counters of a unit that another one reads
 * now.
 *
 * Context: may sleep; under rcr_reconcile_lock, not under the hotplug lock.
 * Return: 0, or -errno of a CPU that is online.
 */
int rcr_reconcile_settle(const struct rcr_run *run, bool spare, struct rcr_failure *f)
{
	int cpu, err = 0;
	u32 which;

	if (detach_all(run, spare, true))
		release_all(run, spare);
	which = creatable(run, spare);
	for_each_cpu(cpu, &rcr_cpus.mask)
		if (cpu_online(cpu))
			err = rcr_sources_settle(&run->set, side_of(cpu, spare), cpu, which, f) ?:
			      err;
	return err;
}

/**
 * rcr_reconcile_disturb() - the kernel stops for a moment the counters of its own PMUs
 * @run: what is sampled; NULL: nothing
 * @begins: it is about to; else that is over
 *
 * Until it is over, and once after that, each tells a gap.
 */
void rcr_reconcile_disturb(struct rcr_run *run, bool begins)
{
	int cpu;

	for_each_cpu(cpu, &rcr_cpus.mask)
		rcr_readings_disturb(rcr_cpus.sampler[cpu]->counters,
				     run ? run->set.driven : 0, begins);
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

static void reconcile(struct work_struct *work);
static DECLARE_DEFERRABLE_WORK(reconcile_work, reconcile);

static void repair(struct work_struct *work)
{
	int cpu;

	mutex_lock(&rcr_reconcile_lock);
	cpus_read_lock();
	for_each_cpu(cpu, &rcr_cpus.running)
		rcr_cpu_repair(rcr_cpus.sampler[cpu]);
	cpus_read_unlock();
	mutex_unlock(&rcr_reconcile_lock);
}

/* Ticks queue it when they find events on counters that cannot count them. */
DECLARE_WORK(rcr_reconcile_repair, repair);

static void reconcile_run(struct rcr_run *run)
{
	struct rcr_failure failure = { };
	bool has_moved = xchg(&moved, false);
	/* perf stops the others while one that was pushed aside is created anew. */
	bool stops = has_moved || (lacks_anywhere(run, false) & run->set.driven);

	if (stops)
		rcr_reconcile_disturb(run, true);
	if (has_moved)
		look_again();
	if (rcr_reconcile_settle(run, false, &failure))
		pr_warn_once("%s\n", failure.reason);
	if (stops)
		rcr_reconcile_disturb(run, false);
}

static void reconcile(struct work_struct *work)
{
	mutex_lock(&rcr_reconcile_lock);
	if (rcr_cpus.run && rcr_sources_tended(&rcr_cpus.run->set)) {
		reconcile_run(rcr_cpus.run);
		revive_all(rcr_cpus.run);
		queue_delayed_work(system_unbound_wq, &reconcile_work, RECONCILE_INTERVAL);
	}
	mutex_unlock(&rcr_reconcile_lock);
}

/* A run is sampled from now on. */
void rcr_reconcile_start(const struct rcr_run *run)
{
	if (rcr_sources_tended(&run->set))
		queue_delayed_work(system_unbound_wq, &reconcile_work, RECONCILE_INTERVAL);
}

/* A CPU comes or goes. In a hotplug callback. */
void rcr_reconcile_soon(void)
{
	WRITE_ONCE(moved, true);
	if (rcr_cpus.run && rcr_sources_tended(&rcr_cpus.run->set))
		mod_delayed_work(system_unbound_wq, &reconcile_work, 0);
}

/* All CPUs look anew at what is shared when the next run is made: nothing has moved. */
void rcr_reconcile_forget(void)
{
	WRITE_ONCE(moved, false);
}

/* Nothing is sampled any more. May sleep. */
void rcr_reconcile_stop(void)
{
	cancel_delayed_work_sync(&reconcile_work);
	cancel_work_sync(&rcr_reconcile_repair);
}
