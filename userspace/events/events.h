/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events.h - what the tables of this directory know of events on each CPU family.
 */
#ifndef EVENTS_EVENTS_H
#define EVENTS_EVENTS_H

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

/* The family of the core PMU that libpfm4 calls @pmu; "" if unknown. */
const char *events_core_family(const char *pmu);

/*
 * The family whose processors all have the PMU of shared units that libpfm4 calls @pmu, or NULL;
 * @len is the length of the part of the name that all PMUs of the family have in common.
 */
const char *events_unit_family(const char *pmu, size_t *len);

/**
 * rcr_deficiency() - what an event counts amiss
 * @family: kind of PMU, as the module names it ("AMD Fam15h")
 * @select: control register with the event and its unit mask
 *
 * It goes by the event, whatever name it was asked for by.
 *
 * Return: one line with its source, or NULL when nothing is known.
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

/* Iterates over the relations of all families: @before is the one returned last, or NULL. */
const struct known_relation *relation_next(const struct known_relation *before);

/**
 * struct catalogue_row - one way in which a family measures a meter
 * @name: of the meter; a meter with several ways has one row for each
 * @family: prefix of the names of the PMU families that it is for, or all of such a name, a
 *	space and a prefix of libpfm4's name of the core PMU, where models differ; NULL: any
 *	machine
 * @formula: for rcr_formula_compile(), after catalogue_expand()
 * @events: what the names in @formula count, in the raw form; a counter of the set with
 *	that name and that event serves; NULL: the formula needs none. A name with a "#", and
 *	a "#" for the number of a box, are one for each box of a unit
 * @unit: of its values
 * @digits: of its values after the decimal point, 0 to 9
 * @is_public: it is on the public page of the board, too
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
 * @before: the row returned last; NULL: start at the first
 * @family: name of the PMU family, as in struct rcr_state, a space and native_pmu(); NULL or
 *	"": not known, which leaves the rows for any machine. Without the second name rows
 *	that depend on the model are left out.
 *
 * The rows of one meter follow each other, the best way first. Rows are static data.
 *
 * Return: the next row; NULL at the end.
 */
const struct catalogue_row *catalogue_next(const struct catalogue_row *before,
					   const char *family);

#endif
