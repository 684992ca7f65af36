// SPDX-License-Identifier: GPL-2.0-or-later
/* limits.c - sets the limits of a meter's resource, at one place or at all places. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "board.h"
#include "message.h"
#include "meters.h"
#include "shares.h"

int meter_value(const struct rcr_meter_state *m, int64_t maximum, const char *text,
		int64_t *value)
{
	struct quantity_scale scale = {
		.unit = m->unit, .digits = m->digits, .maximum = maximum,
	};
	struct quantity q;
	struct why why;

	if (!quantity_parse(text, &q, &why) && !quantity_value(&q, &scale, value, &why))
		return EXIT_SUCCESS;
	return fail("%s: %s", m->name, why.text);
}

int meter_set_place_limits(struct session *s, const struct rcr_meter_state *m,
			   const struct rcr_meter_limits *limits)
{
	return done(s, rcr_control_meter_maximum(s->control, s->generation, m->name, limits));
}

/* Finds the meter on the board; returns EXIT_SUCCESS, or EXIT_FAILURE after reporting an error. */
static int find_on_board(const struct rcr_blackboard *b, const char *name,
			 struct rcr_board_meter *m)
{
	static struct rcr_board_meter all[RCR_METERS_MAX];
	int count = rcr_board_meters(b, all, RCR_METERS_MAX), i;

	if (count < 0)
		return fail("%s: %s", board_path(), strerror(errno));
	for (i = 0; i < count; i++)
		if (!strcmp(all[i].name, name)) {
			*m = all[i];
			return EXIT_SUCCESS;
		}
	return fail("the meter '%s' was removed meanwhile", name);
}

/* Returns the place of an entry, or NULL if that is the machine. */
static const struct rcr_board_place *part_of_entry(const struct rcr_blackboard *b,
						   unsigned int entry)
{
	const struct rcr_board_entry *e = rcr_board_entry(b, entry);
	const struct rcr_board_place *p = e ? rcr_board_place(b, e->place) : NULL;

	return p && p->kind != RCR_PLACE_MACHINE ? p : NULL;
}

int meter_set_limits(struct session *s, const struct rcr_blackboard *b,
		     const struct rcr_meter_state *m, const struct rcr_meter_limits *limits)
{
	struct rcr_meter_limits share = *limits;
	const struct rcr_board_place *p;
	struct rcr_board_meter about = { 0 };
	unsigned int i, places = 0;
	int status = find_on_board(b, m->name, &about);

	if (status)
		return status;
	for (i = 0; i < about.entries; i++)
		places += !!part_of_entry(b, about.first + i);
	if (share_adds_up(&m->form)) {
		share.maximum = share_of(limits->maximum, places);
		share.contention = share_of(limits->contention, places);
	}
	status = meter_set_place_limits(s, m, limits);
	for (i = 0; !status && i < about.entries; i++) {
		p = part_of_entry(b, about.first + i);
		if (!p)
			continue;
		share.kind = p->kind;
		share.number = p->number;
		status = meter_set_place_limits(s, m, &share);
	}
	if (!status && !about.entries)
		note("the meter '%s' has no values now: only the machine's limits were set: repeat the command when it has values",
		     m->name);
	return status;
}
