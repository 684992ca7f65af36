/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * event_text.h - events of the module's own meters, which are still text.
 */
#ifndef RCR_EVENT_TEXT_H
#define RCR_EVENT_TEXT_H

#include "pmu/event.h"

int rcr_events_parse(const char *text, struct rcr_event *events,
		     unsigned int max, struct rcr_failure *failure);

#endif
