/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * quantity.h - quantities as people write them (10G, 1.5e9B/s, 80%) and as meters
 * have them: whole numbers, of which some digits stand behind the point.
 */
#ifndef COMMON_QUANTITY_H
#define COMMON_QUANTITY_H

#include <stdbool.h>
#include <stdint.h>
#include <linux/rcrboard.h>

#include "why.h"

#define QUANTITY_LEN 48

/**
 * struct quantity - a number and what stands behind it
 * @number: the number
 * @behind: empty, a prefix, a unit, a prefix and a unit, or %
 */
struct quantity {
	long double number;
	char behind[RCR_METER_UNIT_LEN + 4];
};

/**
 * struct quantity_scale - what a meter's values are
 * @unit: of the meter; may be empty
 * @digits: behind the point
 * @maximum: of its resource, of which a percentage is meant; 0: not known
 */
struct quantity_scale {
	const char *unit;
	unsigned int digits;
	int64_t maximum;
};

/* Reads a word; -1 with the reason. */
int quantity_parse(const char *text, struct quantity *q, struct why *why);

/* What that is as a value of a meter; -1 with the reason. */
int quantity_value(const struct quantity *q, const struct quantity_scale *scale,
		   int64_t *value, struct why *why);

/* Writes all digits of a value: -1.500. */
char *quantity_text(char text[QUANTITY_LEN], int64_t value, unsigned int digits);

/* Writes four digits and a prefix, for people: 12.35G. */
char *quantity_short(char text[QUANTITY_LEN], int64_t value, unsigned int digits);

#endif
