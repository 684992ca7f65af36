/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* modes.h - modes: lists of events that a process can count. */
#ifndef REGION_MODES_H
#define REGION_MODES_H

#include <stdbool.h>
#include <stdint.h>

#include "format/region_file.h"

#define REGION_HIDDEN __attribute__((visibility("hidden")))

/**
 * struct region_event - an event of a mode
 * @name: its name
 * @type: type in perf_event_attr
 * @config: config in perf_event_attr
 * @counters: mask of the counters that count it, if the kernel may use others; 0: any
 */
struct region_event {
	const char *name;
	uint32_t type;
	uint64_t config;
	uint32_t counters;
};

#define REGION_MODES	6

/**
 * struct region_mode - a mode
 * @name: its name
 * @event: its events, the most important ones first; a NULL name ends a shorter list
 */
struct region_mode {
	const char *name;
	struct region_event event[REGION_LIST];
};

/*
 * Fills in the mode with a number on this CPU. Returns the number of its events; 0 if there is no
 * such mode.
 */
unsigned int region_mode(unsigned int number, struct region_mode *mode) REGION_HIDDEN;

/* True if some CPU has an event of that name in a mode. */
bool region_has_event(const char *name) REGION_HIDDEN;

/* Returns the number of the mode with a name or number; -1 if there is none. */
int region_mode_find(const char *word) REGION_HIDDEN;

#endif
