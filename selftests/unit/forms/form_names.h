/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * form_names.h - names for the tests of compiled formulas: counters A to R, gauges S to Z, some
 * counters whose names need quotes, and the meters that a test has added.
 */
#ifndef FORM_NAMES_H
#define FORM_NAMES_H

#include <stdio.h>
#include <string.h>

#include "rcr_form.h"

#define TSC_HZ 2100000000ull
#define METERS 8

struct known_meter {
	const char *name;
	unsigned int digits;
	struct rcr_form form;
};

static struct known_meter known[METERS];
static unsigned int known_count;

static int known_counter(void *context, const char *name, char canonical[RCR_NAME_LEN],
			 bool *gauge)
{
	static const char *const others[] = { "x", "xray", "min", "cpus", "L3-MISS", "L2:all.x_1", "9" };
	unsigned int i;

	(void)context;
	*gauge = false;
	snprintf(canonical, RCR_NAME_LEN, "%s", name);
	if (*name >= 'A' && *name <= 'Z' && !name[1]) {
		*gauge = *name >= 'S';
		return 0;
	}
	if (!strcmp(name, "alias")) {
		strcpy(canonical, "A");
		return 0;
	}
	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (!strcmp(name, others[i]))
			return 0;
	return -1;
}

static const struct rcr_form *known_form(void *context, const char *name, unsigned int *digits)
{
	unsigned int i;

	(void)context;
	for (i = 0; i < known_count; i++) {
		if (strcmp(known[i].name, name))
			continue;
		*digits = known[i].digits;
		return &known[i].form;
	}
	return NULL;
}

static const struct rcr_formula_names known_names = {
	.counter = known_counter, .meter = known_form, .tsc_hz = TSC_HZ,
};

/* Add a meter; return false if its formula does not compile. */
static inline bool make_known(const char *name, const char *formula, unsigned int digits)
{
	struct known_meter *m = &known[known_count];
	char reason[256];

	if (known_count == METERS ||
	    rcr_formula_compile(formula, digits, &known_names, &m->form, reason, sizeof(reason)))
		return false;
	m->name = name;
	m->digits = digits;
	known_count++;
	return true;
}

#endif
