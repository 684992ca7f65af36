/* SPDX-License-Identifier: GPL-2.0-or-later */
/* knobs.h - settings of the machine that 'rcrregion run' changes while a command runs. */
#ifndef KNOBS_KNOBS_H
#define KNOBS_KNOBS_H

#include <sys/types.h>

#include "rcrregion/options.h"

/**
 * struct knobs - settings that were changed
 * @guard: process that restores them; 0: nothing was changed
 * @until: end of a pipe: the guard restores the settings when all copies of it are closed
 */
struct knobs {
	pid_t guard;
	int until;
};

/*
 * Applies the options --l3-ways and --prefetch, until knobs_restore() or the end of this process,
 * however it ends. Returns 0, or -1 after reporting an error, with nothing changed.
 */
int knobs_set(struct knobs *k, const struct region_options *o);

void knobs_restore(struct knobs *k);

#endif
