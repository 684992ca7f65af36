// SPDX-License-Identifier: GPL-2.0-only
/*
 * table.c - prints an interval as a table for people.
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
 * A ? precedes a suspect number (lint.h).
 *
 * Columns are events; rows are CPUs or, for each unit, its five statistics. Rows of sharing units
 * follow for the shared counters that the rows above do not include. The last row is the sum over
 * all selected CPUs. A mark is the first of the sentences. A table that does not fit is cut: first
 * sentences down to PROBLEMS_MIN, then CPU or unit rows from the end, then rows of sharing units;
 * lines report how many were cut.
 *
 * Pure but for the time zone. Compiled into the unit tests as well.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "interval/aggregate.h"
#include "interval/interval.h"
#include "format/marks.h"
#include "problems/problems.h"
#include "print/si.h"
#include "format/table.h"
#include "interval/view.h"
#include "print/wall.h"

/* Two spaces, one of which may become a ?, and a number. */
#define WIDTH_MIN (2 + SI_SIZE - 1)

/* Minimum number of sentences that are kept at the expense of rows. */
#define PROBLEMS_MIN 3

/**
 * struct layout - placement of the parts of a table
 * @v: the interval
 * @view: units that the table reports
 * @label: width of the row names, characters
 * @width: width of an event's column, including the spaces before it
 * @events: number of event columns that fit
 * @header: lines of the event names
 * @rows: CPUs or units shown
 * @sharers: rows shown of units that share counters
 * @problems: sentences shown
 */
struct layout {
	const struct intervals *v;
	const struct view *view;
	unsigned int label;
	unsigned int width;
	unsigned int events;
	unsigned int header;
	unsigned int rows;
	unsigned int sharers;
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

/* Length of the part of @name that fits into @room characters; splits after a '_' if possible. */
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
	return l->view->grouped ? l->view->per.count : l->v->cpus;
}

static unsigned int row_lines(const struct layout *l)
{
	return l->view->grouped ? STATS : 1;
}

/* Units of @scope that have rows of their own for the counters that they share. */
static const struct units *sharers(const struct layout *l, unsigned int scope)
{
	static const struct units none;

	return view_is_apart(l->view, scope) ? &l->view->shares[scope] : &none;
}

static unsigned int all_sharers(const struct layout *l)
{
	unsigned int scope, n = 0;

	for (scope = 0; scope < SCOPES; scope++)
		n += sharers(l, scope)->count;
	return n;
}

static const char *row_name(const struct layout *l, unsigned int row,
			    char text[UNIT_NAME])
{
	if (l->view->grouped)
		return l->view->per.unit[row].name;
	snprintf(text, UNIT_NAME, "cpu%u", l->v->cpu[row].cpu);
	return text;
}

/* False if the only unit is the whole machine, so that the sum would repeat it. */
static bool has_total(const struct layout *l)
{
	const struct units *per = &l->view->per;

	return !l->view->grouped || per->count != 1 ||
	       strcmp(per->unit[0].name, units_whole(l->v).name);
}

static unsigned int longest_label(const struct layout *l)
{
	unsigned int label = strlen("all sum"), scope, i;
	char text[UNIT_NAME];

	for (i = 0; i < all_rows(l); i++)
		label = larger(label, strlen(row_name(l, i, text)) +
				      (l->view->grouped ? strlen(" mean") : 0));
	for (scope = 0; scope < SCOPES; scope++)
		for (i = 0; i < sharers(l, scope)->count; i++)
			label = larger(label, strlen(sharers(l, scope)->unit[i].name));
	return label;
}

static void lay_columns(struct layout *l, unsigned int columns)
{
	unsigned int counters = l->v->set->ncounters, longest = 0, i;

	l->label = longest_label(l);
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

/* Lines around the rows: heading, names, sum, events that are cut, problems and empty lines. */
static unsigned int fixed_lines(const struct layout *l, unsigned int problems)
{
	bool cut = l->events < l->v->set->ncounters;

	return 1 + 1 + l->header + has_total(l) + (problems ? 1 + problems : 0) + cut;
}

/* Drops sentences down to PROBLEMS_MIN first, then rows, then rows of sharing units. */
static void lay_lines(struct layout *l, unsigned int lines, unsigned int problems)
{
	unsigned int fixed;

	l->rows = all_rows(l);
	l->sharers = all_sharers(l);
	l->problems = problems;
	if (!lines || fixed_lines(l, problems) + l->rows * row_lines(l) + l->sharers <= lines)
		return;
	l->problems = smaller(problems, PROBLEMS_MIN);
	/* One more line reports the rows that are cut, and perhaps one the sentences. */
	fixed = fixed_lines(l, l->problems) + 1 + (l->problems < problems);
	/* Another line reports the sharing units that are cut. */
	if (fixed + l->sharers > lines)
		l->sharers = lines > ++fixed ? lines - fixed : 0;
	fixed += l->sharers;
	l->rows = smaller(l->rows, lines > fixed ? (lines - fixed) / row_lines(l) : 0);
}

static void print_heading(FILE *out, const struct intervals *v)
{
	wall_date(out, intervals_wall_time(v), v->length < 1000000000);
	fprintf(out, ", %.6g s, %" PRIu64 " lost, %" PRIu64 " overruns\n\n",
		v->length / 1e9, intervals_lost(v), intervals_overruns(v));
}

/*
 * Finds the part of @name in line @line of the header. Names that take fewer lines than the longest
 * are aligned at the bottom. Returns the length of the part.
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

/**
 * struct cell - a number of the table
 * @valid: there is a number
 * @suspect: the number broke a relation
 * @tenths: the number times ten
 */
struct cell {
	bool valid;
	bool suspect;
	uint64_t tenths;
};

/* Prints a cell right-aligned to @indent characters, which include skipped columns. */
static void print_cell(FILE *out, unsigned int *indent, const struct cell *c)
{
	char text[SI_SIZE + 1] = "?";

	si_format(text + 1, c->tenths);
	fprintf(out, "%*s", (int)*indent, c->valid ? text + !c->suspect : "-");
	*indent = 0;
}

static void print_cpu(FILE *out, const struct layout *l, unsigned int row)
{
	unsigned int i, indent = 0;
	char text[UNIT_NAME];
	struct cell c;
	double rate;

	fprintf(out, "%-*s", (int)l->label, row_name(l, row, text));
	for (i = 0; i < l->events; i++) {
		indent += l->width;
		if (counter_scope(l->v->set, i) != RCR_SCOPE_CPU)
			continue;
		c.valid = intervals_rate(l->v, &l->v->cpu[row], i, &rate) == RCR_STATUS_OK;
		c.suspect = cpu_suspect(&l->v->cpu[row], i);
		c.tenths = c.valid ? rate_tenths(rate) : 0;
		print_cell(out, &indent, &c);
	}
	fputc('\n', out);
}

static void print_sharer(FILE *out, const struct layout *l, unsigned int scope,
			 const struct unit *unit)
{
	unsigned int i, indent = 0;
	struct cell c;

	fprintf(out, "%-*s", (int)l->label, unit->name);
	for (i = 0; i < l->events; i++) {
		indent += l->width;
		if (counter_scope(l->v->set, i) != scope)
			continue;
		c.valid = shared_rate(l->v, unit, i, &c.tenths) == RCR_STATUS_OK;
		c.suspect = shared_suspect(l->v, unit, i);
		print_cell(out, &indent, &c);
	}
	fputc('\n', out);
}

static void print_sharers(FILE *out, const struct layout *l)
{
	unsigned int scope, i, left = l->sharers;

	for (scope = 0; scope < SCOPES; scope++)
		for (i = 0; i < sharers(l, scope)->count && left; i++, left--)
			print_sharer(out, l, scope, &sharers(l, scope)->unit[i]);
}

/* A unit has no statistics of a counter with rows of its own; the whole machine has. */
static bool has_statistic(const struct layout *l, const struct unit *unit,
			  unsigned int counter)
{
	return !unit->member || !view_is_apart(l->view, counter_scope(l->v->set, counter));
}

static void print_statistic(FILE *out, const struct layout *l,
			    const struct unit *unit, unsigned int which)
{
	unsigned int i, indent = 0;
	struct stats s = { };
	struct cell c = { };

	fprintf(out, "%s %-*s", unit->name,
		(int)(l->label - strlen(unit->name) - 1), stats_name[which]);
	for (i = 0; i < l->events; i++) {
		indent += l->width;
		if (!has_statistic(l, unit, i))
			continue;
		c.valid = view_stats(l->view, l->v, unit, i, &s);
		c.tenths = stats_value(&s, which);
		print_cell(out, &indent, &c);
	}
	fputc('\n', out);
}

static void print_rows(FILE *out, const struct layout *l)
{
	const struct unit whole = units_whole(l->v);
	unsigned int row, which;

	for (row = 0; row < l->rows; row++) {
		if (!l->view->grouped)
			print_cpu(out, l, row);
		for (which = 0; l->view->grouped && which < STATS; which++)
			print_statistic(out, l, &l->view->per.unit[row], which);
	}
	print_sharers(out, l);
	if (has_total(l))
		print_statistic(out, l, &whole, 0);
}

static void print_cut(FILE *out, unsigned int n, const char *one, const char *way)
{
	if (n)
		fprintf(out, "%u more %s%s not shown: the window is too %s\n", n, one,
			n > 1 ? "s are" : " is", way);
}

static void print_cuts(FILE *out, const struct layout *l)
{
	print_cut(out, all_rows(l) - l->rows, l->view->grouped ? "unit" : "CPU", "low");
	print_cut(out, all_sharers(l) - l->sharers, "shared unit", "low");
	print_cut(out, l->v->set->ncounters - l->events, "event", "narrow");
}

/* Prints the first l->problems sentences of @text, which has @all of them. */
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
 * table_print() - print the current interval
 * @out: output stream
 * @v: the intervals
 * @view: units that the table reports
 * @mark: a mark to print with the table; NULL: none
 * @size: maximum size; the table exceeds it if it is lower than a table without rows or
 *	narrower than a table without events
 */
void table_print(FILE *out, const struct intervals *v, const struct view *view,
		 const struct rcr_mark *mark, const struct table_size *size)
{
	struct layout l = { .v = v, .view = view };
	unsigned int problems = 0, line;
	char *text = NULL;
	size_t length;
	FILE *f = open_memstream(&text, &length);

	if (f) {
		if (mark)
			problems = mark_sentences(f, mark, v->offset);
		problems += problems_print(f, v, view);
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
