// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * task_rows.c - prints the shares of processes or cgroups.
 *
 *	2026-11-25 08:13:53, 1 s, 0 lost, 0 overruns
 *	statistical shares, with their standard errors
 *
 *	PROCESS  NAME     SAMPLES           CPU       TOT_CYC
 *	                                                   /s
 *	1234     stress        97  0.970 ±0.3%  732.6M ±0.4%
 *	0        idle           3            -             -
 *	all                   100         1.000        755.2M
 *
 * The last counters, and the tasks with the fewest samples, are left out if they do not fit into
 * the window. CSV has a line for each task in each interval. The last row of a table, and the
 * member "all" in JSON, are the counts of all tasks, which are exact.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "format/cell.h"
#include "format/format.h"
#include "format/identity.h"
#include "format/table.h"
#include "format/task_rows.h"
#include "interval/interval.h"
#include "interval/view.h"
#include "print/columns.h"
#include "print/digits.h"
#include "print/json.h"
#include "print/wall.h"
#include "task/task_names.h"
#include "task/tasks.h"

#define SHARE_WIDTH	15
#define NAME_WIDTH	32	/* the most */
#define ID_WIDTH	10
#define SAMPLES_WIDTH	8
#define BOLD		"\033[1m"
#define PLAIN		"\033[0m"

/* Lines of a table besides tasks: heading, names, units, sum, rows cut, and empty lines. */
#define LINES_BESIDE	8

/**
 * struct task_layout - columns of a table
 * @name: width of the names, characters
 * @shown: mask of the counters that have a column
 * @cut: number of counters that do not fit
 */
struct task_layout {
	unsigned int name;
	uint32_t shown;
	unsigned int cut;
};

static const char *kind_name(const struct intervals *v)
{
	return v->tasks->kind == TASK_CGROUP ? "cgroup" : "process";
}

static bool is_shared_column(const struct intervals *v, unsigned int i)
{
	return intervals_has(v, i) && v->tasks->columns >> i & 1;
}

static unsigned int share_width(const struct intervals *v, unsigned int i)
{
	size_t name = strlen(rcr_set_counter(v->set, i)->name) + 2;

	return name > SHARE_WIDTH ? name : SHARE_WIDTH;
}

/* Formats "732.6M ±0.4%", "732.6M" for an exact value, or "-". */
static void share_text(char text[48], const struct task_value *value, bool time, unsigned int unit,
		       bool exact, const struct table_size *size)
{
	struct cell c = { };

	if (!value->known) {
		strcpy(text, "-");
		return;
	}
	if (time)
		cell_set_ratio(&c, value->rate);
	else
		cell_set_rate(&c, unit, rate_tenths(value->rate));
	if (exact)
		strcpy(text, c.text);
	else
		snprintf(text, 48, "%s %s%.1f%%", c.text, size && size->utf8 ? "\u00b1" : "+-",
			 value->rate > 0 ? 100 * value->error / value->rate : 0);
}

static void print_share(const struct page *p, unsigned int width, const struct task_value *value,
			bool time, unsigned int unit, bool exact)
{
	unsigned int indent = width;
	char text[48];

	share_text(text, value, time, unit, exact, p->size);
	columns_put_right(p->out, &indent, text);
}

/* Returns the width of the columns before those of the counters. */
static unsigned int fixed_width(const struct task_layout *l)
{
	return ID_WIDTH + 2 + l->name + 2 + SAMPLES_WIDTH + SHARE_WIDTH;
}

static unsigned int longest_task_name(const struct intervals *v, const struct task_row *row,
				      unsigned int n)
{
	unsigned int longest = strlen("NAME"), width, i;
	char name[TASK_NAME];

	for (i = 0; i < n; i++) {
		task_names_find(v->task_names, row[i].id, name);
		width = columns_text_width(name);
		longest = width > longest ? width : longest;
	}
	return longest < NAME_WIDTH ? longest : NAME_WIDTH;
}

/* Lays out the columns; leaves out the last counters if the window is too narrow. */
static struct task_layout lay_task_columns(const struct page *p, const struct task_row *row,
					   unsigned int n)
{
	struct task_layout l = { .name = longest_task_name(p->v, row, n) };
	unsigned int width = fixed_width(&l), i;

	for (i = 0; i < p->v->set->ncounters; i++) {
		if (!is_shared_column(p->v, i))
			continue;
		width += share_width(p->v, i);
		if (p->size && p->size->columns && width > p->size->columns)
			l.cut++;
		else
			l.shown |= UINT32_C(1) << i;
	}
	return l;
}

static void print_task_row(const struct page *p, const struct task_layout *l,
			   const struct task_row *row, bool whole)
{
	const struct intervals *v = p->v;
	char name[TASK_NAME] = "", id[24] = "all";
	unsigned int i;

	if (!whole) {
		task_names_find(v->task_names, row->id, name);
		snprintf(id, sizeof(id), "%" PRIu64, row->id);
	}
	fprintf(p->out, "%-*s  %-*.*s  %*llu", ID_WIDTH, id, (int)l->name, (int)l->name, name,
		SAMPLES_WIDTH, (unsigned long long)row->samples);
	print_share(p, SHARE_WIDTH, &row->value[TASK_TIME], true, 0, whole);
	for (i = 0; i < v->set->ncounters; i++)
		if (l->shown >> i & 1)
			print_share(p, share_width(v, i), &row->value[i], false,
				    rcr_set_counter(v->set, i)->unit, whole);
	fputc('\n', p->out);
}

static void print_task_names(const struct page *p, const struct task_layout *l)
{
	const struct intervals *v = p->v;
	bool colour = p->size && p->size->colour;
	unsigned int i;

	fprintf(p->out, "%s%-*s  %-*s  %*s%*s", colour ? BOLD : "", ID_WIDTH,
		v->tasks->kind == TASK_CGROUP ? "CGROUP" : "PROCESS", (int)l->name, "NAME",
		SAMPLES_WIDTH, "SAMPLES", SHARE_WIDTH, "CPU");
	for (i = 0; i < v->set->ncounters; i++)
		if (l->shown >> i & 1)
			fprintf(p->out, "%*s", (int)share_width(v, i),
				rcr_set_counter(v->set, i)->name);
	fprintf(p->out, "%s\n%*s", colour ? PLAIN : "", (int)fixed_width(l), "");
	for (i = 0; i < v->set->ncounters; i++)
		if (l->shown >> i & 1)
			fprintf(p->out, "%*s", (int)share_width(v, i), "/s");
	fputc('\n', p->out);
}

/* Returns the number of rows that fit. */
static unsigned int fitting_rows(const struct page *p, const struct task_layout *l, unsigned int n)
{
	unsigned int beside = LINES_BESIDE + (l->cut > 0);

	if (!p->size || !p->size->lines || n + beside <= p->size->lines)
		return n;
	return p->size->lines > beside ? p->size->lines - beside : 0;
}

/* Prints the table of the current interval. */
void task_rows_table(const struct page *p)
{
	const struct intervals *v = p->v;
	struct task_row *row, whole;
	unsigned int n = tasks_rows(v->tasks, &row, &whole), i;
	struct task_layout l = lay_task_columns(p, row, n);
	unsigned int shown = fitting_rows(p, &l, n);

	wall_date(p->out, intervals_wall_time(v), v->length < 1000000000);
	fprintf(p->out, ", %.6g s, %" PRIu64 " lost, %" PRIu64
		" overruns", v->length / 1e9,
		intervals_lost(v), intervals_overruns(v));
	identity_heading(p->out, p->node);
	fputs("\nstatistical shares, with their standard errors\n\n", p->out);
	print_task_names(p, &l);
	for (i = 0; i < shown; i++)
		print_task_row(p, &l, &row[i], false);
	print_task_row(p, &l, &whole, true);
	columns_print_cut(p->out, n - shown, "task", "low");
	columns_print_cut(p->out, l.cut, "column", "narrow");
	free(row);
}

/* Prints the names of the columns of CSV. */
void task_rows_header(const struct page *p)
{
	const struct intervals *v = p->v;
	const char *name;
	unsigned int i;

	fprintf(p->out, "time,interval,lost,overruns,%s,name,samples,cpu,cpu:error", kind_name(v));
	for (i = 0; i < v->set->ncounters; i++) {
		name = rcr_set_counter(v->set, i)->name;
		if (is_shared_column(v, i))
			fprintf(p->out, ",%s,%s:error", name, name);
	}
	identity_names(p->out, p->node);
	fprintf(p->out, "\n# statistical shares by the %s of each sample, and their standard errors; empty: the error is above %g %%\n",
		kind_name(v), ESTIMATE_ERROR_MOST * 100);
}

static void print_csv_share(FILE *out, const struct task_value *value, int digits)
{
	if (value->known)
		fprintf(out, ",%.*f,%.*f", digits, value->rate, digits, value->error);
	else
		fputs(",,", out);
}

/* Prints a line of CSV for each task. */
void task_rows_csv(const struct page *p)
{
	const struct intervals *v = p->v;
	struct task_row *row, whole;
	unsigned int n = tasks_rows(v->tasks, &row, &whole), i, k;
	char name[TASK_NAME];

	for (i = 0; i < n; i++) {
		task_names_find(v->task_names, row[i].id, name);
		wall_seconds(p->out, intervals_wall_time(v));
		fprintf(p->out, ",%.6g,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%s,%" PRIu64,
			v->length / 1e9, intervals_lost(v), intervals_overruns(v), row[i].id, name,
			row[i].samples);
		print_csv_share(p->out, &row[i].value[TASK_TIME], 6);
		for (k = 0; k < v->set->ncounters; k++)
			if (is_shared_column(v, k))
				print_csv_share(p->out, &row[i].value[k], 1);
		identity_cells(p->out, p->node);
		fputc('\n', p->out);
	}
	free(row);
}

static void put_json_share(struct json *j, const char *name, const struct task_value *value,
			   int digits, bool exact)
{
	char text[64];

	json_open(j, NULL, '{');
	json_text(j, "name", name);
	snprintf(text, sizeof(text), "%.*f", digits, value->known ? value->rate : 0);
	json_decimal(j, "rate", value->known ? text : "null");
	snprintf(text, sizeof(text), "%.*f", digits, value->known ? value->error : 0);
	json_decimal(j, "error", value->known && !exact ? text : value->known ? "0" : "null");
	json_close(j, '}');
}

static void put_json_shares(struct json *j, const struct intervals *v, const struct task_row *row,
			    bool exact)
{
	unsigned int i;

	json_open(j, "shares", '[');
	put_json_share(j, "cpu", &row->value[TASK_TIME], 6, exact);
	for (i = 0; i < v->set->ncounters; i++)
		if (is_shared_column(v, i))
			put_json_share(j, rcr_set_counter(v->set, i)->name, &row->value[i], 1,
				       exact);
	json_close(j, ']');
}

/* Prints the current interval as a line of JSON. */
void task_rows_json(const struct page *p)
{
	struct json j = { .out = p->out, .in_line = true };
	const struct intervals *v = p->v;
	struct task_row *row, whole;
	unsigned int n = tasks_rows(v->tasks, &row, &whole), i;
	uint64_t end = intervals_wall_time(v);
	char text[TASK_NAME];

	json_open(&j, NULL, '{');
	snprintf(text, sizeof(text), "%" PRIu64 ".%06" PRIu64, end / 1000000000,
		 end % 1000000000 / 1000);
	json_decimal(&j, "time", text);
	snprintf(text, sizeof(text), "%.6g", v->length / 1e9);
	json_decimal(&j, "interval", text);
	json_number(&j, "lost", intervals_lost(v));
	json_number(&j, "overruns", intervals_overruns(v));
	json_bool(&j, "statistical", true);
	json_open(&j, v->tasks->kind == TASK_CGROUP ? "cgroups" : "processes", '[');
	for (i = 0; i < n; i++) {
		json_open(&j, NULL, '{');
		json_number(&j, "id", row[i].id);
		task_names_find(v->task_names, row[i].id, text);
		json_text(&j, "name", *text ? text : NULL);
		json_number(&j, "samples", row[i].samples);
		put_json_shares(&j, v, &row[i], false);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_open(&j, "all", '{');
	json_number(&j, "samples", whole.samples);
	put_json_shares(&j, v, &whole, true);
	json_close(&j, '}');
	identity_json(&j, p->node);
	json_close(&j, '}');
	fputc('\n', p->out);
	free(row);
}
