/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * percpu.h - functions for a single CPU, internal to this directory.
 */
#ifndef RCR_PERCPU_H
#define RCR_PERCPU_H

#include <linux/mutex.h>
#include <linux/workqueue.h>
#include "sampler/sampler.h"

/* percpu.c: start, change and stop sampling on a CPU */
int rcr_cpu_start(struct rcr_sampler *s, struct rcr_run *run, struct rcr_failure *f);
void rcr_cpu_stop(struct rcr_sampler *s);
void rcr_cpu_drop_saved(struct rcr_sampler *s);
void rcr_cpu_shutdown(struct rcr_sampler *s);
void rcr_cpu_repair(struct rcr_sampler *s);
void rcr_cpu_take_over(struct rcr_sampler *s);
void rcr_cpu_release_units(struct rcr_sampler *s);
int rcr_cpu_rewrite(struct rcr_sampler *s, u32 which, struct rcr_failure *f);
int rcr_cpu_change(struct rcr_sampler *s, struct rcr_run *old, struct rcr_run *next,
		   struct rcr_failure *f);
void rcr_cpu_change_back(struct rcr_sampler *s, struct rcr_run *old,
			 struct rcr_run *next);

/* hotplug.c: CPU hotplug */
int rcr_hotplug_init(void);
void rcr_hotplug_exit(void);

/* owner.c: owner CPUs of shared units */
void rcr_owner_online(struct rcr_sampler *s);
struct rcr_sampler *rcr_owner_next(const struct rcr_sampler *s, unsigned int scope);

/* reconcile.c: deferred work for perf events */
extern struct mutex rcr_reconcile_lock;

extern struct work_struct rcr_reconcile_repair;

int rcr_reconcile_create(const struct rcr_run *run, bool spare, struct rcr_failure *f);
void rcr_reconcile_release(const struct rcr_run *run, bool spare);
void rcr_reconcile_pause(struct rcr_run *run, bool begins);
void rcr_reconcile_start(const struct rcr_run *run);
void rcr_reconcile_hotplug(void);
void rcr_reconcile_reset(void);
void rcr_reconcile_stop(void);

#endif
