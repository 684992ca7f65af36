// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * places.c - divides the CPUs by the topology of the machine.
 *
 * An offline CPU, whose place is not known, has a group of its own.
 */
#include <stdlib.h>
#include <string.h>

#include "rcrjob/places.h"
#include "topology.h"

/* Numbers that identify a part of the machine, of the largest part first; -1: not known. */
struct place_key {
	int number[3];
};

static struct place_key scope_key(unsigned int scope, const struct place *p)
{
	switch (scope) {
	case RCR_SCOPE_DIE:
		return (struct place_key){ { p->package, p->die, 0 } };
	case RCR_SCOPE_PACKAGE:
		return (struct place_key){ { p->package, 0, 0 } };
	case RCR_SCOPE_LLC:
		return (struct place_key){ { p->llc, 0, 0 } };
	case RCR_SCOPE_CORE:
		return (struct place_key){ { p->package, p->die, p->core } };
	default:
		/* Unknown scope: assume that all CPUs share the counter. */
		return (struct place_key){ { 0, 0, 0 } };
	}
}

static struct place_key place_key(enum job_per per, const struct place *p)
{
	switch (per) {
	case JOB_PER_CORE:
		return scope_key(RCR_SCOPE_CORE, p);
	case JOB_PER_PACKAGE:
		return scope_key(RCR_SCOPE_PACKAGE, p);
	case JOB_PER_NODE:
		return (struct place_key){ { p->node, 0, 0 } };
	default:
		return (struct place_key){ { 0, 0, 0 } };
	}
}

static bool is_known(const struct place_key *k)
{
	return k->number[0] >= 0 && k->number[1] >= 0 && k->number[2] >= 0;
}

static void find_groups(struct rate_groups *groups, unsigned int ncpus,
			const struct place_key *key)
{
	unsigned int cpu, first;

	for (cpu = 0; cpu < ncpus; cpu++) {
		for (first = 0; first < cpu; first++)
			if (is_known(&key[cpu]) && !memcmp(&key[first], &key[cpu], sizeof(*key)))
				break;
		groups->first[cpu] = first;
	}
}

/* Reads the places of all CPUs; returns NULL with errno set if memory ran out. */
static struct place *read_places(unsigned int ncpus, const char *root)
{
	struct place *place = calloc(ncpus + 1, sizeof(*place));
	static int node[CPU_LIMIT];
	unsigned int cpu;

	topology_nodes(root, node);
	for (cpu = 0; place && cpu < ncpus; cpu++) {
		place[cpu] = topology_place(root, cpu);
		place[cpu].node = cpu < CPU_LIMIT ? node[cpu] : -1;
	}
	return place;
}

int places_share(struct rate_run *r, const char *root)
{
	struct place_key *key = calloc(r->ncpus + 1, sizeof(*key));
	struct place *place = read_places(r->ncpus, root);
	unsigned int scope, cpu;
	int ret = key && place ? 0 : -1;

	for (scope = RCR_SCOPE_CPU + 1; !ret && scope < RATE_SCOPES; scope++) {
		for (cpu = 0; cpu < r->ncpus; cpu++)
			key[cpu] = scope_key(scope, &place[cpu]);
		find_groups(&r->shares[scope], r->ncpus, key);
	}
	free(key);
	free(place);
	return ret;
}

int places_divide(struct rate_groups *groups, unsigned int ncpus, enum job_per per,
		  const char *root)
{
	struct place_key *key = calloc(ncpus + 1, sizeof(*key));
	struct place *place = read_places(ncpus, root);
	unsigned int cpu;

	groups->first = calloc(ncpus + 1, sizeof(*groups->first));
	if (key && place && groups->first) {
		for (cpu = 0; cpu < ncpus; cpu++)
			key[cpu] = place_key(per, &place[cpu]);
		find_groups(groups, ncpus, key);
	}
	free(place);
	if (!key || !place || !groups->first) {
		free(key);
		return -1;
	}
	free(key);
	return 0;
}

void places_name(char name[PLACE_NAME], unsigned int cpu, enum job_per per, const char *root)
{
	static int node[CPU_LIMIT];
	struct place p = topology_place(root, cpu);

	if (per == JOB_PER_NODE)
		topology_nodes(root, node);
	p.node = cpu < CPU_LIMIT ? node[cpu] : -1;
	if (per == JOB_PER_CORE && p.core >= 0)
		snprintf(name, PLACE_NAME, "package%d/die%d/core%d", p.package, p.die, p.core);
	else if (per == JOB_PER_PACKAGE && p.package >= 0)
		snprintf(name, PLACE_NAME, "package%d", p.package);
	else if (per == JOB_PER_NODE && p.node >= 0)
		snprintf(name, PLACE_NAME, "node%d", p.node);
	else
		snprintf(name, PLACE_NAME, "unknown");
}
