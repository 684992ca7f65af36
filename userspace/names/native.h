/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * native.h - the names that libpfm4 knows for the processor's own events, with
 * unit masks and modifiers: DATA_CACHE_MISSES:DC_MISS_STREAMING_STORE:u:c=2, and
 * of the shared units': UNC_LLC_HITS:ANY, cbo3::UNC_C_TOR_INSERTS:ALL
 */
#ifndef NAMES_NATIVE_H
#define NAMES_NATIVE_H

#include "code.h"

/* What libpfm4 calls the core PMU that it found, or "". */
const char *native_pmu(void);

/* What the module calls such a PMU, or "". */
const char *native_family(void);

enum native_answer {
	NATIVE_FOUND,
	NATIVE_UNKNOWN,
	NATIVE_REFUSED,		/* known, but not to be counted so */
};

/* The event that @name means on @family; with the reason when it is refused. */
enum native_answer native_find(const char *family, const char *name, struct code *c,
			       struct why *why);

/*
 * Calls @each with every event and every event:unit mask that the module counts: of
 * units of which there are more those of the first, or of @all_boxes.
 */
void native_each(const char *family, bool all_boxes,
		 void (*each)(void *to, const char *name, const char *description),
		 void *to);

#endif
