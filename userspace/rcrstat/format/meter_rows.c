// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * meter_rows.c - prints the meters of an interval.
 *
 *	METER    PLACE    CURRENT    AVERAGE  UNIT
 *	ipc      node0      0.987      0.990
 *	ipc      all        0.991      0.992
 *	mem_bw   all       10.12G     10.10G  B/s
 *
 * A meter has a row for each unit of --per that it applies to, and one for the whole machine. In
 * CSV each row is two columns: "all:ipc" is the average of the interval, "all:ipc:current" that of
 * the time between its last two samples. A comment after the header has the units. A column of
 * --derive has only the average.
 *
 * Pure. Compiled into the unit tests as well.
 */
#include <string.h>

#include "format/cell.h"
#include "format/meter_rows.h"
#include "format/table.h"
#include "interval/interval.h"
#include "interval/view.h"
#include "meter/meters.h"

#define VALUE_WIDTH 11

/* Callback for a meter at a place. */
typedef void (*each_row)(void *context, const struct intervals *v, const struct meter *meter,
			 const struct unit *unit);

static void visit_rows(const struct intervals *v, const struct view *view, each_row each,
		       void *context)
{
	const struct unit whole = units_whole(v);
	const struct meter *meter;
	bool has_whole;
	unsigned int i, n;

	for (i = 0; v->meters && i < v->meters->count; i++) {
		meter = &v->meters->meter[i];
		has_whole = false;
		for (n = 0; view->grouped && n < view->per.count; n++) {
			if (!meter_applies(meter, v, view, &view->per.unit[n]))
				continue;
			each(context, v, meter, &view->per.unit[n]);
			has_whole |= !strcmp(view->per.unit[n].name, whole.name);
		}
		if (!has_whole)
			each(context, v, meter, &whole);
	}
}

/**
 * struct meter_widths - layout of the table
 * @out: output stream
 * @name: width of the names
 * @place: width of the places
 * @rows: number of rows
 * @left: number of rows that still fit
 * @size: how tables are drawn
 */
struct meter_widths {
	FILE *out;
	unsigned int name;
	unsigned int place;
	unsigned int rows;
	unsigned int left;
	const struct table_size *size;
};

static void measure_row(void *context, const struct intervals *v, const struct meter *meter,
			const struct unit *unit)
{
	struct meter_widths *w = context;
	unsigned int name = strlen(meter->name), place = strlen(unit->name);

	(void)v;
	w->name = name > w->name ? name : w->name;
	w->place = place > w->place ? place : w->place;
	w->rows++;
}

static void print_value_cell(const struct meter_widths *w, const struct meter_value *value)
{
	unsigned int indent = VALUE_WIDTH;
	struct cell c = { };

	if (value->status == RCR_STATUS_OK)
		cell_set_ratio(&c, value->value);
	cell_print(w->out, &indent, &c, w->size);
}

static const char *unit_text(const struct meter *meter)
{
	return strcmp(meter->unit, "1") ? meter->unit : "";
}

static void print_meter_row(void *context, const struct intervals *v, const struct meter *meter,
			    const struct unit *unit)
{
	struct meter_value value = meter_compute(meter, v, unit, METER_CURRENT);
	struct meter_widths *w = context;

	if (!w->left)
		return;
	w->left--;
	fprintf(w->out, "%-*s  %-*s", (int)w->name, meter->name, (int)w->place, unit->name);
	print_value_cell(w, &value);
	value = meter_compute(meter, v, unit, METER_AVERAGE);
	print_value_cell(w, &value);
	fprintf(w->out, "%s%s\n", *unit_text(meter) ? "  " : "", unit_text(meter));
}

/**
 * meter_rows_print() - print the table of meters
 * @out: output stream
 * @v: the intervals
 * @view: their view
 * @size: how tables are drawn
 * @lines: maximum number of lines; 0: unlimited
 *
 * Returns the number of lines printed.
 */
unsigned int meter_rows_print(FILE *out, const struct intervals *v, const struct view *view,
			      const struct table_size *size, unsigned int lines)
{
	struct meter_widths w = { .out = out, .name = 5, .place = 5, .size = size };
	unsigned int cut;

	visit_rows(v, view, measure_row, &w);
	if (!w.rows)
		return 0;
	w.left = w.rows;
	if (lines && w.rows + 1 > lines)
		w.left = lines > 2 ? lines - 2 : 0;
	cut = w.rows - w.left;
	lines = 1 + w.left + !!cut;
	fprintf(out, "%-*s  %-*s%*s%*s  UNIT\n", (int)w.name, "METER", (int)w.place, "PLACE",
		VALUE_WIDTH, "CURRENT", VALUE_WIDTH, "AVERAGE");
	visit_rows(v, view, print_meter_row, &w);
	if (cut)
		fprintf(out, "%u more row%s of meters not shown: the window is too low\n", cut,
			cut > 1 ? "s" : "");
	return lines;
}

/* Output stream of sentences, and number of sentences so far. */
struct problem_list {
	FILE *out;
	unsigned int sentences;
};

/* Prints why a meter has no value. */
void meter_rows_reason(FILE *out, const struct intervals *v, const struct meter *meter,
		       const char *place, const struct meter_value *value)
{
	fprintf(out, "%s of %s has no value: ", meter->name, place);
	if (*meter->missing)
		fprintf(out, "%s is not counted\n", meter->missing);
	else if (value->status == METER_UNDEFINED)
		fputs("its divisor is 0\n", out);
	else
		fprintf(out, "%s on CPU %u was %s\n",
			rcr_set_counter(v->set, value->counter)->name, value->cpu,
			rcr_status_name(value->status));
}

static void print_meter_problem(void *context, const struct intervals *v,
				const struct meter *meter, const struct unit *unit)
{
	struct meter_value value = meter_compute(meter, v, unit, METER_AVERAGE);
	struct problem_list *list = context;

	if (value.status == RCR_STATUS_OK)
		return;
	list->sentences++;
	meter_rows_reason(list->out, v, meter, unit->name, &value);
}

/* Prints a sentence for each value that is missing; returns their number. */
unsigned int meter_rows_problems(FILE *out, const struct intervals *v, const struct view *view)
{
	struct problem_list list = { .out = out };

	visit_rows(v, view, print_meter_problem, &list);
	return list.sentences;
}

static void print_meter_names(void *context, const struct intervals *v, const struct meter *meter,
			      const struct unit *unit)
{
	(void)v;
	fprintf(context, ",%s:%s", unit->name, meter->name);
	if (!meter->derived)
		fprintf(context, ",%s:%s:current", unit->name, meter->name);
}

/* Prints the names of the columns. */
void meter_rows_names(FILE *out, const struct intervals *v, const struct view *view)
{
	visit_rows(v, view, print_meter_names, out);
}

/* Prints the units as comments. */
void meter_rows_units(FILE *out, const struct intervals *v)
{
	unsigned int i;

	for (i = 0; v->meters && i < v->meters->count; i++)
		if (!v->meters->meter[i].derived)
			fprintf(out, "# unit %s %s\n", v->meters->meter[i].name,
				v->meters->meter[i].unit);
}

static void print_number(FILE *out, const struct meter *meter, const struct meter_value *value)
{
	if (value->status == RCR_STATUS_OK)
		fprintf(out, ",%.*f", (int)meter->digits, value->value);
	else
		fputc(',', out);
}

static void print_meter_csv(void *context, const struct intervals *v, const struct meter *meter,
			    const struct unit *unit)
{
	struct meter_value value = meter_compute(meter, v, unit, METER_AVERAGE);

	print_number(context, meter, &value);
	if (meter->derived)
		return;
	value = meter_compute(meter, v, unit, METER_CURRENT);
	print_number(context, meter, &value);
}

/* Prints the columns of the interval. */
void meter_rows_csv(FILE *out, const struct intervals *v, const struct view *view)
{
	visit_rows(v, view, print_meter_csv, out);
}

static void put_json_value(struct json *j, const char *key, const struct meter *meter,
			   const struct meter_value *value)
{
	char text[64];

	snprintf(text, sizeof(text), "%.*f", (int)meter->digits, value->value);
	json_decimal(j, key, value->status == RCR_STATUS_OK ? text : "null");
}

/* True if a counter of any CPU is suspect; does not check which meters use the counter. */
static bool has_suspect(const struct intervals *v)
{
	unsigned int i, counter;

	for (i = 0; i < v->cpus; i++)
		for (counter = 0; counter < v->set->ncounters; counter++)
			if (cpu_suspect(&v->cpu[i], counter))
				return true;
	return false;
}

static const char *row_status(const struct intervals *v, enum rcr_status status)
{
	return status == RCR_STATUS_OK && has_suspect(v) ? "suspect" : meter_status_name(status);
}

static void print_meter_json(void *context, const struct intervals *v, const struct meter *meter,
			     const struct unit *unit)
{
	struct meter_value average = meter_compute(meter, v, unit, METER_AVERAGE);
	struct meter_value current = meter_compute(meter, v, unit, METER_CURRENT);
	struct json *j = context;

	if (meter->derived)
		return;
	json_open(j, NULL, '{');
	json_text(j, "name", meter->name);
	json_text(j, "place", unit->name);
	json_text(j, "unit", meter->unit);
	json_text(j, "status", row_status(v, average.status));
	put_json_value(j, "current", meter, &current);
	put_json_value(j, "average", meter, &average);
	json_close(j, '}');
}

static void print_derived_json(void *context, const struct intervals *v,
			       const struct meter *meter, const struct unit *unit)
{
	struct meter_value value = meter_compute(meter, v, unit, METER_AVERAGE);
	struct json *j = context;

	if (!meter->derived)
		return;
	json_open(j, NULL, '{');
	json_text(j, "name", meter->name);
	json_text(j, "place", unit->name);
	json_text(j, "status", row_status(v, value.status));
	put_json_value(j, "value", meter, &value);
	json_close(j, '}');
}

static bool has_kind(const struct intervals *v, bool derived)
{
	unsigned int i;

	for (i = 0; v->meters && i < v->meters->count; i++)
		if (v->meters->meter[i].derived == derived)
			return true;
	return false;
}

/* Writes the arrays "meters" and "derived", unless they are empty. */
void meter_rows_json(struct json *j, const struct intervals *v, const struct view *view)
{
	if (has_kind(v, false)) {
		json_open(j, "meters", '[');
		visit_rows(v, view, print_meter_json, j);
		json_close(j, ']');
	}
	if (has_kind(v, true)) {
		json_open(j, "derived", '[');
		visit_rows(v, view, print_derived_json, j);
		json_close(j, ']');
	}
}

/* Prints the names of the columns of --derive; LDMS has only values of the whole machine. */
void meter_rows_ldms_names(FILE *out, const struct intervals *v)
{
	unsigned int i;

	for (i = 0; v->meters && i < v->meters->count; i++)
		if (v->meters->meter[i].derived)
			fprintf(out, ",%s", v->meters->meter[i].name);
}

/* Prints the columns of --derive; unknown values are empty. */
void meter_rows_ldms(FILE *out, const struct intervals *v)
{
	const struct unit whole = units_whole(v);
	struct meter_value value;
	unsigned int i;

	for (i = 0; v->meters && i < v->meters->count; i++) {
		if (!v->meters->meter[i].derived)
			continue;
		value = meter_compute(&v->meters->meter[i], v, &whole, METER_AVERAGE);
		print_number(out, &v->meters->meter[i], &value);
	}
}

/* Arguments to call meter_exception with. */
struct exception_list {
	meter_exception put;
	void *context;
};

static void put_exception(void *context, const struct intervals *v, const struct meter *meter,
			  const struct unit *unit)
{
	struct meter_value value = meter_compute(meter, v, unit, METER_AVERAGE);
	const struct exception_list *list = context;

	if (value.status != RCR_STATUS_OK || has_suspect(v))
		list->put(list->context, unit->name, meter->name, row_status(v, value.status));
}

void meter_rows_exceptions(const struct intervals *v, const struct view *view,
			   meter_exception put, void *context)
{
	struct exception_list list = { put, context };

	visit_rows(v, view, put_exception, &list);
}

/* Arguments to call meter_put with. */
struct row_list {
	meter_put put;
	void *context;
};

static void put_row_value(void *context, const struct intervals *v, const struct meter *meter,
			  const struct unit *unit)
{
	struct meter_value value = meter_compute(meter, v, unit, METER_AVERAGE);
	const struct row_list *list = context;

	list->put(list->context, meter, unit->name, &value);
}

void meter_rows_visit(const struct intervals *v, const struct view *view, meter_put put,
		      void *context)
{
	struct row_list list = { put, context };

	visit_rows(v, view, put_row_value, &list);
}
