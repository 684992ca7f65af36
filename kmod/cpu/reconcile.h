/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * reconcile.h - looks after what sources count through the kernel.
 */
#ifndef RCR_TEND_H
#define RCR_TEND_H

#include <linux/mutex.h>
#include <linux/workqueue.h>
#include "sampler/run.h"

extern struct mutex rcr_tend_lock;

extern struct work_struct rcr_tend_repair;

int rcr_tend_settle(const struct rcr_run *run, bool spare, struct rcr_failure *f);
void rcr_tend_unsettle(const struct rcr_run *run, bool spare);
void rcr_tend_disturb(struct rcr_run *run, bool begins);
void rcr_tend_start(const struct rcr_run *run);
void rcr_tend_soon(void);
void rcr_tend_forget(void);
void rcr_tend_stop(void);

#endif
