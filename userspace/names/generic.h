/* SPDX-License-Identifier: GPL-2.0-or-later */
/* generic.h - perf's generic names of events, and sets by topic, as names of rcrtool's own. */
#ifndef NAMES_GENERIC_H
#define NAMES_GENERIC_H

#include <stddef.h>

/*
 * The name of rcrtool's own on @family that @word stands for: a generic name of perf ("cycles"),
 * or a name of rcrtool's own in other letter case. NULL if there is none. @pmu as in own.h.
 */
const char *generic_find(const char *family, const char *pmu, const char *word);

/* Calls @each with each generic name that @family has an event for. */
void generic_each(const char *family, const char *pmu,
		  void (*each)(void *to, const char *word), void *to);

/* Names in the largest set, with the NULL at its end. */
#define GENERIC_SET_MAX 8
#define GENERIC_SET_MIN	3	/* events without which a set would not be what its name says */

/*
 * Fills in the names of the set @word (@flops, @mem), as far as @family has them, ended by NULL.
 * Returns their number; 0 for an unknown set or family.
 */
size_t generic_set(const char *family, const char *pmu, const char *word,
		   const char *names[GENERIC_SET_MAX]);

#endif
