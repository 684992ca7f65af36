/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cpus.h - the sampled CPUs, as they come and go.
 */
#ifndef RCR_CPUS_H
#define RCR_CPUS_H

#include <linux/cpumask.h>
#include "sampler.h"

/**
 * struct rcr_cpus - the sampled CPUs
 * @mask: which CPUs are to be sampled when they are online
 * @running: which are sampled now
 * @sampler: by CPU number; NULL for one that is not in @mask
 * @sampling: what they sample
 * @capacity: slots of each ring
 * @record_size: bytes of each record
 * @state: our place among the hotplug callbacks, 0 when not registered
 * @starting: the first start on all CPUs, in which a failure is everybody's
 */
struct rcr_cpus {
	struct cpumask mask;
	struct cpumask running;
	struct rcr_sampler **sampler;
	struct rcr_sampling sampling;
	u32 capacity;
	u32 record_size;
	int state;
	bool starting;
};

extern struct rcr_cpus rcr_cpus;

int rcr_cpus_alloc(u32 capacity, unsigned int counters);
void rcr_cpus_free(void);
int rcr_cpus_start(void);
void rcr_cpus_stop(void);

#endif
