/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tend.h - looks after what sources count through the kernel.
 */
#ifndef RCR_TEND_H
#define RCR_TEND_H

#include <linux/mutex.h>
#include "run.h"

extern struct mutex rcr_tend_lock;

int rcr_tend_settle(const struct rcr_run *run, bool spare, bool wanted,
		    struct rcr_failure *f);
void rcr_tend_disturb(struct rcr_run *run, bool begins);
void rcr_tend_start(const struct rcr_run *run);
void rcr_tend_soon(void);
void rcr_tend_forget(void);
void rcr_tend_stop(void);

#endif
