/* SPDX-License-Identifier: GPL-2.0-or-later */
/* generic.h - translates perf's generic names of events, and sets by topic, to rcrtool's names. */
#ifndef NAMES_GENERIC_H
#define NAMES_GENERIC_H

#include <stddef.h>

/*
 * Returns rcrtool's own name on @family for @word, which is a generic name of perf ("cycles"), or
 * rcrtool's name in any letter case. Returns NULL if there is none. @pmu as for own_names().
 */
const char *generic_find(const char *family, const char *pmu, const char *word);

/* Calls @each with each generic name that @family has an event for. */
void generic_each(const char *family, const char *pmu,
		  void (*each)(void *to, const char *word), void *to);

/* Names in the largest set, with the NULL at its end. */
#define GENERIC_SET_MAX 8
#define GENERIC_SET_MIN	3	/* events without which a set would not be what its name says */

/*
 * Fills in those names of the set @word (@flops, @mem) that @family has, terminated by NULL.
 * Returns their number; 0 for an unknown set or family.
 */
size_t generic_set(const char *family, const char *pmu, const char *word,
		   const char *names[GENERIC_SET_MAX]);

#endif
