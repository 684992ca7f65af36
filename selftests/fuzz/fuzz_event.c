// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_event.c - the module's grammar of events. What is taken can be written, and is
 * then read as it was.
 */
#include <linux/errno.h>

#include "pmu/event.h"
#include "error.h"
#include "fuzz.h"

#define MOST 8

static void check_taken(const struct rcr_event *e)
{
	struct rcr_failure failure = { };
	char text[RCR_NAME_LEN + 1 + RCR_EVENT_LEN], event[RCR_EVENT_LEN];
	struct rcr_event again;

	FUZZ_HOLDS(strlen(e->name) && strlen(e->name) < RCR_NAME_LEN);
	rcr_event_format(e, event);
	FUZZ_HOLDS(strlen(event) < RCR_EVENT_LEN);
	snprintf(text, sizeof(text), "%s=%s", e->name, event);
	FUZZ_HOLDS(rcr_events_parse(text, &again, 1, &failure) == 1);
	FUZZ_HOLDS(rcr_event_same(e, &again) && !strcmp(e->name, again.name));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rcr_failure failure = { };
	char *text = fuzz_copy(data, size);
	struct rcr_event *events = malloc(MOST * sizeof(*events));
	int got = rcr_events_parse(text, events, MOST, &failure);
	int i;

	FUZZ_HOLDS(got <= MOST && got);
	FUZZ_HOLDS(got > 0 || (failure.error == got && strlen(failure.reason)));
	for (i = 0; i < got; i++)
		check_taken(&events[i]);
	free(events);
	free(text);
	return 0;
}
