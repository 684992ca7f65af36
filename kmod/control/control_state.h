/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * control_state.h - the state that the verbs change, and how they change it:
 * one at a time.
 */
#ifndef RCR_CONTROL_STATE_H
#define RCR_CONTROL_STATE_H

#include <linux/mutex.h>
#include "control.h"
#include "program.h"

extern struct mutex rcr_control_lock;
extern struct rcr_control rcr_control;		/* under rcr_control_lock */

int rcr_control_begin(const u32 *generation, struct rcr_failure *f);
int rcr_control_end(u32 *generation, int err);
struct rcr_plan rcr_control_plan(void);
struct rcr_event *rcr_control_staged(const char *name);

#endif
