/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hold.h - the base set, and the sets that are held in addition to it.
 */
#ifndef RCR_HOLD_H
#define RCR_HOLD_H

#include "control.h"

/* All below is called with rcr_control_lock held. */
int rcr_hold_change_base(const struct rcr_base *next, struct rcr_failure *f);
int rcr_hold_begin(const void *holder, const struct rcr_staged *staged,
		   struct rcr_failure *f);
bool rcr_hold_end(const void *holder);
void rcr_hold_mark_ended(const void *holder);
bool rcr_hold_end_marked(void);
int rcr_hold_restore(struct rcr_failure *f);
void rcr_hold_end_all(void);
void rcr_hold_reassign(const char *name, const struct rcr_event *event);
void rcr_hold_names(char *text, size_t size);

#endif
