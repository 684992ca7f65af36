// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * meter_ls.c - prints the values of meters for the whole machine, one line per meter.
 *
 * Each line begins with the name. A heading is printed on a terminal only.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "board.h"
#include "message.h"
#include "meter.h"
#include "parse/period.h"
#include "print/columns.h"
#include "print/json.h"
#include "rcr.h"

/* Length of the longest form, printed as a formula. */
#define FORMULA_TEXT_LEN (2 * RCR_FORM_TERMS * (RCR_NAME_LEN + 32))

/**
 * struct table - input of the table
 * @b: the board
 * @all: include meters without values, and the reason
 * @meters: descriptions of the meters
 * @count: entries of @meters
 * @control: state of the meters in the module; only if @all
 */
struct table {
	struct rcr_blackboard *b;
	bool all;
	struct rcr_board_meter meters[RCR_METERS_MAX];
	int count;
	struct rcr_meters control;
};

/* Reason why a meter has no values, or NULL. */
static const char *reason_of_meter(const struct table *t, const struct rcr_board_meter *m)
{
	const struct rcr_meter_state *state = rcr_meters_find(&t->control, m->name);

	if (state && *state->reason)
		return state->reason;
	return m->entries ? NULL : "one of its counters is not in the set";
}

/* Reads the values of the meter's entry @n; false if there are none. */
static bool read_values(const struct table *t, const struct rcr_board_meter *m,
			unsigned int n, struct rcr_board_value *v)
{
	struct rcr_meter entry = { .entry = m->first + n, .serial = m->serial };

	return n < m->entries && !rcr_board_read(t->b, &entry, v);
}

static char *scale_text(const struct rcr_board_meter *m, char *text, size_t size)
{
	char span[PERIOD_LEN];

	period_text(span, m->scale_ns);
	snprintf(text, size, "%s,%s", span, board_time_name(m->type));
	return text;
}

static bool is_wanted_meter(const struct table *t, const struct rcr_board_meter *m)
{
	return t->all || m->entries;
}

static void add_meter_row(struct columns *c, const struct table *t, const struct rcr_board_meter *m)
{
	const char *why = reason_of_meter(t, m), *verdict, *cell[COLUMNS_LIMIT];
	char current[QUANTITY_LEN], average[QUANTITY_LEN], peak[QUANTITY_LEN];
	char utilization[16], scale[PERIOD_LEN + 16];
	struct rcr_board_value v;
	unsigned int i;

	for (i = 0; i < c->count; i++)
		cell[i] = "-";
	cell[0] = m->name;
	if (*m->unit)
		cell[1] = m->unit;
	if (read_values(t, m, 0, &v)) {
		cell[2] = quantity_short(current, v.current_value, m->digits);
		cell[3] = quantity_short(average, v.average, m->digits);
		cell[4] = quantity_short(peak, v.peak, m->digits);
		if (v.maximum && v.current_status == RCR_STATUS_OK) {
			snprintf(utilization, sizeof(utilization), "%.1f%%", v.utilization / 1e4);
			cell[5] = utilization;
		}
		verdict = meter_verdict_name(v.verdict);
		if (verdict)
			cell[6] = verdict;
	}
	cell[7] = scale_text(m, scale, sizeof(scale));
	if (why)
		cell[8] = why;
	columns_add(c, cell);
}

static int print_meter_table(const struct table *t)
{
	struct columns table = {
		.count = t->all ? 9 : 8,
		.heading = { "NAME", "UNIT", "CURRENT", "AVERAGE", "PEAK", "UTILIZATION", "VERDICT",
			     "SCALE", "REASON" },
	};
	int i;

	for (i = 0; i < t->count; i++)
		if (is_wanted_meter(t, &t->meters[i]))
			add_meter_row(&table, t, &t->meters[i]);
	if (columns_print(&table, isatty(STDOUT_FILENO) && table.rows, stdout))
		return fail("out of memory");
	return EXIT_SUCCESS;
}

static void value_json(struct json *j, const char *key, int64_t value, unsigned int digits)
{
	char text[QUANTITY_LEN];

	json_decimal(j, key, quantity_text(text, value, digits));
}

static void values_json(struct json *j, const struct rcr_board_meter *m,
			const struct rcr_board_value *v)
{
	value_json(j, "current", v->current_value, m->digits);
	json_text(j, "current_status",
		  v->current_status ? rcr_status_name(v->current_status) : NULL);
	value_json(j, "average", v->average, m->digits);
	value_json(j, "sum", v->sum, m->digits);
	value_json(j, "peak", v->peak, m->digits);
	value_json(j, "highest", v->highest, m->digits);
	json_number(j, "unseen", v->unseen);
	value_json(j, "maximum", v->maximum, m->digits);
	value_json(j, "contention", v->contention, m->digits);
	value_json(j, "utilization", v->utilization, 6);
	json_number(j, "begin_ns", v->begin);
	json_number(j, "time_ns", v->time);
	json_number(j, "counted_ns", v->counted_ns);
	json_text(j, "verdict", meter_verdict_name(v->verdict));
	json_text(j, "status", v->status ? rcr_status_name(v->status) : NULL);
}

static void place_json(struct json *j, const struct table *t,
		       const struct rcr_board_meter *m, unsigned int n)
{
	const struct rcr_board_entry *e = rcr_board_entry(t->b, m->first + n);
	struct rcr_board_value v;
	char text[32];

	json_open(j, NULL, '{');
	json_text(j, "place", board_place_text(e ? rcr_board_place(t->b, e->place) : NULL,
					       text));
	if (read_values(t, m, n, &v))
		values_json(j, m, &v);
	json_close(j, '}');
}

static void meter_json(struct json *j, const struct table *t, const struct rcr_board_meter *m)
{
	const struct rcr_meter_state *state = rcr_meters_find(&t->control, m->name);
	char formula[FORMULA_TEXT_LEN];
	unsigned int i;

	json_open(j, NULL, '{');
	json_text(j, "name", m->name);
	json_number(j, "number", m->number);
	json_text(j, "unit", m->unit);
	json_number(j, "scale_ns", m->scale_ns);
	json_text(j, "type", board_time_name(m->type));
	json_text(j, "reason", reason_of_meter(t, m));
	if (state && !(state->flags & RCR_METER_POSTED) &&
	    !rcr_form_text(&state->form, state->digits, formula, sizeof(formula)))
		json_text(j, "formula", formula);
	json_open(j, "places", '[');
	for (i = 0; i < m->entries && rcr_board_entry(t->b, m->first + i); i++)
		place_json(j, t, m, i);
	json_close(j, ']');
	json_close(j, '}');
}

static void print_meters_json(const struct table *t)
{
	struct json j = { .out = stdout };
	int i;

	json_open(&j, NULL, '[');
	for (i = 0; i < t->count; i++)
		if (is_wanted_meter(t, &t->meters[i]))
			meter_json(&j, t, &t->meters[i]);
	json_close(&j, ']');
	putchar('\n');
}

/* Reads the reasons from the module; the table is printed without them on failure. */
static void ask_module(struct session *s, struct table *t)
{
	if (session_has_module(s) && !rcr_control_meters(s->control, &t->control))
		return;
	note("cannot list why meters have no values: %s", rcr_control_reason(s->control));
}

/* Reports if sampling is stopped; the first meter with an entry shows whether it is. */
static void report_stale(const struct table *t)
{
	struct rcr_board_value v;
	int i;

	for (i = 0; i < t->count; i++) {
		if (!t->meters[i].entries)
			continue;
		if (!read_values(t, &t->meters[i], 0, &v) && errno == ESTALE)
			note("sampling is stopped, so meters have no current values: see 'rcrctl ls'");
		return;
	}
}

/* On a terminal, points out meters that are not listed. */
static void report_inactive(const struct table *t)
{
	int i, inactive = 0;

	for (i = 0; i < t->count; i++)
		inactive += !t->meters[i].entries;
	if (inactive && isatty(STDOUT_FILENO))
		printf("\n%d more %s events that are not counted: see 'rcrctl meter ls -a'; 'rcrctl meter add NAME' counts them\n",
		       inactive, inactive == 1 ? "needs" : "need");
}

/* Subscribes to all values printed; returns the exit status, after reporting an error. */
static int subscribe_table(const struct table *t)
{
	int i;

	for (i = 0; i < t->count; i++)
		/* A meter that is removed meanwhile has no values. */
		if (rcr_board_subscribe_meter(t->b, &t->meters[i], 0) && errno != ESTALE)
			return fail("%s: %s", board_path(), strerror(errno));
	return EXIT_SUCCESS;
}

/**
 * struct ls_options - what to list, and how
 * @all: also meters without values
 * @json: as JSON
 * @only: name of the only meter to list, or NULL
 */
struct ls_options {
	bool all;
	bool json;
	const char *only;
};

static bool parse_ls(const struct call *c, struct ls_options *o)
{
	int i;

	for (i = 0; i < c->count; i++) {
		if (!strcmp(c->args[i], "-a") || !strcmp(c->args[i], "--all"))
			o->all = true;
		else if (!strcmp(c->args[i], "--json"))
			o->json = true;
		else
			return false;
	}
	return true;
}

int check_meter_ls(struct call *c)
{
	struct ls_options o = { 0 };

	return parse_ls(c, &o) ? EXIT_SUCCESS : wrong("meter ls takes no argument but -a and --json");
}

/* Removes all other meters than @name from the table; false if @name is not in it. */
static bool keep_meter(struct table *t, const char *name)
{
	int i;

	for (i = 0; i < t->count; i++) {
		if (strcmp(t->meters[i].name, name))
			continue;
		t->meters[0] = t->meters[i];
		t->count = 1;
		return true;
	}
	return false;
}

static int list_meters(struct call *c, struct ls_options o)
{
	static struct table t;
	int status;

	t.b = board_open();
	if (!t.b)
		return EXIT_FAILURE;
	t.all = o.all;
	memset(&t.control, 0, sizeof(t.control));
	if (o.all)
		ask_module(c->session, &t);
	t.count = rcr_board_meters(t.b, t.meters, RCR_METERS_MAX);
	if (t.count < 0)
		status = fail("%s: %s", board_path(), strerror(errno));
	else if (o.only && !keep_meter(&t, o.only))
		status = fail("unknown meter '%s': see 'rcrctl meter ls -a'", o.only);
	else
		status = subscribe_table(&t);
	if (!status)
		report_stale(&t);
	if (!status && o.json)
		print_meters_json(&t);
	else if (!status)
		status = print_meter_table(&t);
	if (!status && !o.json && !o.all)
		report_inactive(&t);
	rcr_board_close(t.b);
	return status;
}

int do_meter_ls(struct call *c)
{
	struct ls_options o = { 0 };

	parse_ls(c, &o);
	return list_meters(c, o);
}

int meter_show_json(struct call *c, const char *name)
{
	return list_meters(c, (struct ls_options){ .all = true, .json = true, .only = name });
}
