/* SPDX-License-Identifier: GPL-2.0-or-later */
/* load.h - loads a resource with a given fraction of the full load. */
#ifndef RCRCAL_LOAD_H
#define RCRCAL_LOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "why.h"

/* Argument of the command for full load. */
#define LOAD_ONE 65536

struct load;

/*
 * Prepares load by @command, or by built-in threads if @command is NULL. Each thread uses @size
 * bytes of memory; 0: enough to exceed the caches. Returns NULL with @why filled in on failure.
 */
struct load *load_open(const char *command, size_t size, struct why *why);

/*
 * Sets the load to @level, 0 to 1, of @kind, an enum mix. The first call for a kind measures the
 * full load. Returns -1 with @why filled in on failure.
 */
int load_set(struct load *l, unsigned int kind, double level, struct why *why);

/*
 * Computes the average duration of a block since the last call of this function or load_set(), ns;
 * returns false if it is not known.
 */
bool load_latency(struct load *l, double *ns);

/* Stops the load; @l may be NULL. */
void load_close(struct load *l);

#endif
