/* SPDX-License-Identifier: GPL-2.0-or-later */
/* knobs.h - what 'rcrregion run' changes on the machine while a command runs. */
#ifndef KNOBS_KNOBS_H
#define KNOBS_KNOBS_H

#include <sys/types.h>

#include "rcrregion/options.h"

/**
 * struct knobs - what was changed
 * @guard: process that restores it; 0: nothing was changed
 * @until: descriptor; the guard restores when all of its copies are closed
 */
struct knobs {
	pid_t guard;
	int until;
};

/*
 * Sets the options --l3-ways and --prefetch. They are restored when this process ends in whatever
 * way, or by knobs_restore(). Returns 0, or -1 after reporting an error; then nothing is changed.
 */
int knobs_set(struct knobs *k, const struct region_options *o);

void knobs_restore(struct knobs *k);

#endif
