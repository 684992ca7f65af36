/* SPDX-License-Identifier: GPL-2.0-or-later */
/* meter.h - the verb "meter", whose second word is the subcommand. */
#ifndef RCRCTL_METER_H
#define RCRCTL_METER_H

#include "parse/quantity.h"
#include "rcr_board.h"
#include "rcr_meters.h"
#include "verbs.h"

/* Subcommands in files of their own; arguments from the third word on. */
int check_meter_ls(struct call *c);
int do_meter_ls(struct call *c);
int check_meter_show(struct call *c);
int do_meter_show(struct call *c);
/* Prints meter @name as the list in JSON has it. */
int meter_show_json(struct call *c, const char *name);
int check_meter_add(struct call *c);
int do_meter_add(struct call *c);
int check_meter_max(struct call *c);
int do_meter_max(struct call *c);

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

/* The running counter named @name, or NULL. */
const struct rcr_counter_state *meter_counter(const struct session *s, const char *name);

/* True if both texts, each with or without a name, denote the same event. */
bool meter_same_event(const char *a, const char *b);

/* True if @event is "NAME=..." with this @name. */
bool meter_event_is_named(const char *event, const char *name);

/* Compiles @formula; returns 0, or -1 with @why filled in. */
int meter_compile(const struct meanings *m, const char *formula, unsigned int digits,
		  struct rcr_form *form, struct why *why);

/* The set changed since it was read, and the caller gave no generation. */
#define METER_LOOK_AGAIN (-1)

/*
 * Makes the meter @r with the help of rcrd, for a @formula that does not compile for the reason
 * @unfolded. Returns EXIT_SUCCESS, EXIT_FAILURE after reporting an error, or METER_LOOK_AGAIN.
 */
int meter_add_parts(const struct meanings *m, const struct rcr_meter_request *r,
		    const char *formula, const struct why *unfolded);

/* Removes the part meters that meter_add_parts() made for a removed meter. */
void meter_remove_parts(struct session *s, const char *meter);

/* meter_catalogue.c: adds the meters of the machine's family. */
int do_meter_load(struct call *c);

/* The same if the module has no computed meter yet and the caller may add meters. */
void meters_load_first(struct session *s);

/* Writes the event that the catalogue has as @name for @meter; false if there is none. */
bool meter_catalogued_event(struct session *s, const char *meter, const char *name,
			    char event[RCR_EVENT_LEN]);

/*
 * Parses a value of a meter; a percentage is relative to @maximum. Returns EXIT_SUCCESS, or
 * EXIT_FAILURE after reporting an error.
 */
int meter_value(const struct rcr_meter_state *m, int64_t maximum, const char *text,
		int64_t *value);

/*
 * Sets @limits for the machine, and derived limits for the meter's other places. Returns
 * EXIT_SUCCESS, or EXIT_FAILURE after reporting an error.
 */
int meter_set_limits(struct session *s, const struct rcr_blackboard *b,
		     const struct rcr_meter_state *m, const struct rcr_meter_limits *limits);

/* "contention" */
const char *meter_verdict_name(uint32_t verdict);

#endif
