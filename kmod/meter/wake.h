/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * wake.h - makes a meter together with the counters that it needs.
 */
#ifndef RCR_WAKE_H
#define RCR_WAKE_H

#include "meter.h"

struct rcr_event;

int rcr_meters_wake(u32 *generation, const char *name, const struct rcr_event *event,
		    unsigned int count, struct rcr_failure *f);
int rcr_meters_add_with(u32 *generation, const struct rcr_meter_spec *spec,
			const struct rcr_event *event, unsigned int count,
			struct rcr_failure *f);

#endif
