// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * compile.c - compiles formulas with the counters of the running set, those about to be added
 * to it, and other meters.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "meters.h"

const struct rcr_counter_state *meter_counter(const struct session *s, const char *name)
{
	unsigned int i;

	for (i = 0; i < s->state.ncounters; i++)
		if (s->state.counter[i].running && !strcmp(s->state.counter[i].name, name))
			return &s->state.counter[i];
	return NULL;
}

/* True for a gauge: temperatures are the only gauges among the events. */
static bool is_gauge(const char *event)
{
	return strstr(event, "register:temp-");
}

bool meter_event_is_named(const char *event, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(event, name, len) && event[len] == '=';
}

/* Finds a counter of the set, or one about to be added to it. */
static int find_formula_counter(void *context, const char *name, char canonical[RCR_NAME_LEN],
				bool *gauge)
{
	const struct meanings *m = context;
	const struct rcr_counter_state *counter = meter_counter(m->session, name);
	const char *event = counter ? counter->event : NULL;
	unsigned int i;

	for (i = 0; !event && i < m->count; i++)
		if (meter_event_is_named(m->events[i], name))
			event = m->events[i];
	if (!event)
		return -1;
	snprintf(canonical, RCR_NAME_LEN, "%s", name);
	*gauge = is_gauge(event);
	return 0;
}

static const struct rcr_form *find_form(void *context, const char *name, unsigned int *digits)
{
	const struct meanings *m = context;
	const struct rcr_meter_state *meter = rcr_meters_find(m->meters, name);

	if (!meter || meter->flags & RCR_METER_POSTED)
		return NULL;
	*digits = meter->digits;
	return &meter->form;
}

int meter_compile(const struct meanings *m, const char *formula, unsigned int digits,
		  struct rcr_form *form, struct why *why)
{
	struct rcr_formula_names names = {
		.counter = find_formula_counter,
		.meter = find_form,
		.context = (void *)m,
		.tsc_hz = m->session->state.tsc_khz * 1000ull,
	};
	char reason[RCR_SENTENCE_LEN];

	if (rcr_formula_compile(formula, digits, &names, form, reason, sizeof(reason)))
		return because(why, "%s", reason);
	return 0;
}
