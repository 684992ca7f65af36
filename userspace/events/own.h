/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * own.h - rcrtool's own names: what they mean on each family.
 */
#ifndef NAMES_OWN_H
#define NAMES_OWN_H

#include <stdbool.h>
#include <stddef.h>

#include "code.h"

/**
 * struct own_name - a name of rcrtool's own
 * @name: as the user writes it
 * @code: the event that it means
 * @description: one line
 */
struct own_name {
	const char *name;
	struct code code;
	const char *description;
};

/*
 * The names of @family ("AMD Fam15h"), NULL for a family without. @pmu is what
 * libpfm4 calls the processor, or empty: it knows Zen 1 from Zen 2, which the
 * module has no need to.
 */
const struct own_name *own_names(const char *family, const char *pmu,
				 size_t *count);

/* The one that is called @name, or NULL. */
const struct own_name *own_find(const char *family, const char *pmu,
				const char *name);

/*
 * Names of the events of the set @ldms on @family, NULL behind the last; NULL for a
 * family without names.
 */
const char *const *own_ldms(const char *family, const char *pmu);

/* Names of shared units, which no family but some has; ends with NULL. */
extern const struct own_name own_uncore[];

/* @name is one of these. */
bool own_is_uncore(const char *name);

#endif
