/* SPDX-License-Identifier: GPL-2.0-or-later */
/* meters.h - the meters of option -m and the columns of --derive. */
#ifndef RCRSTAT_METERS_H
#define RCRSTAT_METERS_H

#include <stdbool.h>

#include "derive_file.h"
#include "form_value.h"
#include "interval/view.h"

/* Meters of option -m. */
#define METERS_MOST 16

/**
 * struct meter - a meter that is shown
 * @name: its name
 * @unit: unit of its values; "1": none
 * @digits: decimal digits of its values
 * @bound: its form, bound to counters of the set
 * @derived: a column of --derive: a count is that of the interval
 * @missing: name of a counter that the set lacks; else empty
 */
struct meter {
	char name[RCR_METER_NAME_LEN];
	char unit[RCR_METER_UNIT_LEN];
	unsigned int digits;
	struct bound_form bound;
	bool derived;
	char missing[RCR_NAME_LEN];
};

/**
 * struct meters - all meters that are shown
 * @count: entries of @meter
 * @meter: in the order of the user's list; those of --derive are last
 */
struct meters {
	unsigned int count;
	struct meter meter[METERS_MOST + DERIVED_MOST];
};

/* Samples of a CPU that a value is computed from. */
enum meter_span {
	METER_AVERAGE,		/* those that delimit the interval */
	METER_CURRENT,		/* the last two of the interval */
};

/**
 * struct meter_value - a value of a meter
 * @status: RCR_STATUS_OK: there is a value; METER_UNDEFINED; else why there is none
 * @value: the value, in the meter's unit
 * @counter: index of the counter that has @status, if any
 * @cpu: the CPU on which it has @status
 */
struct meter_value {
	enum rcr_status status;
	double value;
	unsigned int counter;
	unsigned int cpu;
};

/* The divisor is 0, or a counter is not in the set. */
#define METER_UNDEFINED 0

void meters_bind(struct meters *m, const struct rcr_set *set);
bool meter_applies(const struct meter *meter, const struct intervals *v, const struct view *view,
		   const struct unit *unit);
struct meter_value meter_compute(const struct meter *meter, const struct intervals *v,
				 const struct unit *unit, enum meter_span span);
const char *meter_status_name(enum rcr_status status);

#endif
