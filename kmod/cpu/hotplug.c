// SPDX-License-Identifier: GPL-2.0-only
/*
 * hotplug.c - CPU hotplug: start and stop the sampler, and move shared units to another CPU.
 */
#include <linux/bits.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/smp.h>

#include "percpu.h"
#include "cpus.h"

static int state;	/* dynamic hotplug state */

/*
 * Start to sample a CPU that comes online; called on that CPU. Never prevents it from coming
 * online: on failure it is not sampled, and a counter that another tool holds is
 * RCR_STATUS_BUSY until that tool releases it.
 */
static int hotplug_online(unsigned int cpu)
{
	struct rcr_sampler *s = rcr_cpus.sampler[cpu];
	struct rcr_failure failure = { };

	if (!s)
		return 0;
	rcr_owner_online(s);
	if (!rcr_cpus.run)
		return 0;
	if (rcr_cpu_start(s, rcr_cpus.run, &failure))
		pr_warn("CPU %u is not sampled: %s\n", cpu, rcr_failure_text(&failure));
	rcr_reconcile_hotplug();
	return 0;
}

/* Let other CPUs of its units read the shared counters of a CPU that goes offline. */
static void hand_over_units(struct rcr_sampler *s)
{
	u32 owned = s->owns;
	struct rcr_sampler *next;
	unsigned int scope;

	rcr_cpu_release_units(s);
	for (scope = RCR_SCOPE_CPU + 1; scope < RCR_SCOPES; scope++) {
		next = owned & BIT(scope) ? rcr_owner_next(s, scope) : NULL;
		if (!next)
			continue;
		next->owns |= BIT(scope);
		if (rcr_cpus.run && rcr_cpus.run->set.scope[scope])
			rcr_cpu_take_over(next);
	}
}

/* Stop sampling a CPU that goes offline; called on that CPU. */
static int hotplug_offline(unsigned int cpu)
{
	struct rcr_sampler *s = rcr_cpus.sampler[cpu];

	if (!s)
		return 0;
	rcr_cpu_stop(s);
	rcr_sampler_flush(s);
	hand_over_units(s);
	rcr_reconcile_hotplug();
	return 0;
}

/**
 * rcr_hotplug_init() - register the hotplug callbacks, and assign units to online CPUs
 *
 * Context: may sleep.
 * Return: 0, or -errno.
 */
int rcr_hotplug_init(void)
{
	int cpu;

	cpus_read_lock();
	state = cpuhp_setup_state_nocalls_cpuslocked(CPUHP_AP_ONLINE_DYN,
						     "x86/rcrtool:online", hotplug_online,
						     hotplug_offline);
	for_each_cpu(cpu, &rcr_cpus.mask)
		if (state >= 0 && cpu_online(cpu))
			rcr_owner_online(rcr_cpus.sampler[cpu]);
	cpus_read_unlock();
	return min(state, 0);
}

/*
 * Unregister the hotplug callbacks after sampling has stopped. Does not call them: that would
 * wait for a thread of each CPU, which a real-time task may prevent from running. May sleep.
 */
void rcr_hotplug_exit(void)
{
	cpuhp_remove_state_nocalls(state);
}
