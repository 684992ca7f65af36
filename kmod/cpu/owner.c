// SPDX-License-Identifier: GPL-2.0-only
/*
 * owner.c - which CPU reads what several CPUs share: the first of a unit that
 * comes, until it goes. Then another one of the unit takes over.
 *
 * All of it is called from hotplug callbacks, which come one after the other.
 */
#include <linux/bits.h>
#include <linux/topology.h>

#include "compat/compat.h"
#include "cpus.h"
#include "percpu.h"

/* CPUs among which those are that share a unit with @cpu; online ones only. */
static const struct cpumask *around(int cpu, unsigned int scope)
{
	switch (scope) {
	case RCR_SCOPE_DIE:
		return topology_die_cpumask(cpu);
	case RCR_SCOPE_CORE:
		return topology_sibling_cpumask(cpu);
	default:
		return topology_core_cpumask(cpu);
	}
}

/* No module may see the kernel's mask of a cache: the number tells, too. */
static bool share(int cpu, int other, unsigned int scope)
{
	return scope != RCR_SCOPE_LLC || rcr_llc_id(cpu) == rcr_llc_id(other);
}

/* A CPU of the unit that owns it, or any other one, but not @s itself. */
static struct rcr_sampler *find(const struct rcr_sampler *s, unsigned int scope,
				bool owner)
{
	struct rcr_sampler *other;
	int cpu;

	for_each_cpu_and(cpu, around(s->cpu, scope), &rcr_cpus.mask) {
		other = rcr_cpus.sampler[cpu];
		if (other != s && cpu_online(cpu) && share(s->cpu, cpu, scope) &&
		    (!owner || (other->owns & BIT(scope))))
			return other;
	}
	return NULL;
}

/* A CPU is there: it owns each unit that nobody owns. */
void rcr_owner_came(struct rcr_sampler *s)
{
	unsigned int scope;

	s->node = topology_logical_die_id(s->cpu);
	s->owns = 0;
	for (scope = RCR_SCOPE_CPU + 1; scope < RCR_SCOPES; scope++)
		if (!find(s, scope, true))
			s->owns |= BIT(scope);
}

/* Who may own a unit of a CPU that goes; NULL: its last CPU has gone. */
struct rcr_sampler *rcr_owner_next(const struct rcr_sampler *s, unsigned int scope)
{
	return find(s, scope, false);
}
