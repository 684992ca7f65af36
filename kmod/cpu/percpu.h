/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * percpu.h - one CPU: starts and stops sampling there, and goes from one run to the
 * next.
 */
#ifndef RCR_PERCPU_H
#define RCR_PERCPU_H

#include "sampler/sampler.h"

int rcr_cpu_start(struct rcr_sampler *s, struct rcr_run *run, struct rcr_failure *f);
void rcr_cpu_stop(struct rcr_sampler *s);
void rcr_cpu_forget(struct rcr_sampler *s);
void rcr_cpu_shutdown(struct rcr_sampler *s);
void rcr_cpu_repair(struct rcr_sampler *s);
void rcr_cpu_take_over(struct rcr_sampler *s);
void rcr_cpu_let_go(struct rcr_sampler *s);
int rcr_cpu_rewrite(struct rcr_sampler *s, u32 which, struct rcr_failure *f);
int rcr_cpu_change(struct rcr_sampler *s, struct rcr_run *old, struct rcr_run *next,
		   struct rcr_failure *f);
void rcr_cpu_change_back(struct rcr_sampler *s, struct rcr_run *old,
			 struct rcr_run *next);

#endif
