/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events.h - access to the tables of events of all CPU families.
 */
#ifndef EVENTS_EVENTS_H
#define EVENTS_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "code.h"

/**
 * struct own_name - one of rcrtool's own names of events
 * @name: the name
 * @code: the event that it means
 * @description: one line
 */
struct own_name {
	const char *name;
	struct code code;
	const char *description;
};

/*
 * Returns the names of @family ("AMD Fam15h"), or NULL if it has none. @pmu is libpfm4's name of
 * the core PMU, or empty: it distinguishes Zen 1 from Zen 2, one family for the module.
 */
const struct own_name *own_names(const char *family, const char *pmu,
				 size_t *count);

/* Finds a name of @family, or NULL. */
const struct own_name *own_find(const char *family, const char *pmu,
				const char *name);

/*
 * Returns the names of the events in the set @ldms on @family, terminated by NULL; or NULL for a
 * family without names.
 */
const char *const *own_ldms(const char *family, const char *pmu);

/*
 * Returns the names of the events that the module counts on @family after loading, terminated by
 * NULL; or NULL for a family without names.
 */
const char *const *own_defaults(const char *family, const char *pmu);

/* Names of events of shared units that only some families have; terminated by NULL. */
extern const struct own_name own_uncore[];

/* True if @name is in own_uncore. */
bool own_is_uncore(const char *name);

/* Returns the family of libpfm4's core PMU @pmu; "" if unknown. */
const char *events_core_family(const char *pmu);

/*
 * Returns the family whose processors all have libpfm4's PMU @pmu of shared units, or NULL. @len is
 * set to the length of the prefix that the names of the family's PMUs have in common.
 */
const char *events_unit_family(const char *pmu, size_t *len);

/**
 * rcr_deficiency() - find the known defect of an event
 * @family: name of the family in the module ("AMD Fam15h")
 * @select: control register with event select and unit mask
 *
 * The result does not depend on the name of the event.
 *
 * Return: one line with its source, or NULL if no defect is known.
 */
const char *rcr_deficiency(const char *family, uint64_t select);

/**
 * struct known_relation - a built-in relation
 * @family: name of the family; NULL: any machine
 * @text: the relation
 * @most: as in struct relation
 */
struct known_relation {
	const char *family;
	const char *text;
	double most;
};

/* Iterates over the relations of all families; @before is the previous one, or NULL to start. */
const struct known_relation *relation_next(const struct known_relation *before);

/**
 * struct catalogue_row - one way in which a family measures a meter
 * @name: name of the meter; a meter with several ways has one row for each
 * @family: prefix of the names of PMU families; or, if models differ, a full name, a space and
 *	a prefix of libpfm4's name of the core PMU; NULL: any machine
 * @formula: formula for rcr_formula_compile(), after catalogue_expand()
 * @events: events of the names in @formula, in the raw form; a counter of the set with the same
 *	name and event is used; NULL: the formula needs none. An event with "#" in its name
 *	and for the number of the box is repeated for each box of a unit
 * @unit: unit of its values
 * @digits: decimal places of its values, 0 to 9
 * @is_public: also show it on the public board
 */
struct catalogue_row {
	const char *name;
	const char *family;
	const char *formula;
	const char *events;
	const char *unit;
	unsigned int digits;
	bool is_public;
};

/**
 * catalogue_next() - iterate over the rows for a family
 * @before: the previous row; NULL: start at the first one
 * @family: name of the PMU family, as in struct rcr_state, a space and native_pmu(); NULL or
 *	"": not known: only rows for any machine are returned. Without the second name, rows
 *	that depend on the model are left out.
 *
 * The rows of one meter are consecutive, the best way first. Rows are static data.
 *
 * Return: the next row; NULL at the end.
 */
const struct catalogue_row *catalogue_next(const struct catalogue_row *before,
					   const char *family);

#endif
