/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * load.h - asks a resource for a stated part of all that the load can ask for.
 */
#ifndef RCRCTL_LOAD_H
#define RCRCTL_LOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "why.h"

/* What a command is given for all of the load. */
#define LOAD_ONE 65536

struct load;

/*
 * By @command, or by threads of our own where that is NULL, each over @size bytes; 0:
 * over what the caches do not hold. NULL with the reason.
 */
struct load *load_open(const char *command, size_t size, struct why *why);

/*
 * From now on @level, 0 to 1, is asked for by @kind, an enum mix; -1 with the
 * reason. The first one of a kind finds out what 1 is.
 */
int load_set(struct load *l, unsigned int kind, double level, struct why *why);

/*
 * How long a block took on average, in ns, since this was asked or set last; false
 * where it is not known.
 */
bool load_latency(struct load *l, double *ns);

/* Nothing is asked for any more; NULL is allowed. */
void load_close(struct load *l);

#endif
