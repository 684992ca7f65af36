/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metrics.h - computes metrics of a region with formulas. */
#ifndef RCRREGION_METRICS_H
#define RCRREGION_METRICS_H

#include "form_value.h"
#include "rcrregion/options.h"
#include "rcrregion/statistics.h"

/**
 * struct metric_region - a region whose metrics are computed
 * @row: its counters
 * @rows: entries of @row
 * @lane: counts of all threads, and the time of one thread
 * @scale: divisor of the counts in @lane, so that neither these nor their rates overflow
 * @threads: number of threads of all processes
 * @processes: number of processes
 * @hosts: number of machines that they ran on
 * @tsc_hz: TSC cycles in a second; 0: not known
 */
struct metric_region {
	const struct statistics *row;
	unsigned int rows;
	struct form_lane lane;
	double scale;
	uint64_t threads;
	uint64_t processes;
	unsigned int hosts;
	uint64_t tsc_hz;
};

/* Reads the formulas of a file, or takes the built-in ones. Returns 0 or an exit status. */
int metrics_take(const char *path);

/* Compiles the formulas for the TSC of an application; call before its regions are computed. */
void metrics_compile(const struct statistics_list *list);

/* Fills in the next region that was counted, from row *@row on; returns false at the end. */
bool metrics_next_region(const struct statistics_list *list, unsigned int *row,
			 struct metric_region *r);

/* True if any file may have a counter of that name. */
bool metrics_has_counter(const char *name);

/* Returns the name of metric @i; NULL after the last one. */
const char *metrics_name(unsigned int i);

/* Computes a metric by name; returns false if it is unknown, or has no value. */
bool metrics_value(const struct metric_region *r, const char *name, double *value);

/* Finds the count of all processes, or a rate of the node; returns false if there is none. */
bool metrics_count(const struct metric_region *r, const char *counter, double *count);

/**
 * metrics_begin() - read the formulas of option --derive, or take the built-in ones
 * @o: the command line
 *
 * Prints the header of CSV. Returns 0, or an exit status after reporting an error.
 */
int metrics_begin(const struct region_options *o);

/* Prints a line for each region of an application, or adds the lines to the table. */
void metrics_add(const struct statistics_list *list, const char *application);

/* Prints the table. Returns 0, or an exit status after reporting an error. */
int metrics_end(void);

#endif
