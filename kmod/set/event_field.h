/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * event_field.h - what may follow an event: umask:0xff, inv, ...
 */
#ifndef RCR_EVENT_FIELD_H
#define RCR_EVENT_FIELD_H

#include "pmu/event.h"

int rcr_event_set_field(struct rcr_event *e, const char *word, struct rcr_failure *f);
void rcr_event_format_fields(const struct rcr_event *e, char *text, size_t size);
bool rcr_event_same_fields(const struct rcr_event *a, const struct rcr_event *b);

#endif
