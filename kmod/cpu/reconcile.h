/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * reconcile.h - looks after what sources count through the kernel.
 */
#ifndef RCR_RECONCILE_H
#define RCR_RECONCILE_H

#include <linux/mutex.h>
#include <linux/workqueue.h>
#include "ring/run.h"

extern struct mutex rcr_reconcile_lock;

extern struct work_struct rcr_reconcile_repair;

int rcr_reconcile_settle(const struct rcr_run *run, bool spare, struct rcr_failure *f);
void rcr_reconcile_unsettle(const struct rcr_run *run, bool spare);
void rcr_reconcile_disturb(struct rcr_run *run, bool begins);
void rcr_reconcile_start(const struct rcr_run *run);
void rcr_reconcile_soon(void);
void rcr_reconcile_forget(void);
void rcr_reconcile_stop(void);

#endif
