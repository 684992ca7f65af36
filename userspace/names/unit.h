/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unit.h - shared units: what libpfm4 calls their PMUs and what the module does.
 */
#ifndef NAMES_UNIT_H
#define NAMES_UNIT_H

#include "code.h"

/* How libpfm4 encodes what one kind of unit counts. */
struct unit_kind;

/**
 * struct unit - a unit that libpfm4 has a PMU for
 * @kind: which kind; NULL: none that the module counts
 * @name: as the module calls it: cbo3
 * @number: which of its kind
 * @numbered: there may be more of them, and the number stands in its name
 */
struct unit {
	const struct unit_kind *kind;
	char name[CODE_UNIT_LEN];
	unsigned int number;
	bool numbered;
};

/* The unit of libpfm4's PMU @pmu; false when the module counts none like it. */
bool unit_from_pmu(const char *pmu, struct unit *u);

/* Has every processor of the module's @family what libpfm4's PMU @pmu is of? */
bool unit_is_of(const char *pmu, const char *family);

/* What the module calls each of them, without a number: cbo. */
const char *unit_kind_name(const struct unit *u);

/*
 * The event of libpfm4's @codes, which are the control register and then the filters
 * of the box; -1 with the reason where the module has no words for it.
 */
int unit_code(const struct unit *u, const uint64_t *codes, int count, struct code *c,
	      struct why *why);

#endif
