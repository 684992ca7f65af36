/* SPDX-License-Identifier: GPL-2.0-or-later */
/* values.h - prints every value of every process as CSV, and statistics of the values. */
#ifndef RCRREGION_VALUES_H
#define RCRREGION_VALUES_H

#include "rcrregion/statistics.h"

void values_print_head(void);

/* Prints the values of a process, of all regions or of one. */
void values_print_file(const struct region_file *f, const char *region);

void values_print_statistics(const struct statistics_list *list);

#endif
