/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * aggregate.h - what the CPUs of a unit did together.
 */
#ifndef RCRSTAT_AGGREGATE_H
#define RCRSTAT_AGGREGATE_H

#include <stdbool.h>
#include <stdint.h>

#include "digits.h"
#include "interval.h"
#include "units.h"

/**
 * struct stats - one counter of a unit in one interval; in tenths of a count
 *	per second
 * @sum: over its CPUs, exact; of a shared counter, over the units in it that
 *	share it, and so in all that follows
 * @mean: @sum over the number of its CPUs, rounded half up
 * @min: the least of its CPUs, exact
 * @max: the most of its CPUs, exact
 * @dev: population standard deviation across its CPUs, rounded to the nearest
 */
struct stats {
	uint64_t sum;
	uint64_t mean;
	uint64_t min;
	uint64_t max;
	uint64_t dev;
};

/* The members of struct stats, in the order in which they are printed. */
#define STATS 5

extern const char *const stats_name[STATS];
uint64_t stats_value(const struct stats *s, unsigned int i);

bool unit_stats(const struct intervals *v, const struct unit *u,
		unsigned int counter, struct stats *s);
bool shared_stats(const struct intervals *v, const struct unit *u,
		  const struct units *shares, unsigned int counter, struct stats *s);
bool unit_is_uneven(const struct intervals *v, const struct unit *u);

#endif
