// SPDX-License-Identifier: GPL-2.0-only
/*
 * owner.c - owner CPUs of shared units: the first CPU of a unit that comes online, until it
 * goes offline. Then another CPU of the unit becomes the owner.
 *
 * All functions are called in hotplug callbacks, which are serialized.
 */
#include <linux/bits.h>
#include <linux/topology.h>

#include "compat/compat.h"
#include "cpus.h"
#include "percpu.h"

/* Online CPUs, at least all that share a unit with @cpu. */
static const struct cpumask *scope_cpumask(int cpu, unsigned int scope)
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

/* The kernel does not export the CPU mask of a cache, so compare cache ids. */
static bool shares_unit(int cpu, int other, unsigned int scope)
{
	return scope != RCR_SCOPE_LLC || rcr_llc_id(cpu) == rcr_llc_id(other);
}

/* Find another CPU of a unit of @s; if @owner, the one that owns the unit. */
static struct rcr_sampler *find_sampler(const struct rcr_sampler *s, unsigned int scope,
					bool owner)
{
	struct rcr_sampler *other;
	int cpu;

	for_each_cpu_and(cpu, scope_cpumask(s->cpu, scope), &rcr_cpus.mask) {
		other = rcr_cpus.sampler[cpu];
		if (other != s && cpu_online(cpu) && shares_unit(s->cpu, cpu, scope) &&
		    (!owner || (other->owns & BIT(scope))))
			return other;
	}
	return NULL;
}

/* Make a CPU that comes online the owner of each of its units that has none. */
void rcr_owner_online(struct rcr_sampler *s)
{
	unsigned int scope;

	s->node = topology_logical_die_id(s->cpu);
	s->owns = 0;
	for (scope = RCR_SCOPE_CPU + 1; scope < RCR_SCOPES; scope++)
		if (!find_sampler(s, scope, true))
			s->owns |= BIT(scope);
}

/* Next owner of a unit of a CPU that goes offline; NULL: it is the last CPU of the unit. */
struct rcr_sampler *rcr_owner_next(const struct rcr_sampler *s, unsigned int scope)
{
	return find_sampler(s, scope, false);
}
