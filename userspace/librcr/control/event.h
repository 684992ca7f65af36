/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* event.h - events as text, and as netlink attributes. */
#ifndef RCR_EVENT_SPEC_H
#define RCR_EVENT_SPEC_H

#include <stddef.h>
#include <stdint.h>
#include <linux/rcrtool.h>

struct nl_msg;
struct nlattr;

/**
 * struct rcr_event_spec - an event to count
 * @name: name of the counter
 * @type: enum rcr_event_type
 * @flags: RCR_EVENT_...
 * @unit: unit of the event; empty: the cores
 * @config: event select, or as described in enum rcr_event_type
 * @umask: unit mask
 * @cmask: count cycles with at least this many events; 0: off
 * @counter: the only general counter that may be used, or -1
 * @filter: filters of the unit; 0: no requirement
 * @pmu: type of the kernel's PMU
 * @scope: enum rcr_scope of that PMU
 * @config1: as in struct perf_event_attr
 * @config2: as in struct perf_event_attr
 */
struct rcr_event_spec {
	char name[RCR_NAME_LEN];
	uint32_t type;
	uint32_t flags;
	char unit[RCR_UNIT_LEN];
	uint64_t config;
	uint32_t umask;
	uint32_t cmask;
	int32_t counter;
	uint32_t filter[RCR_FILTERS];
	uint32_t pmu;
	uint32_t scope;
	uint64_t config1;
	uint64_t config2;
};

/**
 * rcr_event_parse() - parse events in the raw form
 * @text: the events, "NAME=event:0x76,umask:0x00; ..."; see rcrctl(8)
 * @event: output buffer
 * @max: entries of @event
 * @why: output buffer; filled in with one sentence on failure
 * @size: size of @why, bytes
 *
 * Return: the number of events, or -errno: -EINVAL for invalid text, -EEXIST for a duplicate name,
 * -ENOSPC for more than @max events.
 */
int rcr_event_parse(const char *text, struct rcr_event_spec *event, unsigned int max,
		    char *why, size_t size);

/* Formats an event in the raw form without "NAME="; @text has RCR_EVENT_LEN bytes. */
void rcr_event_print(const struct rcr_event_spec *e, char *text);

/* Adds an event to a request as a nest of type @attr; returns 0, or -1 if it does not fit. */
int rcr_event_put(struct nl_msg *msg, int attr, const struct rcr_event_spec *e);

/* Reads an event from an answer; returns 0, or -1 on failure. */
int rcr_event_take(struct rcr_event_spec *e, const struct nlattr *nest);

#endif
