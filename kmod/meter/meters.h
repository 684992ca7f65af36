/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * meters.h - all meters: made, bound to what is counted, changed, taken away.
 */
#ifndef RCR_METERS_H
#define RCR_METERS_H

#include <linux/mutex.h>
#include <linux/notifier.h>

#include "meter.h"

struct cpumask;
struct rcr_run;

extern struct mutex rcr_meters_lock;
extern struct rcr_meter *rcr_meters[RCR_METERS_MAX];	/* under it */
extern u32 rcr_meters_changes;		/* likewise: of the list, and of its counters; not 0 */
extern struct blocking_notifier_head rcr_meters_chain;	/* some came or went */

int rcr_meters_init(const struct cpumask *sampled);
void rcr_meters_exit(void);
void rcr_meters_bind_all(const struct rcr_run *run);
void rcr_meters_look_after(const struct rcr_run *run, bool came);

int rcr_meters_add(const struct rcr_meter_spec *spec, struct rcr_failure *f);
int rcr_meters_foresee(const struct rcr_meter_spec *spec, u32 *serial,
		       struct rcr_failure *f);
int rcr_meters_admit(u32 serial, int err, struct rcr_failure *f);
int rcr_meters_remove(const char *name, struct rcr_failure *f);
int rcr_meters_reset(const char *name, struct rcr_failure *f);
int rcr_meters_set_maximum(const char *name, const struct rcr_maxima *x, u32 mix,
			   bool theoretical, struct rcr_failure *f);
int rcr_meters_post(const char *name, unsigned int place, s64 value,
		    struct rcr_failure *f);
struct rcr_meter *rcr_meters_find(const char *name);
struct rcr_meter *rcr_meters_look_up(const char *name, struct rcr_failure *f);

#endif
