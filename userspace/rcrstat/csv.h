/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * csv.h - one line an interval, for programs and spreadsheets.
 *
 * Where units are NULL every CPU stands for itself.
 */
#ifndef RCRSTAT_CSV_H
#define RCRSTAT_CSV_H

#include <stdio.h>

struct intervals;
struct units;

void csv_header(FILE *out, const struct intervals *v, const struct units *units);
void csv_line(FILE *out, const struct intervals *v, const struct units *units);

#endif
