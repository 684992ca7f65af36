/* SPDX-License-Identifier: GPL-2.0-or-later */
/* staged_set.h - changes of the set that are staged, and not programmed yet. */
#ifndef COMMON_STAGED_SET_H
#define COMMON_STAGED_SET_H

#include <stdio.h>
#include <string.h>

#include "rcr_control.h"

/* True if changes are staged that a hold would take with it. */
static inline bool has_staged_changes(const struct rcr_state *state)
{
	unsigned int i;

	for (i = 0; i < state->ncounters; i++) {
		const struct rcr_counter_state *c = &state->counter[i];

		if (c->staged != c->running && !c->held)
			return true;
	}
	return false;
}

/* Removes staged events, "NAME=..." in the raw form, from the staged set. */
static inline void unstage_events(struct rcr_control *c, const char *const *event,
				  unsigned int count)
{
	char name[RCR_NAME_LEN];
	unsigned int i;

	for (i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(event[i], "="), event[i]);
		rcr_control_remove(c, 0, name);
	}
}

#endif
