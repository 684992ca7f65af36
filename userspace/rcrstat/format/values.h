/* SPDX-License-Identifier: GPL-2.0-or-later */
/* values.h - every value of an interval, one at a time: for formats without columns. */
#ifndef RCRSTAT_VALUES_H
#define RCRSTAT_VALUES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "rcr.h"

struct intervals;
struct view;

/**
 * struct value - a counter of a CPU, or of a unit that shares it, in an interval
 * @event: name of the counter
 * @place: "cpu3", or the name of the unit
 * @shared: @place is a unit that shares the counter
 * @cpu: CPU number, unless @shared
 * @gauge: the value is not a count: there is no @total
 * @status: "ok", "suspect", or why the counts of the interval are not complete
 * @total: count at the end of the interval, since the counter was added; valid unless @gauge;
 *	does not include intervals that are not ok
 * @tenths: rate in tenths of a count per second; of a gauge the value; valid if @known
 * @known: there is a rate
 */
struct value {
	const char *event;
	const char *place;
	bool shared;
	unsigned int cpu;
	bool gauge;
	const char *status;
	uint64_t total;
	uint64_t tenths;
	bool known;
};

/* True if the counts of the interval are complete and not suspect. */
bool value_is_ok(const struct value *value);

/* Prints the rate, which must be known, with one digit after the point. */
void value_print_rate(FILE *out, const struct value *value);

/*
 * Calls @take for each printed counter: first those of the CPUs, CPU by CPU, then the shared ones,
 * by unit. A silent CPU and a unit without an owner are left out.
 */
void values_visit(const struct intervals *v, const struct view *view,
		  void (*take)(void *to, const struct value *value), void *to);

#endif
