/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * event.h - an event as a user writes it, and as the module gets it.
 */
#ifndef RCR_EVENT_SPEC_H
#define RCR_EVENT_SPEC_H

#include <stddef.h>
#include <stdint.h>
#include <linux/rcrtool.h>

struct nl_msg;
struct nlattr;

/**
 * struct rcr_event_spec - what to count
 * @name: as the user calls it
 * @type: enum rcr_event_type
 * @flags: RCR_EVENT_...
 * @unit: whose event it is; empty: the cores'
 * @config: event select, or as enum rcr_event_type says
 * @umask: unit mask
 * @cmask: count cycles with at least that many events; 0: off
 * @counter: the only general counter that it may have, or -1
 * @filter: of the unit; 0: it does not matter
 * @pmu: type of the kernel's PMU
 * @scope: enum rcr_scope of that
 * @config1: as in struct perf_event_attr
 * @config2: likewise
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
 * rcr_event_parse() - reads events in the raw form
 * @text: the events, "NAME=event:0x76,umask:0x00; ..."; see rcrctl(8)
 * @event: filled in
 * @max: how many there is room for
 * @why: filled in on failure: one sentence
 * @size: of @why, bytes
 *
 * Return: how many events, or -errno: -EINVAL for a text that is none, -EEXIST for a name
 * given twice, -ENOSPC for more than @max events.
 */
int rcr_event_parse(const char *text, struct rcr_event_spec *event, unsigned int max,
		    char *why, size_t size);

/* Writes what an event counts in the raw form without "NAME=", RCR_EVENT_LEN bytes. */
void rcr_event_print(const struct rcr_event_spec *e, char *text);

/* Puts an event into a request as a nest of type @attr: 0, or -1 when it does not fit. */
int rcr_event_put(struct nl_msg *msg, int attr, const struct rcr_event_spec *e);

/* Reads one out of an answer: 0, or -1. */
int rcr_event_take(struct rcr_event_spec *e, const struct nlattr *nest);

#endif
