/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * quantity.h - converts quantities between text (10G, 1.5e9B/s, 80%) and values of meters, which
 * are integers with a fixed number of decimal digits.
 */
#ifndef COMMON_QUANTITY_H
#define COMMON_QUANTITY_H

#include <stdbool.h>
#include <stdint.h>
#include <linux/rcrboard.h>

#include "why.h"

#define QUANTITY_LEN 48

/**
 * struct quantity - a number and its suffix
 * @number: the number
 * @suffix: empty, a prefix, a unit, a prefix and a unit, or %
 */
struct quantity {
	long double number;
	char suffix[RCR_METER_UNIT_LEN + 4];
};

/**
 * struct quantity_scale - format of a meter's values
 * @unit: unit of the meter; may be empty
 * @digits: decimal digits after the point
 * @maximum: maximum of its resource, for percentages; 0: not known
 */
struct quantity_scale {
	const char *unit;
	unsigned int digits;
	int64_t maximum;
};

/* Parses a word; returns -1 with @why filled in on failure. */
int quantity_parse(const char *text, struct quantity *q, struct why *why);

/* Converts to a value of a meter; returns -1 with @why filled in on failure. */
int quantity_value(const struct quantity *q, const struct quantity_scale *scale,
		   int64_t *value, struct why *why);

/* Formats all digits of a value: -1.500. */
char *quantity_text(char text[QUANTITY_LEN], int64_t value, unsigned int digits);

/* Formats four digits and a prefix, for people: 12.35G. */
char *quantity_short(char text[QUANTITY_LEN], int64_t value, unsigned int digits);

#endif
