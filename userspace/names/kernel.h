/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel.h - events that the kernel counts: software events and tracepoints.
 */
#ifndef NAMES_KERNEL_H
#define NAMES_KERNEL_H

#include <stdbool.h>

/**
 * struct software_name - a software event
 * @name: as perf and the module spell it
 * @description: one line
 */
struct software_name {
	const char *name;
	const char *description;
};

/* Terminated by an entry whose name is NULL. */
extern const struct software_name software_names[];

bool software_is(const char *name);

/* Returns the id of the tracepoint "SYSTEM:EVENT", or -1. */
long tracepoint_id(const char *name);

/* Calls @each with each "SYSTEM:EVENT" in tracefs, as far as it is readable. */
void tracepoint_each(void (*each)(void *to, const char *name), void *to);

#endif
