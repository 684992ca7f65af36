/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * meter.h - the verb "meter", whose second word says what is to be done.
 */
#ifndef RCRCTL_METER_H
#define RCRCTL_METER_H

#include "quantity.h"
#include "rcr_board.h"
#include "rcr_meters.h"
#include "verbs.h"

/* Each has a file of its own; arguments from the third word on. */
int check_meter_ls(struct call *c);
int do_meter_ls(struct call *c);
int do_meter_show(struct call *c);
int check_meter_add(struct call *c);
int do_meter_add(struct call *c);
int check_meter_max(struct call *c);
int do_meter_max(struct call *c);

/* The meters that there are; EXIT_SUCCESS, or EXIT_FAILURE after a sentence. */
int meters_look(struct session *s, struct rcr_meters *meters);

/* The one called @name, or NULL after a sentence. */
const struct rcr_meter_state *meters_find(struct session *s, struct rcr_meters *meters,
					  const char *name);

/**
 * struct meanings - what the names in a formula stand for
 * @session: after session_look()
 * @meters: which there are
 * @events: that are to be counted, too, "NAME=..."
 * @count: how many
 */
struct meanings {
	struct session *session;
	const struct rcr_meters *meters;
	const char *const *events;
	unsigned int count;
};

/* The running counter called @name, or NULL. */
const struct rcr_counter_state *meter_counter(const struct session *s, const char *name);

/* Do both texts, with or without a name, mean the same event? */
bool meter_same_event(const char *a, const char *b);

/* Is it "NAME=..." with that @name? */
bool meter_event_is_named(const char *event, const char *name);

/* Compiles @formula: 0, or -1 with the reason. */
int meter_compile(const struct meanings *m, const char *formula, unsigned int digits,
		  struct rcr_form *form, struct why *why);

/* The set has changed since it was looked at, and the caller named no generation. */
#define METER_LOOK_AGAIN (-1)

/*
 * Makes the meter @r of a @formula that does not compile, for the reason @unfolded, with the
 * help of rcrd: EXIT_SUCCESS, EXIT_FAILURE after a sentence, or METER_LOOK_AGAIN.
 */
int meter_add_parts(const struct meanings *m, const struct rcr_meter_request *r,
		    const char *formula, const struct why *unfolded);

/* Removes the meters that meter_add_parts() made for one that is gone. */
void meter_remove_parts(struct session *s, const char *meter);

/* meter_catalogue.c: adds the meters of the machine's family; arguments as above. */
int do_meter_load(struct call *c);

/* The same where the module has no computed meter yet and the caller may add some. */
void meters_load_first(struct session *s);

/* Writes what the catalogue counts as @name for the meter @meter; false: nothing. */
bool meter_catalogued_event(struct session *s, const char *meter, const char *name,
			    char event[RCR_EVENT_LEN]);

/*
 * What was written as a value of the meter; a percentage is of @maximum. EXIT_SUCCESS, or
 * EXIT_FAILURE after a sentence.
 */
int meter_value(const struct rcr_meter_state *m, int64_t maximum, const char *text,
		int64_t *value);

/*
 * Sets the limits of @limits for the machine, and those that follow from them for the
 * meter's other places. EXIT_SUCCESS, or EXIT_FAILURE after a sentence.
 */
int meter_set_limits(struct session *s, const struct rcr_blackboard *b,
		     const struct rcr_meter_state *m, const struct rcr_meter_limits *limits);

/* "contention" */
const char *meter_verdict_name(uint32_t verdict);

#endif
