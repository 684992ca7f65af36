/* SPDX-License-Identifier: GPL-2.0-or-later */
/* meters.h - finds meters, compiles their formulas, adds those of a family, and sets limits. */
#ifndef METERS_METERS_H
#define METERS_METERS_H

#include "parse/quantity.h"
#include "rcr_board.h"
#include "rcr_meters.h"
#include "session.h"

/* Reads all meters; returns EXIT_SUCCESS, or EXIT_FAILURE after reporting an error. */
int meters_look(struct session *s, struct rcr_meters *meters);

/* Finds the meter @name; returns NULL after reporting an error. */
const struct rcr_meter_state *meters_find(struct session *s, struct rcr_meters *meters,
					  const char *name);

/**
 * struct meanings - definitions of the names in a formula
 * @session: after session_look()
 * @meters: existing meters
 * @events: events to be added to the set, "NAME=..."
 * @count: entries of @events
 */
struct meanings {
	struct session *session;
	const struct rcr_meters *meters;
	const char *const *events;
	unsigned int count;
};

/* Returns the running counter named @name, or NULL. */
const struct rcr_counter_state *meter_counter(const struct session *s, const char *name);

/* True if both texts, each with or without a name, denote the same event. */
bool meter_same_event(const char *a, const char *b);

/* True if both have the same count: the same event, whichever counter of the unit counts it. */
bool meter_same_count(const char *a, const char *b);

/* True if @event is "NAME=..." with this @name. */
bool meter_event_is_named(const char *event, const char *name);

/* Compiles @formula; returns 0, or -1 with @why filled in. */
int meter_compile(const struct meanings *m, const char *formula, unsigned int digits,
		  struct rcr_form *form, struct why *why);

/* Adds the family's meters; returns EXIT_SUCCESS, or EXIT_FAILURE after reporting an error. */
int meters_load(struct session *s);

/* Calls meters_load() if the module has no computed meter yet and the caller may add meters. */
void meters_load_first(struct session *s);

/* Writes the event that the catalogue calls @name for @meter; returns false if there is none. */
bool meter_catalogued_event(struct session *s, const char *meter, const char *name,
			    char event[RCR_EVENT_LEN]);

/*
 * Parses a value of a meter; a percentage is relative to @maximum. Returns EXIT_SUCCESS, or
 * EXIT_FAILURE after reporting an error.
 */
int meter_value(const struct rcr_meter_state *m, int64_t maximum, const char *text,
		int64_t *value);

/* Sets @limits at their place only; returns like meter_set_limits(). */
int meter_set_place_limits(struct session *s, const struct rcr_meter_state *m,
			   const struct rcr_meter_limits *limits);

/*
 * Sets @limits for the machine, and derived limits for the meter's other places. Returns
 * EXIT_SUCCESS, or EXIT_FAILURE after reporting an error.
 */
int meter_set_limits(struct session *s, const struct rcr_blackboard *b,
		     const struct rcr_meter_state *m, const struct rcr_meter_limits *limits);

#endif
