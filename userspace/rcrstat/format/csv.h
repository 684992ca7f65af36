/* SPDX-License-Identifier: GPL-2.0-or-later */
/* csv.h - CSV output, one line per interval. */
#ifndef RCRSTAT_CSV_H
#define RCRSTAT_CSV_H

#include <stdio.h>

struct intervals;
struct view;

void csv_header(FILE *out, const struct intervals *v, const struct view *view);
void csv_line(FILE *out, const struct intervals *v, const struct view *view);

#endif
