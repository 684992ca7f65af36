/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cpus.h - the sampled CPUs.
 */
#ifndef RCR_CPUS_H
#define RCR_CPUS_H

#include <linux/cpumask.h>
#include "sampler/sampler.h"

/**
 * struct rcr_cpus - the sampled CPUs
 * @mask: CPUs to be sampled while they are online
 * @running: CPUs that are sampled now
 * @sampler: by CPU number; NULL for a CPU that is not in @mask
 * @overhead: cost of a tick's interrupt outside its callback, TSC cycles
 * @run: the sampled run; NULL: none. Written under the hotplug lock
 * @down: reboot in progress: no register is programmed any more
 */
struct rcr_cpus {
	struct cpumask mask;
	struct cpumask running;
	struct rcr_sampler **sampler;
	u64 overhead;
	struct rcr_run *run;
	bool down;
};

extern struct rcr_cpus rcr_cpus;

int rcr_cpus_init(const struct cpumask *mask);
void rcr_cpus_exit(void);
int rcr_cpus_probe(const struct cpumask *mask, struct rcr_failure *f);
int rcr_cpus_change(struct rcr_run *next, bool ask, struct rcr_failure *f);
void rcr_cpus_stop(void);
void rcr_cpus_shutdown(void);
void rcr_cpus_resume(struct rcr_run *run);
int rcr_cpus_rewrite(u32 which, struct rcr_failure *f);
void rcr_cpus_halt(u32 halted);
bool rcr_cpus_core_use(struct rcr_core_use *use);
u8 rcr_cpus_status(unsigned int counter, struct cpumask *not_ok);

#endif
