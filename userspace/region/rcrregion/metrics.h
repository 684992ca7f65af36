/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metrics.h - metrics that formulas compute from the counters of a region. */
#ifndef RCRREGION_METRICS_H
#define RCRREGION_METRICS_H

#include "rcrregion/options.h"
#include "rcrregion/statistics.h"

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
