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
 * @scale_ns: its time scale
 * @type: enum rcr_time_type
 * @over: enum rcr_place_kind
 * @digits: of its values behind the point
 * @flags: RCR_METER_...
 * @reason: why it has no values; empty: it has
 * @maximum: of the machine; 0: not known. Those of other places are in their entries of
 *	the board
 * @contention: level of the machine, likewise
 */
struct rcr_meter_state {
	uint32_t number;
	char name[RCR_METER_NAME_LEN];
	struct rcr_form form;
	char unit[RCR_METER_UNIT_LEN];
	uint64_t scale_ns;
	uint32_t type;
	uint32_t over;
	uint32_t digits;
	uint32_t flags;
	char reason[RCR_SENTENCE_LEN];
	int64_t maximum;
	int64_t contention;
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
 * @scale_ns: its time scale, at most RCR_SCALE_MAX_NS; 0: the module's choice, a second
 * @type: enum rcr_time_type, or RCR_METER_ANY: the average
 * @over: enum rcr_place_kind, or RCR_METER_ANY
 * @digits: 0 to 9, or RCR_METER_ANY
 * @is_public: it is on the public page, too
 * @events: in the raw form, those of its events that are not counted yet
 * @nevents: how many
 */
struct rcr_meter_request {
	const char *name;
	const struct rcr_form *form;
	const char *unit;
	uint64_t scale_ns;
	uint32_t type;
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
 * struct rcr_meter_limits - what the resource of a meter can do at a place
 * @kind: enum rcr_place_kind
 * @number: of the place, as the kernel numbers it; of the machine: 0
 * @has_maximum: @maximum is given, else it stays as it was
 * @has_contention: @contention is given, likewise
 * @maximum: 0: not known
 * @contention: likewise
 */
struct rcr_meter_limits {
	uint32_t kind;
	uint32_t number;
	bool has_maximum;
	bool has_contention;
	int64_t maximum;
	int64_t contention;
};

/* Sets the limits of one place. ENOENT. */
int rcr_control_meter_maximum(struct rcr_control *c, uint32_t generation,
			      const char *name, const struct rcr_meter_limits *limits);

/* The latest value of a posted meter, in its entry @place, from 0. EINVAL, ENOENT. */
int rcr_control_meter_post(struct rcr_control *c, const char *name, int64_t value,
			   uint32_t place);

/* There is no such value: @status, not RCR_STATUS_OK, is why. Errors likewise. */
int rcr_control_meter_post_status(struct rcr_control *c, const char *name, uint32_t status,
				  uint32_t place);

#ifdef __cplusplus
}
#endif

#endif
