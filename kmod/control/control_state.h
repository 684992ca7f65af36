/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * control_state.h - the state of the verbs and its lock, shared by the files of control/.
 */
#ifndef RCR_CONTROL_STATE_H
#define RCR_CONTROL_STATE_H

#include <linux/mutex.h>
#include "control.h"
#include "program.h"

extern struct mutex rcr_control_lock;
extern struct rcr_control rcr_control;		/* under rcr_control_lock */

struct rcr_plan rcr_control_plan(const struct rcr_staged *set);
struct rcr_event *rcr_staged_find(const struct rcr_staged *s, const char *name);

/* hold.c: the base set and the changes of holders. Context: under rcr_control_lock. */
int rcr_hold_change_base(const struct rcr_base *next, struct rcr_failure *f);
int rcr_hold_begin(const void *holder, const struct rcr_staged *staged,
		   struct rcr_failure *f);
bool rcr_hold_end(const void *holder);
int rcr_hold_restore(struct rcr_failure *f);
void rcr_hold_end_all(void);
const struct rcr_event *rcr_hold_find(const char *name);
int rcr_hold_check_reassign(const char *name, const struct rcr_event *event,
			    struct rcr_failure *f);
void rcr_hold_reassign(const char *name, const struct rcr_event *event);
void rcr_hold_names(char text[RCR_HOLDERS_LEN]);

#endif
