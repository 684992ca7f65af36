/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * event_of_spec.h - converts an event that librcr has parsed to the module's form, as
 * kmod/interface/netlink_event.c does.
 */
#ifndef UNIT_EVENT_OF_SPEC_H
#define UNIT_EVENT_OF_SPEC_H

#include <string.h>

#include "control/event.h"
#include "pmu/event.h"

static inline void flags_of_spec(struct rcr_event *e, u32 flags)
{
	bool both = !(flags & (RCR_EVENT_OS | RCR_EVENT_USER)) && rcr_event_is_hardware(e);

	e->inv = flags & RCR_EVENT_INV;
	e->edge = flags & RCR_EVENT_EDGE;
	e->os = both || flags & RCR_EVENT_OS;
	e->user = both || flags & RCR_EVENT_USER;
	e->host = flags & RCR_EVENT_HOST;
	e->guest = flags & RCR_EVENT_GUEST;
	e->per_node = flags & RCR_EVENT_PERNODE;
	e->slow = flags & RCR_EVENT_SLOW;
	e->joules = flags & RCR_EVENT_JOULES;
}

static inline struct rcr_event event_of_spec(const struct rcr_event_spec *s)
{
	bool pmu = s->type == RCR_EVENT_PMU, is_register = s->type == RCR_EVENT_REGISTER;
	struct rcr_event e = {
		.kind = is_register ? RCR_EVENT_HARDWARE : s->type,
		.is_register = is_register,
		.event = pmu ? s->pmu : s->config,
		.umask = s->umask,
		.cmask = s->cmask,
		.filter = { s->filter[0], s->filter[1] },
		.config = pmu ? s->config : 0,
		.config1 = s->config1,
		.config2 = s->config2,
		.scope = s->scope,
		.pinned = s->counter >= 0,
		.counter = s->counter >= 0 ? s->counter : 0,
	};

	strcpy(e.name, s->name);
	strcpy(e.unit, s->unit);
	flags_of_spec(&e, s->flags);
	return e;
}

#endif
