/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bind.h - a meter comes to life on a set, and goes to sleep on another.
 */
#ifndef RCR_BIND_H
#define RCR_BIND_H

#include "meter.h"

struct rcr_counter_set;
struct rcr_event;
struct rcr_run;

int rcr_bind(struct rcr_meter *m, const struct rcr_run *run);
int rcr_bind_check(const struct rcr_form *form, const struct rcr_counter_set *set,
		   const struct rcr_event *event, unsigned int count, struct rcr_failure *f);
int rcr_bind_groups(struct rcr_meter *m);
void rcr_bind_show(const struct rcr_meter *m);
void rcr_unbind(struct rcr_meter *m);

#endif
