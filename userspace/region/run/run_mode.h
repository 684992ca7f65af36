/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* run_mode.h - the mode that 'rcrregion run' chose for the preloaded library. */
#ifndef REGION_RUN_MODE_H
#define REGION_RUN_MODE_H

#include <stdlib.h>
#include <string.h>

#include "format/modes.h"
#include "library/rcr_region.h"

/* Returns the argument of RCR_Initialize(); negative if RCR_REGION_MODE is no mode. */
static inline int run_mode(void)
{
	const char *name = getenv("RCR_REGION_MODE"), *kernel = getenv("RCR_REGION_KERNEL");
	int mode = name ? region_mode_find(name) : 0;

	if (mode < 0 || !kernel || !*kernel || !strcmp(kernel, "0"))
		return mode;
	return mode | RCR_REGION_KERNEL;
}

#endif
