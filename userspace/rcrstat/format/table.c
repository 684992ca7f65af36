// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * table.c - prints an interval as a table for people.
 *
 *	2026-11-20 14:02:31, 1 s, 0 lost, 0 overruns
 *
 *	           IPC  TOT_CYC  TOT_INS
 *	                     /s       /s
 *	cpu0     1.257   2.794G   3.511G
 *	cpu1         -   1.002M        -
 *	all sum      -   2.795G        -
 *
 *	TOT_INS on CPU 1 was foreign: another program changed its register
 *
 * A ? precedes a suspect number (lint.h).
 *
 * Columns are instructions per cycle, if the set counts both, and the counters; rows are CPUs, the
 * band of all CPUs or, for each unit, its five statistics. Rows of sharing units follow for the
 * shared counters that the rows above do not include. The last row is the sum over all selected
 * CPUs. A mark is the first of the sentences. A table that does not fit is cut: first sentences
 * down to PROBLEMS_MIN, then CPU or unit rows from the end, then rows of sharing units; lines
 * report how many were cut. Meters (meter_rows.h) are above the counters.
 *
 * Pure except for the time zone: also compiled into the unit tests.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "interval/aggregate.h"
#include "interval/interval.h"
#include "interval/ratio.h"
#include "format/cell.h"
#include "format/format.h"
#include "format/identity.h"
#include "format/marks.h"
#include "format/meter_rows.h"
#include "problems/problems.h"
#include "format/task_rows.h"
#include "format/table.h"
#include "interval/view.h"
#include "print/columns.h"
#include "print/wall.h"

/* Minimum number of sentences that are kept at the expense of rows. */
#define PROBLEMS_MIN 3

/* Columns: instructions per cycle, and the counters. */
#define COLUMNS_MAX (1 + RCR_MAX_COUNTERS)

/* Index of the column of instructions per cycle. */
#define RATIO (-1)

/* Lines of the heading, with the empty one after it. */
#define HEADING 2

/* Rows of a band: minimum, median and maximum over the CPUs. */
#define BAND_ROWS 3

static const char *const band_name[BAND_ROWS] = { "min", "median", "max" };

#define BOLD	"\033[1m"
#define PLAIN	"\033[0m"

/**
 * struct column - a column of a table
 * @counter: index of the counter, or RATIO
 * @name: its name
 * @width: characters, including the spaces before it
 */
struct column {
	int counter;
	const char *name;
	unsigned int width;
};

/**
 * struct layout - placement of the parts of a table
 * @v: the interval
 * @view: units that the table reports
 * @size: maximum size
 * @ratio: instructions per cycle
 * @label: width of the row names, characters
 * @column: the columns
 * @columns: entries of @column
 * @shown: columns that fit
 * @header: lines of the columns' names
 * @rows: CPUs or units shown
 * @sharers: rows shown of units that share counters
 * @problems: sentences shown
 */
struct layout {
	const struct intervals *v;
	const struct view *view;
	const struct table_size *size;
	struct ratio ratio;
	unsigned int label;
	struct column column[COLUMNS_MAX];
	unsigned int columns;
	unsigned int shown;
	unsigned int header;
	unsigned int rows;
	unsigned int sharers;
	unsigned int problems;
};

static unsigned int larger_of(unsigned int a, unsigned int b)
{
	return a > b ? a : b;
}

static unsigned int smaller_of(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/* Returns how much of @name fits into @room characters; splits after a '_' if possible. */
static size_t name_piece(const char *name, size_t room)
{
	size_t i;

	if (strlen(name) <= room)
		return strlen(name);
	for (i = room; i > 1; i--)
		if (name[i - 1] == '_')
			return i;
	return room;
}

static unsigned int count_pieces(const char *name, size_t room)
{
	unsigned int n = 0;

	for (; *name; name += name_piece(name, room))
		n++;
	return n;
}

/* Returns the number of rows that can be cut; a band cannot. */
static unsigned int all_rows(const struct layout *l)
{
	if (l->view->band)
		return 0;
	return l->view->grouped ? l->view->per.count : l->v->cpus;
}

static unsigned int row_lines(const struct layout *l)
{
	return l->view->grouped ? STATS : 1;
}

/* Returns the units of @scope that have their own rows for the counters that they share. */
static const struct units *sharers_of_scope(const struct layout *l, unsigned int scope)
{
	static const struct units none;

	return view_is_apart(l->view, scope) ? &l->view->shares[scope] : &none;
}

static unsigned int all_sharers(const struct layout *l)
{
	unsigned int scope, n = 0;

	for (scope = 0; scope < SCOPES; scope++)
		n += sharers_of_scope(l, scope)->count;
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

/* False if the only unit is the whole machine, whose row the sum would repeat. */
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
		label = larger_of(label, strlen(row_name(l, i, text)) +
					 (l->view->grouped ? strlen(" mean") : 0));
	for (scope = 0; scope < SCOPES; scope++)
		for (i = 0; i < sharers_of_scope(l, scope)->count; i++)
			label = larger_of(label, strlen(sharers_of_scope(l, scope)->unit[i].name));
	return label;
}

static unsigned int unit_of(const struct layout *l, const struct column *c)
{
	return rcr_set_counter(l->v->set, c->counter)->unit;
}

static void add_column(struct layout *l, int counter, const char *name)
{
	l->column[l->columns++] = (struct column){
		.counter = counter, .name = name,
		.width = larger_of(CELL_WIDTH, strlen(name) + 2),
	};
}

/* Returns the total width if no column is wider than @most. */
static unsigned int total_width(const struct layout *l, unsigned int most)
{
	unsigned int i, width = l->label;

	for (i = 0; i < l->columns; i++)
		width += smaller_of(l->column[i].width, most);
	return width;
}

/* Narrows the widest columns by splitting their names, then drops the last columns. */
static void fit_columns(struct layout *l, unsigned int columns)
{
	unsigned int most = 0, width = l->label, i;

	for (i = 0; i < l->columns; i++)
		most = larger_of(most, l->column[i].width);
	while (most > CELL_WIDTH && total_width(l, most) > columns)
		most--;
	l->shown = 0;
	for (i = 0; i < l->columns; i++) {
		l->column[i].width = smaller_of(l->column[i].width, most);
		width += l->column[i].width;
		l->shown += width <= columns;
	}
}

static void lay_columns(struct layout *l, unsigned int columns)
{
	unsigned int i;

	l->label = longest_label(l);
	l->ratio = ratio_find(l->v->set);
	l->ratio.known &= intervals_has(l->v, l->ratio.above) &&
			  intervals_has(l->v, l->ratio.below);
	if (l->ratio.known)
		add_column(l, RATIO, "IPC");
	for (i = 0; i < l->v->set->ncounters; i++)
		if (intervals_has(l->v, i))
			add_column(l, i, rcr_set_counter(l->v->set, i)->name);
	l->shown = l->columns;
	if (columns)
		fit_columns(l, columns);
	for (i = 0; i < l->shown; i++)
		l->header = larger_of(l->header,
				      count_pieces(l->column[i].name, l->column[i].width - 2));
}

/* Returns the lines around the rows: heading, names, units, sum, notes and empty lines. */
static unsigned int fixed_lines(const struct layout *l, unsigned int problems)
{
	bool cut = l->shown < l->columns;

	return 1 + 1 + l->header + 1 + (l->view->band ? BAND_ROWS : 0) + has_total(l) +
	       (problems ? 1 + problems : 0) + cut;
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
	l->problems = smaller_of(problems, PROBLEMS_MIN);
	/* Reserve a line that reports rows that were cut, and one for sentences that were cut. */
	fixed = fixed_lines(l, l->problems) + 1 + (l->problems < problems);
	/* Reserve another line that reports sharing units that were cut. */
	if (fixed + l->sharers > lines)
		l->sharers = lines > ++fixed ? lines - fixed : 0;
	fixed += l->sharers;
	l->rows = smaller_of(l->rows, lines > fixed ? (lines - fixed) / row_lines(l) : 0);
}

static void print_heading(FILE *out, const struct layout *l)
{
	const struct intervals *v = l->v;

	wall_date(out, intervals_wall_time(v), v->length < 1000000000);
	fprintf(out, ", %.6g s, %" PRIu64 " lost, %" PRIu64 " overruns",
		v->length / 1e9, intervals_lost(v), intervals_overruns(v));
	if (l->view->band)
		fprintf(out, ", band of %u CPUs", v->cpus);
	identity_heading(out, l->size->node);
	fputs("\n\n", out);
}

/*
 * Finds the part of a column's name in line @line of the header. Names that take fewer lines than
 * the longest are aligned at the bottom. Returns the length of the part.
 */
static size_t header_piece(const struct layout *l, unsigned int line,
			   const struct column *c, const char **name)
{
	size_t room = c->width - 2;
	unsigned int at = l->header - count_pieces(c->name, room);

	*name = c->name;
	if (line < at)
		return 0;
	for (; at < line; at++)
		*name += name_piece(*name, room);
	return name_piece(*name, room);
}

static void print_header_line(FILE *out, const struct layout *l, unsigned int line)
{
	unsigned int i, indent = l->label;
	const char *name;
	size_t length;

	fputs(l->size->colour ? BOLD : "", out);
	for (i = 0; i < l->shown; i++) {
		length = header_piece(l, line, &l->column[i], &name);
		indent += l->column[i].width;
		if (!length)
			continue;
		fprintf(out, "%*.*s", (int)indent, (int)length, name);
		indent = 0;
	}
	fputs(l->size->colour ? PLAIN "\n" : "\n", out);
}

static void print_unit_row(FILE *out, const struct layout *l)
{
	unsigned int i, indent = l->label;

	for (i = 0; i < l->shown; i++) {
		indent += l->column[i].width;
		if (l->column[i].counter != RATIO)
			columns_put_right(out, &indent,
					  cell_unit(unit_of(l, &l->column[i]), l->size));
	}
	fputc('\n', out);
}

/* Finds the cell of one CPU; returns false if the column does not apply to it. */
static bool find_cpu_cell(const struct layout *l, const struct column *col,
			  const struct cpu_interval *cpu, struct cell *c, double *value)
{
	*c = (struct cell){ };
	if (col->counter == RATIO) {
		if (ratio_cpu(&l->ratio, l->v, cpu, value))
			cell_set_ratio(c, *value);
		return true;
	}
	if (counter_scope(l->v->set, col->counter) != RCR_SCOPE_CPU)
		return false;
	if (intervals_rate(l->v, cpu, col->counter, value) == RCR_STATUS_OK)
		cell_set_rate(c, unit_of(l, col), rate_tenths(*value));
	c->suspect = cpu_suspect(cpu, col->counter);
	return true;
}

static void print_cpu(FILE *out, const struct layout *l, unsigned int row)
{
	unsigned int i, indent = 0;
	char text[UNIT_NAME];
	struct cell c;
	double value;

	fprintf(out, "%-*s", (int)l->label, row_name(l, row, text));
	for (i = 0; i < l->shown; i++) {
		indent += l->column[i].width;
		if (find_cpu_cell(l, &l->column[i], &l->v->cpu[row], &c, &value))
			cell_print(out, &indent, &c, l->size);
	}
	fputc('\n', out);
}

/* A CPU and its value, to be sorted by the value. */
struct sorted {
	double value;
	unsigned int cpu;
};

static int compare_sorted(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;

	return (x->value > y->value) - (x->value < y->value);
}

/*
 * Finds the smallest, the median and the largest cell of a column; of an even number of CPUs the
 * median is the lower one of the middle two. CPUs without a number are left out. Returns false if
 * the column does not apply to CPUs.
 */
static bool find_band(const struct layout *l, const struct column *col, struct sorted *sorted,
		      struct cell band[BAND_ROWS])
{
	unsigned int i, n = 0, at;
	struct cell c = { };
	double value;

	for (i = 0; i < l->v->cpus; i++) {
		if (!find_cpu_cell(l, col, &l->v->cpu[i], &c, &value))
			return false;
		if (c.valid)
			sorted[n++] = (struct sorted){ value, i };
	}
	qsort(sorted, n, sizeof(*sorted), compare_sorted);
	for (i = 0; i < BAND_ROWS; i++) {
		band[i] = (struct cell){ };
		at = i * (n - 1) / 2;
		if (n)
			find_cpu_cell(l, col, &l->v->cpu[sorted[at].cpu], &band[i], &value);
	}
	return true;
}

static void print_band(FILE *out, const struct layout *l)
{
	struct sorted *sorted = calloc(l->v->cpus + 1, sizeof(*sorted));
	struct cell (*band)[BAND_ROWS] = calloc(l->shown + 1, sizeof(*band));
	bool applies[COLUMNS_MAX] = { };
	unsigned int row, i, indent;

	for (i = 0; sorted && band && i < l->shown; i++)
		applies[i] = find_band(l, &l->column[i], sorted, band[i]);
	for (row = 0; row < BAND_ROWS; row++) {
		fprintf(out, "%-*s", (int)l->label, band_name[row]);
		for (i = 0, indent = 0; i < l->shown; i++) {
			indent += l->column[i].width;
			if (applies[i])
				cell_print(out, &indent, &band[i][row], l->size);
		}
		fputc('\n', out);
	}
	free(sorted);
	free(band);
}

static void print_sharer(FILE *out, const struct layout *l, unsigned int scope,
			 const struct unit *unit)
{
	unsigned int i, indent = 0;
	int counter;
	struct cell c;
	uint64_t tenths;

	fprintf(out, "%-*s", (int)l->label, unit->name);
	for (i = 0; i < l->shown; i++) {
		indent += l->column[i].width;
		counter = l->column[i].counter;
		if (counter == RATIO || counter_scope(l->v->set, counter) != scope)
			continue;
		c = (struct cell){ .suspect = shared_suspect(l->v, unit, counter) };
		if (shared_rate(l->v, unit, counter, &tenths) == RCR_STATUS_OK)
			cell_set_rate(&c, unit_of(l, &l->column[i]), tenths);
		cell_print(out, &indent, &c, l->size);
	}
	fputc('\n', out);
}

static void print_sharers(FILE *out, const struct layout *l)
{
	unsigned int scope, i, left = l->sharers;

	for (scope = 0; scope < SCOPES; scope++)
		for (i = 0; i < sharers_of_scope(l, scope)->count && left; i++, left--)
			print_sharer(out, l, scope, &sharers_of_scope(l, scope)->unit[i]);
}

/*
 * A counter that has rows by sharing unit has statistics of the whole machine only. A gauge, such
 * as a temperature, has no sum.
 */
static bool has_statistic(const struct layout *l, const struct unit *unit, unsigned int which,
			  unsigned int counter)
{
	if (!which && rcr_set_is_gauge(l->v->set, counter))
		return false;
	return !unit->member || !view_is_apart(l->view, counter_scope(l->v->set, counter));
}

/*
 * Finds the cell of one statistic of a unit; returns false if the column has none. The ratio is
 * that of the sums.
 */
static bool find_statistic(const struct layout *l, const struct column *col,
			   const struct unit *unit, unsigned int which, struct cell *c)
{
	struct stats s = { };
	double value;

	*c = (struct cell){ };
	if (col->counter == RATIO) {
		if (!which && ratio_unit(&l->ratio, l->v, l->view, unit, &value))
			cell_set_ratio(c, value);
		return !which;
	}
	if (!has_statistic(l, unit, which, col->counter))
		return false;
	if (view_stats(l->view, l->v, unit, col->counter, &s))
		cell_set_rate(c, unit_of(l, col), stats_value(&s, which));
	return true;
}

static void print_statistic(FILE *out, const struct layout *l,
			    const struct unit *unit, unsigned int which)
{
	unsigned int i, indent = 0;
	struct cell c;

	fprintf(out, "%s %-*s", unit->name,
		(int)(l->label - strlen(unit->name) - 1), stats_name[which]);
	for (i = 0; i < l->shown; i++) {
		indent += l->column[i].width;
		if (find_statistic(l, &l->column[i], unit, which, &c))
			cell_print(out, &indent, &c, l->size);
	}
	fputc('\n', out);
}

static void print_table_rows(FILE *out, const struct layout *l)
{
	const struct unit whole = units_whole(l->v);
	unsigned int row, which;

	if (l->view->band)
		print_band(out, l);
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

static void print_cuts(FILE *out, const struct layout *l)
{
	columns_print_cut(out, all_rows(l) - l->rows, l->view->grouped ? "unit" : "CPU", "low");
	columns_print_cut(out, all_sharers(l) - l->sharers, "shared unit", "low");
	columns_print_cut(out, l->columns - l->shown, "column", "narrow");
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

static void print_counters(FILE *out, struct layout *l, unsigned int lines,
			   unsigned int problems)
{
	unsigned int line;

	lay_lines(l, lines, problems);
	for (line = 0; line < l->header; line++)
		print_header_line(out, l, line);
	print_unit_row(out, l);
	print_table_rows(out, l);
	print_cuts(out, l);
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
	struct layout l = { .v = v, .view = view, .size = size };
	unsigned int problems = 0, used, lines = size->lines;
	char *text = NULL;
	size_t length;
	FILE *f = open_memstream(&text, &length);

	if (f) {
		if (mark)
			problems = mark_sentences(f, mark, v->offset);
		problems += meter_rows_problems(f, v, view);
		problems += problems_print(f, v, view);
		fclose(f);
	}
	lay_columns(&l, size->columns);
	print_heading(out, &l);
	used = meter_rows_print(out, v, view, size, lines > HEADING ? lines - HEADING : lines);
	if (used && l.columns) {
		fputc('\n', out);
		used++;
	}
	if (lines)
		lines = lines > used ? lines - used : 1;
	if (l.columns || !used)
		print_counters(out, &l, lines, problems);
	else
		l.problems = lines ? smaller_of(problems, lines > HEADING ? lines - HEADING : 0) :
				     problems;
	print_problems(out, &l, text, problems);
	free(text);
}

static void table_line(const struct page *p)
{
	if (p->v->tasks)
		task_rows_table(p);
	else
		table_print(p->out, p->v, p->view, p->mark, p->size);
}

static void table_mark(const struct page *p, const struct rcr_mark *mark)
{
	mark_sentences(p->out, mark, p->v->offset);
}

const struct format format_table = {
	.name = "table",
	.grouped = true,
	.chosen = true,
	.meters = true,
	.spaced = true,
	.line = table_line,
	.mark = table_mark,
};
