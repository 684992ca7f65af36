// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * saved_meters.c - meters of a saved stream: those of the catalogue of its CPU family, from
 * counters that its set has under the names and with the events of the catalogue.
 *
 * Pure. Compiled into the unit tests as well.
 */
#include <stdio.h>
#include <string.h>

#include "catalogue.h"
#include "command/saved_meters.h"
#include "events.h"
#include "problems/bind.h"
#include "rcr.h"

/* A row of the catalogue, expanded for the boxes whose counters are in the set. */
struct saved_way {
	const struct rcr_set *set;
	struct catalogue_way way;
};

static int find_named(const struct rcr_set *set, const char *name, size_t len)
{
	unsigned int i;

	for (i = 0; i < set->ncounters; i++)
		if (!strncmp(rcr_set_counter(set, i)->name, name, len) &&
		    !rcr_set_counter(set, i)->name[len])
			return i;
	return -1;
}

/* Returns a mask of the boxes of the unit for which the set has the row's first counter. */
static uint32_t find_saved_boxes(const struct rcr_set *set, const struct catalogue_row *row)
{
	struct catalogue_way one;
	uint32_t boxes = 0;
	unsigned int n;

	for (n = 0; catalogue_has_boxes(row) && n < CATALOGUE_BOXES; n++)
		if (catalogue_expand(row, 1u << n, &one) &&
		    find_named(set, one.events, strcspn(one.events, "=")) >= 0)
			boxes |= 1u << n;
	return boxes;
}

/* False if a counter of that name counts another event, as far as a set shows its event. */
static bool is_named_event(const struct rcr_set *set, unsigned int i, const char *event)
{
	struct code code;

	if (code_parse(event, &code) && (!*code.unit || !strcmp(code.unit, "nb")))
		return bind_means(set, i, event);
	if (!strcmp(event, "register:aperf") || !strcmp(event, "register:mperf"))
		return bind_means(set, i, event);
	return true;
}

/* Looks a counter of the formula up. */
static int find_saved_counter(void *context, const char *name, char canonical[RCR_NAME_LEN],
			      bool *gauge)
{
	const struct saved_way *w = context;
	int i = find_named(w->set, name, strlen(name));
	const char *at = w->way.events;
	char event[RCR_EVENT_LEN];
	size_t len = strlen(name);

	if (i < 0)
		return -1;
	for (; *at; at += strcspn(at, ";"), at += *at == ';') {
		if (strncmp(at, name, len) || at[len] != '=')
			continue;
		snprintf(event, sizeof(event), "%.*s", (int)(strcspn(at, ";") - len - 1),
			 at + len + 1);
		if (!is_named_event(w->set, i, event))
			return -1;
	}
	snprintf(canonical, RCR_NAME_LEN, "%s", name);
	*gauge = rcr_set_is_gauge(w->set, i);
	return 0;
}

static const struct rcr_form *find_no_meter(void *context, const char *name, unsigned int *digits)
{
	(void)context;
	(void)name;
	(void)digits;
	return NULL;
}

static bool compile_row(struct meter *m, const struct rcr_set *set,
			const struct catalogue_row *row, struct why *why)
{
	struct saved_way w = { .set = set };
	struct rcr_formula_names names = {
		.counter = find_saved_counter, .meter = find_no_meter, .context = &w,
		.tsc_hz = set->tsc_khz * 1000ull,
	};
	char reason[RCR_SENTENCE_LEN];

	if (!catalogue_expand(row, find_saved_boxes(set, row), &w.way) ||
	    rcr_formula_compile(w.way.formula, row->digits, &names, &m->bound.form, reason,
				sizeof(reason))) {
		because(why, "the recording lacks the counters of meter '%s': %s", m->name,
			row->events ? row->events : row->formula);
		return false;
	}
	m->digits = row->digits;
	snprintf(m->unit, sizeof(m->unit), "%s", row->unit);
	return true;
}

/**
 * saved_meter_find() - find how a meter is computed from a saved set
 * @m: the meter, of which the name is set
 * @set: the set
 * @why: filled in on failure
 *
 * Returns 0, or -1.
 */
int saved_meter_find(struct meter *m, const struct rcr_set *set, struct why *why)
{
	const struct catalogue_row *row = catalogue_next(NULL, set->family);
	bool known = false;

	for (; row; row = catalogue_next(row, set->family)) {
		if (strcmp(row->name, m->name))
			continue;
		known = true;
		if (compile_row(m, set, row, why))
			return 0;
	}
	if (known)
		return -1;
	return because(why, "meter '%s' is not known for a recording of '%s'", m->name,
		       set->family);
}
