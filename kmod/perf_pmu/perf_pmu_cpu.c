// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf_pmu_cpu.c - the CPU that all events of the PMU are bound to, as for an uncore PMU. Any
 * CPU can read the blackboard; when the CPU goes offline, the events migrate to another one.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/minmax.h>
#include <linux/perf_event.h>

#include "meter/meter.h"
#include "perf_pmu.h"

static struct pmu *meter_pmu;
static int event_cpu = -1;	/* -1: none; written by hotplug callbacks, which are serialized */
static int hp_state;

/* Choose the first sampled CPU that is online, else any online CPU, but not @except. */
static int choose_event_cpu(int except)
{
	unsigned int lane;
	int cpu;

	for (lane = 0; lane < rcr_groups_lanes(); lane++) {
		cpu = rcr_groups_cpu(lane);
		if (cpu != except && cpu_online(cpu))
			return cpu;
	}
	cpu = cpumask_any_but(cpu_online_mask, except);
	return cpu < nr_cpu_ids ? cpu : -1;
}

static int perf_pmu_online(unsigned int unused)
{
	if (event_cpu < 0)
		WRITE_ONCE(event_cpu, choose_event_cpu(-1));
	return 0;
}

/* Called on @cpu before perf removes its events. */
static int perf_pmu_offline(unsigned int cpu)
{
	int next;

	if (event_cpu != cpu)
		return 0;
	next = choose_event_cpu(cpu);
	WRITE_ONCE(event_cpu, next);
	if (next >= 0)
		perf_pmu_migrate_context(meter_pmu, cpu, next);
	return 0;
}

/* CPU of the events; -1: none is online. Context: any. */
int rcr_perf_pmu_cpu(void)
{
	return READ_ONCE(event_cpu);
}

/**
 * rcr_perf_pmu_cpu_init() - choose the CPU of the events and register hotplug callbacks
 * @pmu: the registered PMU
 *
 * Context: may sleep.
 * Return: 0, or -errno.
 */
int rcr_perf_pmu_cpu_init(struct pmu *pmu)
{
	meter_pmu = pmu;
	/* Do not invoke the callback on online CPUs: that would wait for each CPU's thread. */
	cpus_read_lock();
	hp_state = cpuhp_setup_state_nocalls_cpuslocked(CPUHP_AP_ONLINE_DYN,
							"perf/x86/rcrtool:online", perf_pmu_online,
						     perf_pmu_offline);
	if (hp_state >= 0)
		WRITE_ONCE(event_cpu, choose_event_cpu(-1));
	cpus_read_unlock();
	return min(hp_state, 0);
}

/* Unregister the hotplug callbacks when no event exists any more. May sleep. */
void rcr_perf_pmu_cpu_exit(void)
{
	cpuhp_remove_state_nocalls(hp_state);
}
