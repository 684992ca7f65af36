/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report.h - prints the counts of a command. */
#ifndef RCRSTAT_REPORT_H
#define RCRSTAT_REPORT_H

#include <stdint.h>

struct child;
struct intervals;
struct options;
struct totals;

int report_open(const struct options *options);
void report_print(const struct options *options, const struct child *c,
		  const struct totals *t, uint64_t lost, const struct intervals *v,
		  const char *problems);

#endif
