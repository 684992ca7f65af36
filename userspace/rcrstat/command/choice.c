// SPDX-License-Identifier: GPL-2.0-or-later
/* choice.c - applies the choice of options -e and -m to each set; choose.c makes the choice. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "command/choice.h"
#include "command/saved_meters.h"
#include "message.h"
#include "meter/derive.h"
#include "rcr.h"

/* Closes the hold: the events that it added are no longer counted. */
void choice_close(struct choice *c)
{
	if (c->hold >= 0)
		close(c->hold);
	c->hold = -1;
}

/* Chooses a counter of a saved stream, unless it was chosen before; ignores case. */
void choice_add_name(struct choice *c, const char *name)
{
	unsigned int i;

	for (i = 0; i < c->count; i++)
		if (!strcasecmp(c->label[i], name))
			return;
	snprintf(c->label[i], sizeof(c->label[i]), "%s", name);
	strcpy(c->counter[i], c->label[i]);
	c->shown[i] = true;
	c->count++;
}

/* Returns the name of the counter that the user calls @label, ignoring case, or NULL. */
static const char *find_saved_name(const struct rcr_set *set, const char *label)
{
	const char *name, *found = NULL;
	unsigned int i;

	for (i = 0; i < set->ncounters; i++) {
		name = rcr_set_counter(set, i)->name;
		if (!strcmp(name, label))
			return name;
		if (!found && !strcasecmp(name, label))
			found = name;
	}
	return found;
}

static int find_saved_names(struct choice *c, const struct rcr_set *set)
{
	const char *name;
	unsigned int i;

	for (i = 0; i < c->count; i++) {
		name = find_saved_name(set, c->label[i]);
		if (!name)
			return fail("the recording has no counter '%s': list its counters with 'rcrstat -r FILE -n 1'",
				    c->label[i]);
		strcpy(c->counter[i], name);
	}
	return 0;
}

/* Returns the name in the set of the counter that the user calls @name. */
static const char *name_in_set(const void *context, const char *name)
{
	const struct choice *c = context;
	unsigned int i;

	for (i = 0; c->chosen && i < c->count; i++)
		if (c->shown[i] && !strcmp(c->label[i], name))
			return c->counter[i];
	return name;
}

/**
 * choice_check() - check the formulas of the derived columns
 * @c: the choice
 * @set: the first set, before choice_apply()
 *
 * Returns 0, or EXIT_USAGE or EXIT_FAILURE after reporting an error.
 */
int choice_check(struct choice *c, const struct rcr_set *set)
{
	struct derive_source source = { set, name_in_set, c };

	if (c->saved && find_saved_names(c, set))
		return EXIT_FAILURE;
	return c->derive ? derive_check(c->derive, &c->meters, &source) : 0;
}

/**
 * choice_begin() - find the counters of the meters in a set
 * @c: the choice
 * @set: the set, before choice_apply()
 *
 * Returns 0, or EXIT_FAILURE after reporting an error.
 */
int choice_begin(struct choice *c, const struct rcr_set *set)
{
	struct derive_source source = { set, name_in_set, c };
	struct why why;
	unsigned int i;

	for (i = 0; c->saved && i < c->meters.count && !c->meters.meter[i].derived; i++)
		if (saved_meter_find(&c->meters.meter[i], set, &why))
			return fail("%s", why.text);
	if (c->saved && find_saved_names(c, set))
		return EXIT_FAILURE;
	if (c->derive)
		derive_compile(c->derive, &c->meters, &source);
	meters_bind(&c->meters, set);
	return 0;
}

/*
 * Renames the chosen counters of a set to what the user calls them. Returns a mask of the chosen
 * counters: bit n for counter n.
 */
uint32_t choice_apply(const struct choice *c, struct rcr_set *set)
{
	struct rcr_counter *counter;
	uint32_t chosen = 0;
	unsigned int i, n;

	if (!c->chosen)
		return ~0u;
	for (n = 0; n < set->ncounters; n++) {
		counter = (struct rcr_counter *)rcr_set_counter(set, n);
		for (i = 0; i < c->count; i++) {
			if (!c->shown[i] || strcmp(counter->name, c->counter[i]))
				continue;
			chosen |= 1u << n;
			strcpy(counter->name, c->label[i]);
			break;
		}
	}
	return chosen;
}
