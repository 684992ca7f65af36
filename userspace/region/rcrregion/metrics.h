/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metrics.h - metrics that formulas compute from the counters of a region. */
#ifndef RCRREGION_METRICS_H
#define RCRREGION_METRICS_H

#include "form_value.h"
#include "rcrregion/options.h"
#include "rcrregion/statistics.h"

/**
 * struct metric_region - a region whose metrics are computed
 * @row: its counters
 * @rows: number of these
 * @lane: what all threads have counted; the time is that of one of them
 * @scale: counts of @lane are those divided by this: neither they nor their rates overflow
 * @threads: number of threads of all processes
 * @processes: number of processes
 * @hosts: number of machines of these
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

/* Takes the formulas of a file; NULL: those of the program. Returns 0 or an exit status. */
int metrics_take(const char *path);

/* Compiles them for the TSC of an application, whose regions are next. */
void metrics_compile(const struct statistics_list *list);

/* Fills in the next region that was counted, from row *@row on; false at the end. */
bool metrics_next_region(const struct statistics_list *list, unsigned int *row,
			 struct metric_region *r);

/* True if there are files with a counter of that name. */
bool metrics_has_counter(const char *name);

/* Name of a metric, from 0 on; NULL at the end. */
const char *metrics_name(unsigned int i);

/* Computes a metric; false if there is none of that name, or it has no value. */
bool metrics_value(const struct metric_region *r, const char *name, double *value);

/* Finds a count of all processes, or a rate of the node; false if none of them counted it. */
bool metrics_count(const struct metric_region *r, const char *counter, double *count);

/**
 * metrics_begin() - read the file of formulas of option --derive, or take those of the program
 * @o: the command line
 *
 * Prints the headings of CSV. Returns 0, or an exit status after reporting an error.
 */
int metrics_begin(const struct region_options *o);

/* Prints a line for each region of an application, or adds it to the table. */
void metrics_add(const struct statistics_list *list, const char *application);

/* Prints the table. Returns 0, or an exit status after reporting an error. */
int metrics_end(void);

#endif
