// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_event.c - librcr's grammar of events. An event that is written as text is parsed to the same
 * event.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "control/event.h"
#include "rcr.h"
#include "fuzz.h"

#define MOST 8

static void check_taken(const struct rcr_event_spec *e)
{
	char text[RCR_NAME_LEN + 1 + RCR_EVENT_LEN], event[RCR_EVENT_LEN];
	struct rcr_event_spec again, before = *e;
	char why[RCR_SENTENCE_LEN];

	FUZZ_HOLDS(strlen(e->name) && strlen(e->name) < RCR_NAME_LEN);
	rcr_event_print(e, event);
	FUZZ_HOLDS(strlen(event) < RCR_EVENT_LEN);
	snprintf(text, sizeof(text), "%s=%s", e->name, event);
	FUZZ_HOLDS(rcr_event_parse(text, &again, 1, why, sizeof(why)) == 1);
	/* To request both modes is the same as to request none. */
	if ((before.flags & (RCR_EVENT_OS | RCR_EVENT_USER)) == (RCR_EVENT_OS | RCR_EVENT_USER))
		before.flags &= ~(RCR_EVENT_OS | RCR_EVENT_USER);
	FUZZ_HOLDS(!memcmp(&before, &again, sizeof(again)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_copy(data, size), why[RCR_SENTENCE_LEN] = "";
	struct rcr_event_spec *events = malloc(MOST * sizeof(*events));
	int got = rcr_event_parse(text, events, MOST, why, sizeof(why)), i;

	FUZZ_HOLDS(got <= MOST && got);
	FUZZ_HOLDS(got > 0 || strlen(why));
	for (i = 0; i < got; i++)
		check_taken(&events[i]);
	free(events);
	free(text);
	return 0;
}
