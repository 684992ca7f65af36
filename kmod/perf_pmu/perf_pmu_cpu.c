// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf_pmu_cpu.c - chooses the CPU of the PMU's events. Any CPU will do, as all read the same
 * blackboard; when it goes offline its events move to another one.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/minmax.h>
#include <linux/perf_event.h>

#include "meter/meter.h"
#include "perf_pmu.h"

static struct pmu *own;
static int chosen = -1;	/* written by hotplug callbacks only, one at a time */
static int state;	/* our state among the callbacks */

/* The first sampled CPU that is online, or any other one, except @except. */
static int choose(int except)
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

static int cpu_came(unsigned int unused)
{
	if (chosen < 0)
		WRITE_ONCE(chosen, choose(-1));
	return 0;
}

/* Called on @cpu, while perf still has its events. */
static int cpu_goes(unsigned int cpu)
{
	int next;

	if (chosen != cpu)
		return 0;
	next = choose(cpu);
	WRITE_ONCE(chosen, next);
	if (next >= 0)
		perf_pmu_migrate_context(own, cpu, next);
	return 0;
}

/* The present CPU; -1: none. Context: any. */
int rcr_perf_pmu_cpu(void)
{
	return READ_ONCE(chosen);
}

/**
 * rcr_perf_pmu_cpu_init() - chooses the CPU, and registers for hotplug
 * @pmu: the registered PMU whose events move with it
 *
 * Context: may sleep.
 * Return: 0, or -errno.
 */
int rcr_perf_pmu_cpu_init(struct pmu *pmu)
{
	own = pmu;
	/* Without calling the callbacks, which would wait for a thread of each CPU. */
	cpus_read_lock();
	state = cpuhp_setup_state_nocalls_cpuslocked(CPUHP_AP_ONLINE_DYN,
						     "perf/x86/rcrtool:online", cpu_came,
						     cpu_goes);
	if (state >= 0)
		WRITE_ONCE(chosen, choose(-1));
	cpus_read_unlock();
	return min(state, 0);
}

/* Context: no event is left; may sleep. */
void rcr_perf_pmu_cpu_exit(void)
{
	cpuhp_remove_state_nocalls(state);
}
