/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * event_field.h - what may follow an event: umask:0xff, inv, ...
 */
#ifndef RCR_EVENT_FIELD_H
#define RCR_EVENT_FIELD_H

#include "pmu/event.h"

int rcr_event_set_field(struct rcr_event *e, const char *word, struct rcr_failure *f);

#endif
