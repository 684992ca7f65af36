/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unit.h - converts names and encodings of shared units from libpfm4 to the module.
 */
#ifndef NAMES_UNIT_H
#define NAMES_UNIT_H

#include "code.h"

/* Encoding of libpfm4 for the events of one kind of unit. */
struct unit_kind;

/**
 * struct unit - a unit that libpfm4 has a PMU for
 * @kind: its kind; NULL: a kind that the module does not support
 * @name: name in the module, such as cbo3
 * @number: number of the box
 * @numbered: its kind may have several boxes, and @name includes the number
 */
struct unit {
	const struct unit_kind *kind;
	char name[CODE_UNIT_LEN];
	unsigned int number;
	bool numbered;
};

/* Finds the unit of libpfm4's PMU @pmu; returns false if the module does not support it. */
bool unit_from_pmu(const char *pmu, struct unit *u);

/* True if each processor of the module's @family has the unit of libpfm4's PMU @pmu. */
bool unit_is_of(const char *pmu, const char *family);

/* Returns the name of the kind in the module, without a number: cbo. */
const char *unit_kind_name(const struct unit *u);

/*
 * Decodes libpfm4's @codes, which are the control register and then the filters of the box;
 * returns -1 with the reason in @why if the raw form cannot express them.
 */
int unit_code(const struct unit *u, const uint64_t *codes, int count, struct code *c,
	      struct why *why);

#endif
