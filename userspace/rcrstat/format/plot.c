// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * plot.c - collects series of rates, and writes a gnuplot script that draws them: a panel for each
 * event, with a line for each place. If there are many places, draws the median and the band
 * between the lowest and the highest value instead.
 *
 * A line is interrupted where a value is not known.
 */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/plot.h"
#include "gnuplot.h"
#include "print/wall.h"

/* Pixels: width of the plot, height of a panel, and height of the text around all panels. */
#define WIDTH		720
#define PANEL_HEIGHT	190
#define TEXT_HEIGHT	56

/* Height of a second line of the title, pixels. */
#define LINE_HEIGHT	18

/* Doubles an array if all of its @room entries, of @size bytes each, are used. */
static bool grow_array(void *array, size_t *room, size_t used, size_t size)
{
	size_t more = *room ? 2 * *room : 64;
	void *grown;

	if (used < *room)
		return true;
	grown = reallocarray(*(void **)array, more, size);
	if (!grown)
		return false;
	*(void **)array = grown;
	*room = more;
	return true;
}

/* Begins a row; plot_value() adds its values. */
bool plot_row(struct plot *p, double time)
{
	if (!grow_array(&p->time, &p->room, p->rows, sizeof(*p->time)))
		return false;
	p->time[p->rows++] = time;
	return true;
}

static struct plot_series *find_series(struct plot *p, const char *panel, const char *place)
{
	size_t i;

	for (i = 0; i < p->count; i++)
		if (!strcmp(p->series[i].panel, panel) && !strcmp(p->series[i].place, place))
			return &p->series[i];
	return NULL;
}

static void copy_text(char *to, size_t size, const char *text)
{
	snprintf(to, size, "%s", text);
	for (; *to; to++)
		if (iscntrl((unsigned char)*to))
			*to = '_';
}

/* Adds a value to the row. */
bool plot_value(struct plot *p, const char *panel, const char *unit, const char *place,
		double value)
{
	struct plot_series *s = find_series(p, panel, place);

	if (!s) {
		if (!grow_array(&p->series, &p->series_room, p->count, sizeof(*p->series)))
			return false;
		s = &p->series[p->count++];
		*s = (struct plot_series){ .panel = "" };
		copy_text(s->panel, sizeof(s->panel), panel);
		copy_text(s->unit, sizeof(s->unit), unit);
		copy_text(s->place, sizeof(s->place), place);
	}
	while (s->rows < p->rows) {
		if (!grow_array(&s->value, &s->room, s->rows, sizeof(*s->value)))
			return false;
		s->value[s->rows++] = NAN;
	}
	s->value[s->rows - 1] = value;
	return true;
}

void plot_free(struct plot *p)
{
	while (p->count)
		free(p->series[--p->count].value);
	free(p->series);
	free(p->time);
	free(p->node);
	*p = (struct plot){ };
}

static double value_at(const struct plot_series *s, size_t row)
{
	return row < s->rows ? s->value[row] : NAN;
}

/**
 * struct panel - the series of one event
 * @plot: the plot
 * @name: its name
 * @unit: unit of its values
 * @first: index of its first series
 * @places: number of its series
 * @known: a value of any series is known
 * @low: lowest value, or 0
 * @high: highest value, or 0
 */
struct panel {
	const struct plot *plot;
	const char *name;
	const char *unit;
	size_t first;
	size_t places;
	bool known;
	double low;
	double high;
};

static bool is_in_panel(const struct panel *panel, size_t i)
{
	return !strcmp(panel->plot->series[i].panel, panel->name);
}

/* Finds the panel that begins with series @first; returns false if an earlier panel has it. */
static bool find_panel(const struct plot *p, size_t first, struct panel *panel)
{
	size_t i, row;
	double value;

	*panel = (struct panel){ .plot = p, .name = p->series[first].panel,
				 .unit = p->series[first].unit, .first = first };
	for (i = 0; i < first; i++)
		if (is_in_panel(panel, i))
			return false;
	for (; i < p->count; i++) {
		if (!is_in_panel(panel, i))
			continue;
		panel->places++;
		for (row = 0; row < p->rows; row++) {
			value = value_at(&p->series[i], row);
			if (isnan(value))
				continue;
			panel->known = true;
			panel->low = fmin(panel->low, value);
			panel->high = fmax(panel->high, value);
		}
	}
	return true;
}

/* Chooses seconds, minutes or hours, so that the axis has few digits. */
static const char *time_unit(const struct plot *p, double *seconds)
{
	double last = p->time[p->rows - 1];

	*seconds = last <= 600 ? 1 : last <= 4 * 3600 ? 60 : 3600;
	return *seconds == 1 ? "seconds" : *seconds == 60 ? "minutes" : "hours";
}

/* Prints a line of data; if it has no value, a single empty line for the whole gap. */
static void put_row(FILE *out, double time, const double *value, unsigned int values, bool *gap)
{
	unsigned int i;

	if (isnan(time) || isnan(*value)) {
		if (!*gap)
			fputc('\n', out);
		*gap = true;
		return;
	}
	*gap = false;
	fprintf(out, "%.6f", time);
	for (i = 0; i < values; i++)
		fprintf(out, " %.10g", value[i]);
	fputc('\n', out);
}

static int order_numbers(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Finds the lowest, median and highest value of a row. */
static void find_row_band(const struct panel *panel, size_t row, double *sorted, double band[3])
{
	const struct plot *p = panel->plot;
	size_t i, n = 0;

	for (i = panel->first; i < p->count; i++)
		if (is_in_panel(panel, i) && !isnan(value_at(&p->series[i], row)))
			sorted[n++] = value_at(&p->series[i], row);
	qsort(sorted, n, sizeof(*sorted), order_numbers);
	band[0] = n ? sorted[0] : NAN;
	band[1] = n ? (sorted[(n - 1) / 2] + sorted[n / 2]) / 2 : NAN;
	band[2] = n ? sorted[n - 1] : NAN;
}

static void put_band(FILE *out, const struct panel *panel, double unit)
{
	const struct plot *p = panel->plot;
	double *sorted = calloc(panel->places, sizeof(*sorted)), band[3];
	bool gap = true;
	size_t row;

	fputs("$band << END_OF_DATA\n", out);
	for (row = 0; sorted && row < p->rows; row++) {
		find_row_band(panel, row, sorted, band);
		put_row(out, p->time[row] / unit, band, 3, &gap);
	}
	fputs("END_OF_DATA\n", out);
	free(sorted);
}

static void put_series(FILE *out, const struct panel *panel, double unit)
{
	const struct plot *p = panel->plot;
	bool gap;
	size_t i, row;
	double value;

	for (i = panel->first; i < p->count; i++) {
		if (!is_in_panel(panel, i))
			continue;
		fprintf(out, "$series%zu << END_OF_DATA\n", i);
		for (row = 0, gap = true; row < p->rows; row++) {
			value = value_at(&p->series[i], row);
			put_row(out, p->time[row] / unit, &value, 1, &gap);
		}
		fputs("END_OF_DATA\n", out);
	}
}

static bool has_values(const struct plot_series *s)
{
	size_t row;

	for (row = 0; row < s->rows; row++)
		if (!isnan(s->value[row]))
			return true;
	return false;
}

static void put_lines(FILE *out, const struct panel *panel)
{
	const struct plot *p = panel->plot;
	const char *comma = "plot ";
	unsigned int color = 0;
	size_t i;

	for (i = panel->first; i < p->count; i++) {
		if (!is_in_panel(panel, i))
			continue;
		color++;
		/* gnuplot rejects a plot without data. */
		if (has_values(&p->series[i]))
			fprintf(out, "%s$series%zu using 1:2 with linespoints lt %u title ", comma,
				i, color);
		else
			fprintf(out, "%sNaN with linespoints lt %u title ", comma, color);
		gnuplot_put_quoted(out, p->series[i].place);
		comma = ", ";
	}
	fputc('\n', out);
}

/* Prints the title of a panel; if it has a single place, this replaces the key. */
static void put_title(FILE *out, const struct panel *panel)
{
	char title[sizeof(((struct plot_series *)0)->panel) +
		   sizeof(((struct plot_series *)0)->place) + 4];

	snprintf(title, sizeof(title), panel->places > 1 ? "%s" : "%s of %s", panel->name,
		 panel->plot->series[panel->first].place);
	fputs("set title ", out);
	gnuplot_put_quoted(out, title);
	fprintf(out, "\n%s key\n", panel->places > 1 ? "set" : "unset");
}

static void put_panel(FILE *out, const struct panel *panel, double unit)
{
	put_title(out, panel);
	fputs("set ylabel ", out);
	gnuplot_put_quoted(out, panel->unit);
	fprintf(out, "\nset yrange [%g:%g]\nset format y '%s'\n", panel->low * 1.1,
		panel->high > 0 ? panel->high * 1.1 : panel->low < 0 ? 0 : 1,
		panel->high < 1000 && panel->low > -1000 ? "%g" : "%.1s%c");
	if (!panel->known) {
		fputs("set label 1 'no value is known' at graph 0.5, graph 0.5 center\n"
		      "plot NaN notitle\nunset label 1\n", out);
	} else if (panel->places > PLOT_LINES) {
		put_band(out, panel, unit);
		fputs("plot $band using 1:2:4 with filledcurves lt 1 fs transparent solid 0.3 title 'lowest to highest'", out);
		fprintf(out, ", $band using 1:3 with linespoints lt 1 title 'median of %zu'\n",
			panel->places);
	} else {
		put_series(out, panel, unit);
		put_lines(out, panel);
	}
}

/* Returns the width of the keys at the right, characters. */
static size_t key_width(const struct plot *p)
{
	size_t i, n, longest = 0;
	struct panel panel;

	for (i = 0; i < p->count; i++) {
		if (!find_panel(p, i, &panel) || panel.places == 1)
			continue;
		if (panel.places > PLOT_LINES && longest < strlen("lowest to highest"))
			longest = strlen("lowest to highest");
		for (n = i; panel.places <= PLOT_LINES && n < p->count; n++)
			if (is_in_panel(&panel, n) && strlen(p->series[n].place) > longest)
				longest = strlen(p->series[n].place);
	}
	return longest ? longest + 11 : 3;
}

/**
 * plot_script() - write the script
 * @out: output stream
 * @p: the series; at least one row and one series
 * @output: file that gnuplot writes
 * @interval: length of the intervals, s
 */
void plot_script(FILE *out, const struct plot *p, const char *output, double interval)
{
	unsigned int panels = 0, left;
	struct panel panel;
	const char *unit;
	double seconds;
	size_t i;

	for (i = 0; i < p->count; i++)
		panels += find_panel(p, i, &panel);
	left = panels;
	unit = time_unit(p, &seconds);
	gnuplot_put_svg(out, output, WIDTH,
			panels * PANEL_HEIGHT + TEXT_HEIGHT + (p->node ? LINE_HEIGHT : 0));
	fprintf(out, "set multiplot layout %u,1 title 'mean rates in intervals of %g s, from ", panels,
		interval);
	wall_date(out, p->begin, false);
	if (p->node) {
		fputs("'.\"\\n\".'", out);
		gnuplot_put_text(out, p->node);
	}
	fprintf(out, "'\nset grid lc rgb '#d0d0d0'\nset border 3\nset tics nomirror\n"
		"set colorsequence podo\nset pointsize 0.25\nset key outside right top noenhanced\n"
		"set lmargin 12\nset rmargin %zu\n", key_width(p));
	for (i = 1; i <= PLOT_LINES; i++)
		fprintf(out, "set linetype %zu lw 1.5 pt 7\n", i);
	fprintf(out, "set xrange [0:%.6f]\n", p->time[p->rows - 1] / seconds);
	for (i = 0; i < p->count; i++) {
		if (!find_panel(p, i, &panel))
			continue;
		if (!--left)
			fprintf(out, "set xlabel '%s since then'\n", unit);
		put_panel(out, &panel, seconds);
	}
	fputs("unset multiplot\n", out);
}
