/* SPDX-License-Identifier: GPL-2.0-or-later */
/* derive.h - columns that a file of formulas derives from those of the stream. */
#ifndef RCRSTAT_DERIVE_H
#define RCRSTAT_DERIVE_H

#include <stdbool.h>
#include <linux/rcrtool.h>

#include "derive_file.h"
#include "meter/meters.h"

/**
 * struct derive_source - the counters that formulas are computed from
 * @set: the counter set, with the names that the module has for its counters
 * @rename: returns the name in @set of the counter that the user calls @name; the same if it has
 *	no other
 * @context: first argument of @rename
 */
struct derive_source {
	const struct rcr_set *set;
	const char *(*rename)(const void *context, const char *name);
	const void *context;
};

int derive_check(const struct derive *d, struct meters *m, const struct derive_source *source);
void derive_compile(const struct derive *d, struct meters *m, const struct derive_source *source);

#endif
