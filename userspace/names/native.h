/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * native.h - libpfm4's names of the processor's events with unit masks and modifiers, such as
 * DATA_CACHE_MISSES:DC_MISS_STREAMING_STORE:u:c=2, and of shared units: UNC_LLC_HITS:ANY,
 * cbo3::UNC_C_TOR_INSERTS:ALL.
 */
#ifndef NAMES_NATIVE_H
#define NAMES_NATIVE_H

#include "code.h"

/* Returns libpfm4's name of the core PMU, or "". */
const char *native_pmu(void);

/* Returns the module's name of the core PMU's family, or "". */
const char *native_family(void);

enum native_answer {
	NATIVE_FOUND,
	NATIVE_UNKNOWN,
	NATIVE_REFUSED,		/* known, but cannot be counted */
};

/* Finds the event @name on @family; @why has the reason if it is refused. */
enum native_answer native_find(const char *family, const char *name, struct code *c,
			       struct why *why);

/*
 * Calls @each with every event and every event:unit mask that the module can count. Of units with
 * several boxes, only those of the first box are listed, unless @all_boxes.
 */
void native_each(const char *family, bool all_boxes,
		 void (*each)(void *to, const char *name, const char *description),
		 void *to);

#endif
