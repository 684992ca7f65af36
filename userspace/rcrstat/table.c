// SPDX-License-Identifier: GPL-2.0-only
/*
 * table.c - an interval as a table that a person likes to read.
 *
 *	2026-11-20 14:02:31, 1 s, 0 lost, 0 overruns
 *
 *	         TOT_CYC   TOT_INS
 *	cpu0      2.794G    3.511G
 *	cpu1      1.002M         -
 *	all       2.795G         -
 *
 *	TOT_INS on CPU 1 was not ours: somebody else programmed its register
 *
 * Events are columns; rows are CPUs or, for each unit, its five statistics. The
 * last row is the sum over all CPUs that are looked at. A mark is the first of
 * the sentences. What does not fit is cut: rows from the end, then sentences, and
 * a sentence tells how many.
 *
 * Pure but for the time zone. Compiled into the unit tests as well.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "aggregate.h"
#include "interval.h"
#include "marks.h"
#include "problems.h"
#include "si.h"
#include "table.h"
#include "units.h"
#include "wall.h"

/* Two spaces and a number. */
#define WIDTH_MIN (2 + SI_SIZE - 1)

/* Sentences that are told before any row is given up for one. */
#define PROBLEMS_MIN 3

/**
 * struct layout - where things go
 * @v: the interval
 * @units: NULL: every CPU stands for itself
 * @label: characters of a row's name
 * @width: characters of an event's column, with the spaces before it
 * @events: columns that fit
 * @header: lines that the names of the events take
 * @rows: CPUs or units that are shown
 * @problems: sentences that are shown
 */
struct layout {
	const struct intervals *v;
	const struct units *units;
	unsigned int label;
	unsigned int width;
	unsigned int events;
	unsigned int header;
	unsigned int rows;
	unsigned int problems;
};

static unsigned int larger(unsigned int a, unsigned int b)
{
	return a > b ? a : b;
}

static unsigned int smaller(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

static const char *event_name(const struct layout *l, unsigned int counter)
{
	return rcr_set_counter(l->v->set, counter)->name;
}

/* Characters of @name that go into a line of @room: up to a '_' if it can be. */
static size_t piece(const char *name, size_t room)
{
	size_t i;

	if (strlen(name) <= room)
		return strlen(name);
	for (i = room; i > 1; i--)
		if (name[i - 1] == '_')
			return i;
	return room;
}

static unsigned int pieces(const char *name, size_t room)
{
	unsigned int n = 0;

	for (; *name; name += piece(name, room))
		n++;
	return n;
}

static unsigned int all_rows(const struct layout *l)
{
	return l->units ? l->units->count : l->v->cpus;
}

static unsigned int row_lines(const struct layout *l)
{
	return l->units ? STATS : 1;
}

static const char *row_name(const struct layout *l, unsigned int row,
			    char text[UNIT_NAME])
{
	if (l->units)
		return l->units->unit[row].name;
	snprintf(text, UNIT_NAME, "cpu%u", l->v->cpu[row].cpu);
	return text;
}

/* One unit of that name says all that a sum over all could. */
static bool has_total(const struct layout *l)
{
	return !l->units || l->units->count != 1 ||
	       strcmp(l->units->unit[0].name, units_whole(l->v).name);
}

static void lay_columns(struct layout *l, unsigned int columns)
{
	unsigned int counters = l->v->set->ncounters, longest = 0, i;
	char text[UNIT_NAME];

	l->label = strlen("all sum");
	for (i = 0; i < all_rows(l); i++)
		l->label = larger(l->label, strlen(row_name(l, i, text)) +
					    (l->units ? strlen(" mean") : 0));
	for (i = 0; i < counters; i++)
		longest = larger(longest, strlen(event_name(l, i)));
	l->width = larger(WIDTH_MIN, longest + 2);
	l->events = counters;
	if (columns && counters) {
		columns -= smaller(columns, l->label);
		l->width = larger(WIDTH_MIN, smaller(l->width, columns / counters));
		l->events = smaller(counters, columns / l->width);
	}
	l->header = 0;
	for (i = 0; i < l->events; i++)
		l->header = larger(l->header, pieces(event_name(l, i), l->width - 2));
}

/* Around the rows: heading, names, sum, events that are cut, problems, and empty lines. */
static unsigned int fixed_lines(const struct layout *l, unsigned int problems)
{
	bool cut = l->events < l->v->set->ncounters;

	return 1 + 1 + l->header + has_total(l) + (problems ? 1 + problems : 0) + cut;
}

/* Sentences give way to rows only down to PROBLEMS_MIN. */
static void lay_lines(struct layout *l, unsigned int lines, unsigned int problems)
{
	unsigned int fixed;

	l->rows = all_rows(l);
	l->problems = problems;
	if (!lines || fixed_lines(l, problems) + l->rows * row_lines(l) <= lines)
		return;
	l->problems = smaller(problems, PROBLEMS_MIN);
	/* One line more says how many rows, and perhaps one how many problems. */
	fixed = fixed_lines(l, l->problems) + 1 + (l->problems < problems);
	l->rows = smaller(l->rows, lines > fixed ? (lines - fixed) / row_lines(l) : 0);
}

static void print_heading(FILE *out, const struct intervals *v)
{
	wall_date(out, intervals_wall_time(v), v->length < 1000000000);
	fprintf(out, ", %.6g s, %" PRIu64 " lost, %" PRIu64 " overruns\n\n",
		v->length / 1e9, intervals_lost(v), intervals_overruns(v));
}

/*
 * What of a name stands in a line of the header: names that take fewer lines
 * than the longest stand right above the numbers. Returns its length.
 */
static size_t header_piece(const struct layout *l, unsigned int line, const char **name)
{
	size_t room = l->width - 2;
	unsigned int at = l->header - pieces(*name, room);

	if (line < at)
		return 0;
	for (; at < line; at++)
		*name += piece(*name, room);
	return piece(*name, room);
}

static void print_header_line(FILE *out, const struct layout *l, unsigned int line)
{
	unsigned int i, indent = l->label;
	const char *name;
	size_t length;

	for (i = 0; i < l->events; i++) {
		name = event_name(l, i);
		length = header_piece(l, line, &name);
		indent += l->width;
		if (!length)
			continue;
		fprintf(out, "%*.*s", (int)indent, (int)length, name);
		indent = 0;
	}
	fputc('\n', out);
}

static void print_cell(FILE *out, const struct layout *l, bool valid, uint64_t tenths)
{
	char text[SI_SIZE];

	fprintf(out, "%*s", (int)l->width, valid ? si_format(text, tenths) : "-");
}

static void print_cpu(FILE *out, const struct layout *l, unsigned int row)
{
	char text[UNIT_NAME];
	unsigned int i;
	double rate;
	bool valid;

	fprintf(out, "%-*s", (int)l->label, row_name(l, row, text));
	for (i = 0; i < l->events; i++) {
		valid = intervals_rate(l->v, &l->v->cpu[row], i, &rate) == RCR_STATUS_OK;
		print_cell(out, l, valid, valid ? rate_tenths(rate) : 0);
	}
	fputc('\n', out);
}

static void print_statistic(FILE *out, const struct layout *l,
			    const struct unit *unit, unsigned int which)
{
	struct stats s = { };
	unsigned int i;
	bool valid;

	fprintf(out, "%s %-*s", unit->name,
		(int)(l->label - strlen(unit->name) - 1), stats_name[which]);
	for (i = 0; i < l->events; i++) {
		valid = unit_stats(l->v, unit, i, &s);
		print_cell(out, l, valid, stats_value(&s, which));
	}
	fputc('\n', out);
}

static void print_rows(FILE *out, const struct layout *l)
{
	const struct unit whole = units_whole(l->v);
	unsigned int row, which;

	for (row = 0; row < l->rows; row++) {
		if (!l->units)
			print_cpu(out, l, row);
		for (which = 0; l->units && which < STATS; which++)
			print_statistic(out, l, &l->units->unit[row], which);
	}
	if (has_total(l))
		print_statistic(out, l, &whole, 0);
}

static void print_cuts(FILE *out, const struct layout *l)
{
	unsigned int rows = all_rows(l) - l->rows;
	unsigned int events = l->v->set->ncounters - l->events;

	if (rows)
		fprintf(out, "%u more %s not shown: the window is too low\n", rows,
			l->units ? rows > 1 ? "units are" : "unit is" :
				   rows > 1 ? "CPUs are" : "CPU is");
	if (events)
		fprintf(out, "%u more event%s not shown: the window is too narrow\n",
			events, events > 1 ? "s are" : " is");
}

/* The first sentences of a text of @all. */
static void print_problems(FILE *out, const struct layout *l, const char *text,
			   unsigned int all)
{
	unsigned int i;
	size_t length;

	if (l->problems)
		fputc('\n', out);
	for (i = 0; i < l->problems; i++) {
		length = strcspn(text, "\n") + 1;
		fwrite(text, 1, length, out);
		text += length;
	}
	if (all > l->problems)
		fprintf(out, "and %u more like that\n", all - l->problems);
}

/**
 * table_print() - prints the present interval
 * @out: where to
 * @v: the intervals
 * @units: what the CPUs are put together by; NULL: nothing
 * @mark: to be told as well; NULL: none
 * @size: what the table has to fit into; what is lower than a table without
 *	rows, or narrower than a table without events, it does not fit into
 */
void table_print(FILE *out, const struct intervals *v, const struct units *units,
		 const struct rcr_mark *mark, const struct table_size *size)
{
	struct layout l = { .v = v, .units = units };
	unsigned int problems = 0, line;
	char *text = NULL;
	size_t length;
	FILE *f = open_memstream(&text, &length);

	if (f) {
		if (mark)
			problems = mark_sentences(f, mark, v->offset);
		problems += problems_print(f, v, units);
		fclose(f);
	}
	lay_columns(&l, size->columns);
	lay_lines(&l, size->lines, problems);
	print_heading(out, v);
	for (line = 0; line < l.header; line++)
		print_header_line(out, &l, line);
	print_rows(out, &l);
	print_cuts(out, &l);
	print_problems(out, &l, text, problems);
	free(text);
}
