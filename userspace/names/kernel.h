/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel.h - what the kernel counts: software events and tracepoints.
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

/* Ends with NULL. */
extern const struct software_name software_names[];

bool software_is(const char *name);

/* The id of "SYSTEM:EVENT", or -1. */
long tracepoint_id(const char *name);

/* Calls @each with every "SYSTEM:EVENT" that this kernel lets us see. */
void tracepoint_each(void (*each)(void *to, const char *name), void *to);

#endif
