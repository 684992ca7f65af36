/* SPDX-License-Identifier: GPL-2.0-or-later */
/* aggregate.h - statistics of one counter across the CPUs of a unit. */
#ifndef RCRSTAT_AGGREGATE_H
#define RCRSTAT_AGGREGATE_H

#include <stdbool.h>
#include <stdint.h>

#include "print/digits.h"
#include "interval/interval.h"
#include "interval/units.h"

/**
 * struct stats - one counter of a unit in one interval, in tenths of a count per second
 * @sum: sum over the CPUs of the unit, exact; for a shared counter, here and below, over
 *	the units that share it
 * @mean: @sum divided by the number of CPUs, rounded half up
 * @min: smallest rate, exact
 * @max: largest rate, exact
 * @dev: population standard deviation, rounded to nearest
 */
struct stats {
	uint64_t sum;
	uint64_t mean;
	uint64_t min;
	uint64_t max;
	uint64_t dev;
};

/* Names of the members of struct stats, in the order of printing. */
#define STATS 5

extern const char *const stats_name[STATS];
uint64_t stats_value(const struct stats *s, unsigned int i);

bool unit_stats(const struct intervals *v, const struct unit *u,
		unsigned int counter, struct stats *s);
bool shared_stats(const struct intervals *v, const struct unit *u,
		  const struct units *shares, unsigned int counter, struct stats *s);
bool unit_is_uneven(const struct intervals *v, const struct unit *u);

#endif
