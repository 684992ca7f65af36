/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rcr_meters.h - librcr: which meters there are, and changes of that.
 *
 * As in rcr_control.h: what fails returns -1 with errno set, and rcr_control_reason()
 * has a sentence. Values are whole numbers: the quantity in the meter's unit times
 * 10 to its digits. Reading values is rcr_board.h's.
 */
#ifndef RCR_METERS_H
#define RCR_METERS_H

#include "rcr_control.h"
#include "rcr_form.h"
#include <linux/rcrboard.h>

#ifdef __cplusplus
extern "C" {
#endif

/* No choice of the caller's: the module's. */
#define RCR_METER_ANY	(~0u)

/**
 * struct rcr_meter_state - a meter that there is
 * @number: of the meter
 * @name: unique
 * @form: what it computes; without terms above: its values are posted
 * @unit: of its values, for people
 * @timescale: see RCR_TIME_US()
 * @over: enum rcr_place_kind
 * @digits: of its values behind the point
 * @flags: RCR_METER_...
 * @reason: why it has no values; empty: it has
 * @theoretical: the machine's maximum; 0: not known, as below
 * @maximum: of the resource, by enum rcr_mix
 * @contention: level of it, likewise
 * @mix: enum rcr_mix that it is used for; RCR_METER_ANY: as is measured
 */
struct rcr_meter_state {
	uint32_t number;
	char name[RCR_METER_NAME_LEN];
	struct rcr_form form;
	char unit[RCR_METER_UNIT_LEN];
	uint32_t timescale;
	uint32_t over;
	uint32_t digits;
	uint32_t flags;
	char reason[RCR_SENTENCE_LEN];
	int64_t theoretical;
	int64_t maximum[RCR_MIXES];
	int64_t contention[RCR_MIXES];
	uint32_t mix;
};

/**
 * struct rcr_meters - all of them
 * @count: entries of @meter
 * @meter: in the order of their numbers
 */
struct rcr_meters {
	unsigned int count;
	struct rcr_meter_state meter[RCR_METERS_MAX];
};

/* Looks which there are. Errors: EPERM. */
int rcr_control_meters(struct rcr_control *c, struct rcr_meters *meters);

/* The one that is called @name, or whose number that is in decimal; or NULL. */
const struct rcr_meter_state *rcr_meters_find(const struct rcr_meters *meters,
					      const char *name);

/**
 * struct rcr_meter_request - a meter to be made
 * @name: unique
 * @form: NULL: its values are posted, or, with @events, it exists and sleeps
 * @unit: NULL: none
 * @timescale: see RCR_TIME_US(); 0: the module's choice
 * @over: enum rcr_place_kind, or RCR_METER_ANY
 * @digits: 0 to 9, or RCR_METER_ANY
 * @is_public: it stands on the public page, too
 * @events: in the raw form, those of its events that are not counted yet
 * @nevents: how many
 */
struct rcr_meter_request {
	const char *name;
	const struct rcr_form *form;
	const char *unit;
	uint32_t timescale;
	uint32_t over;
	uint32_t digits;
	bool is_public;
	const char *const *events;
	unsigned int nevents;
};

/*
 * Makes a meter, which sleeps while the set lacks one of its counters. With @events the
 * running set and these are programmed, or nothing is done; without a form they are for a
 * meter that sleeps. @number gets that of the meter; NULL is allowed. EINVAL, ENOENT,
 * EEXIST, ENOSPC, EBUSY.
 */
int rcr_control_meter_add(struct rcr_control *c, uint32_t generation,
			  const struct rcr_meter_request *request, uint32_t *number);

/* Takes it away. ENOENT. */
int rcr_control_meter_remove(struct rcr_control *c, uint32_t generation, const char *name);

/* Forgets its history; NULL: that of all. ENOENT. */
int rcr_control_meter_reset(struct rcr_control *c, uint32_t generation, const char *name);

/**
 * struct rcr_meter_maximum - what the resource of a meter can do
 * @theoretical: @maximum is the machine's limit, of no mix
 * @mix: enum rcr_mix that it is of, or is used for; RCR_METER_ANY: as is measured
 * @has_maximum: @maximum is given
 * @has_contention: @contention is given
 * @maximum: 0: not known
 * @contention: likewise
 */
struct rcr_meter_maximum {
	bool theoretical;
	uint32_t mix;
	bool has_maximum;
	bool has_contention;
	int64_t maximum;
	int64_t contention;
};

/* Says it to the module; with @mix alone: it is used like that from now on. */
int rcr_control_meter_maximum(struct rcr_control *c, uint32_t generation,
			      const char *name, const struct rcr_meter_maximum *maximum);

/* The latest value of a posted meter, in its entry @place, from 0. EINVAL, ENOENT. */
int rcr_control_meter_post(struct rcr_control *c, const char *name, int64_t value,
			   uint32_t place);

#ifdef __cplusplus
}
#endif

#endif
