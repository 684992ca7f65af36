/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * rcr_meters.h - librcr: lists, adds, changes and removes meters.
 *
 * As in rcr_control.h, functions that fail return -1 with errno set, and rcr_control_reason()
 * returns a sentence. Values are integers: the quantity in the meter's unit times 10 to the power
 * of its digits. Values are read with rcr_board.h.
 */
#ifndef RCR_METERS_H
#define RCR_METERS_H

#include "rcr_control.h"
#include "rcr_form.h"
#include <linux/rcrboard.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Lets the module choose. */
#define RCR_METER_ANY	(~0u)

/**
 * struct rcr_meter_state - a meter
 * @number: number of the meter
 * @name: unique name
 * @form: what it computes; without terms above, its values are posted
 * @unit: unit of its values, for people
 * @scale_ns: time scale, ns
 * @type: enum rcr_time_type
 * @over: enum rcr_place_kind
 * @digits: decimal digits of its values
 * @flags: RCR_METER_...
 * @reason: why it has no values; empty if it has values
 * @maximum: maximum of the machine; 0: not known. Those of other places are in their
 *	entries of the board
 * @contention: contention level of the machine, likewise
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
 * struct rcr_meters - all meters
 * @count: entries of @meter
 * @meter: in ascending order of their numbers
 */
struct rcr_meters {
	unsigned int count;
	struct rcr_meter_state meter[RCR_METERS_MAX];
};

/* Reads the list of meters. Errors: EPERM. */
int rcr_control_meters(struct rcr_control *c, struct rcr_meters *meters);

/* Finds a meter by name, or by number in decimal; NULL if there is none. */
const struct rcr_meter_state *rcr_meters_find(const struct rcr_meters *meters,
					      const char *name);

/**
 * struct rcr_meter_request - a meter to add
 * @name: unique name
 * @form: form; NULL: its values are posted or, with @events, it is an existing sleeping
 *	meter
 * @unit: unit, or NULL
 * @scale_ns: time scale, at most RCR_SCALE_MAX_NS; 0: the module's choice, one second
 * @type: enum rcr_time_type, or RCR_METER_ANY: the average
 * @over: enum rcr_place_kind, or RCR_METER_ANY
 * @digits: 0 to 9, or RCR_METER_ANY
 * @is_public: show it on the public page as well
 * @events: its events that are not counted yet, in the raw form
 * @nevents: entries of @events
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
 * Adds a meter, which sleeps while one of its counters is not in the set. With @events, the running
 * set plus these events is programmed, or nothing is changed; without a form they are for a
 * sleeping meter. @number is set to the number of the meter; it may be NULL. EINVAL, ENOENT,
 * EEXIST, ENOSPC, EBUSY.
 */
int rcr_control_meter_add(struct rcr_control *c, uint32_t generation,
			  const struct rcr_meter_request *request, uint32_t *number);

/* Removes a meter. ENOENT. */
int rcr_control_meter_remove(struct rcr_control *c, uint32_t generation, const char *name);

/* Clears the history of a meter; NULL: of all meters. ENOENT. */
int rcr_control_meter_reset(struct rcr_control *c, uint32_t generation, const char *name);

/**
 * struct rcr_meter_limits - limits of a meter's resource at a place
 * @kind: enum rcr_place_kind
 * @number: number of the place, as in the kernel; 0 for the machine
 * @has_maximum: set @maximum; otherwise it is not changed
 * @has_contention: set @contention; otherwise it is not changed
 * @maximum: 0: not known
 * @contention: 0: not known
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

/* Posts a value of a posted meter, for its entry @place, from 0. EINVAL, ENOENT. */
int rcr_control_meter_post(struct rcr_control *c, const char *name, int64_t value,
			   uint32_t place);

/* Posts that there is no value, because of @status, not RCR_STATUS_OK. Same errors. */
int rcr_control_meter_post_status(struct rcr_control *c, const char *name, uint32_t status,
				  uint32_t place);

#ifdef __cplusplus
}
#endif

#endif
