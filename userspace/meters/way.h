/* SPDX-License-Identifier: GPL-2.0-or-later */
/* way.h - how a meter of the family is measured. */
#ifndef METERS_WAY_H
#define METERS_WAY_H

#include "events.h"
#include "rcr_meters.h"
#include "session.h"

/**
 * struct meter_way - how a meter is measured
 * @row: row of the catalogue
 * @form: its form
 * @event: the events of its counters in the module's form, "NAME=..."
 * @count: entries of @event
 */
struct meter_way {
	const struct catalogue_row *row;
	struct rcr_form form;
	char event[RCR_MAX_COUNTERS][RCR_EVENT_LEN];
	unsigned int count;
};

int meter_choose_way(struct session *s, const struct rcr_meters *meters, const char *name,
		     struct meter_way *found);

#endif
