/* SPDX-License-Identifier: GPL-2.0-or-later */
/* meter_rows.h - prints the meters of an interval: as a table, as columns of CSV, and as JSON. */
#ifndef RCRSTAT_METER_ROWS_H
#define RCRSTAT_METER_ROWS_H

#include <stdio.h>

#include "print/json.h"

struct intervals;
struct meter;
struct meter_value;
struct table_size;
struct view;

unsigned int meter_rows_print(FILE *out, const struct intervals *v, const struct view *view,
			      const struct table_size *size, unsigned int lines);
void meter_rows_reason(FILE *out, const struct intervals *v, const struct meter *meter,
		       const char *place, const struct meter_value *value);
unsigned int meter_rows_problems(FILE *out, const struct intervals *v, const struct view *view);

void meter_rows_names(FILE *out, const struct intervals *v, const struct view *view);
void meter_rows_units(FILE *out, const struct intervals *v);
void meter_rows_csv(FILE *out, const struct intervals *v, const struct view *view);
void meter_rows_json(struct json *j, const struct intervals *v, const struct view *view);

void meter_rows_ldms_names(FILE *out, const struct intervals *v);
void meter_rows_ldms(FILE *out, const struct intervals *v);

/* Calls @put for each meter with its average of the interval. */
typedef void (*meter_put)(void *context, const struct meter *meter, const char *place,
			  const struct meter_value *value);

void meter_rows_visit(const struct intervals *v, const struct view *view, meter_put put,
		      void *context);

/* Calls @put for each meter without a value: "node0", "mem_bw", "foreign". */
typedef void (*meter_exception)(void *context, const char *place, const char *name,
				const char *status);

void meter_rows_exceptions(const struct intervals *v, const struct view *view,
			   meter_exception put, void *context);

#endif
