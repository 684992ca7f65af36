// SPDX-License-Identifier: GPL-2.0-or-later
/* chart.c - writes gnuplot scripts that draw charts of bars or lines, one above the other. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "figure/chart.h"
#include "gnuplot.h"
#include "parse/utf8.h"
#include "print/columns.h"
#include "print/si.h"

/* Pixels: height of a chart and of the title, width of a bar and of a character. */
#define CHART_HEIGHT	280
#define TEXT_HEIGHT	30
#define BAR_WIDTH	22
#define NUMBERED_WIDTH	46
#define CHARACTER_WIDTH	7.5

/* Pixels of a line of the key. */
#define KEY_HEIGHT	18

/* Bytes of a name that was cut, with its ellipsis. */
#define FIGURE_TEXT_LEN	(4 * FIGURE_NAME_MOST + 4)

/* Width of all bars of a category; the categories are 1 apart. */
#define BARS_WIDTH	0.8

/* Smallest part of a bar that is labeled with its number, as a share of the highest bar. */
#define LEAST_SHARE	0.06

/* Most bars of a chart that are labeled with their numbers. */
#define NUMBERED_MOST	24

/* Colors in the order of their brightness: ends and knots of the color map "cividis". */
static const unsigned char color_knots[][3] = {
	{ 0x00, 0x22, 0x4e }, { 0x31, 0x44, 0x6b }, { 0x66, 0x69, 0x70 }, { 0x95, 0x8f, 0x78 },
	{ 0xcb, 0xba, 0x69 }, { 0xfe, 0xe8, 0x38 },
};

#define KNOTS	(sizeof(color_knots) / sizeof(color_knots[0]))

/* Returns the brightness of entry @i of @n, from 0, dark, to 1, light. */
static double color_place(unsigned int i, unsigned int n)
{
	return n > 1 ? (double)i / (n - 1) : 0.25;
}

void figure_color(FILE *out, unsigned int i, unsigned int n)
{
	double place = color_place(i, n) * (KNOTS - 1), part;
	unsigned int knot = place, k;

	knot = knot < KNOTS - 2 ? knot : KNOTS - 2;
	part = place - knot;
	fputc('#', out);
	for (k = 0; k < 3; k++)
		fprintf(out, "%02x", (unsigned int)((1 - part) * color_knots[knot][k] +
						    part * color_knots[knot + 1][k] + 0.5));
}

/* Returns the length of the first FIGURE_NAME_MOST characters of a name, bytes. */
static size_t cut_name(const char *name)
{
	unsigned int characters;
	const char *at = name;

	for (characters = 0; *at && characters < FIGURE_NAME_MOST - 1; characters++)
		at += utf8_length(at) ? utf8_length(at) : 1;
	return at - name;
}

static void cut_long_name(const char *name, char text[FIGURE_TEXT_LEN])
{
	size_t length = cut_name(name);

	if (columns_text_width(name) <= FIGURE_NAME_MOST)
		length = strlen(name);
	snprintf(text, FIGURE_TEXT_LEN, "%.*s%s", (int)length, name, name[length] ? "…" : "");
}

void figure_put_name(FILE *out, const char *name)
{
	char text[FIGURE_TEXT_LEN];

	cut_long_name(name, text);
	gnuplot_put_quoted(out, text);
}

/* Writes a name below an axis; escapes '%', because gnuplot takes the name for a format. */
static void put_axis_name(FILE *out, const char *name)
{
	char text[FIGURE_TEXT_LEN], format[2 * FIGURE_TEXT_LEN], *to = format;
	const char *at;

	cut_long_name(name, text);
	for (at = text; *at; at++) {
		if (*at == '%')
			*to++ = '%';
		*to++ = *at;
	}
	*to = 0;
	gnuplot_put_quoted(out, format);
}

unsigned int figure_longest_name(char *const *name, unsigned int count)
{
	unsigned int longest = 0, width, i;

	for (i = 0; i < count; i++) {
		width = columns_text_width(name[i]);
		longest = width > longest ? width : longest;
	}
	return longest < FIGURE_NAME_MOST ? longest : FIGURE_NAME_MOST;
}

void figure_begin(FILE *out, const char *output, unsigned int width, unsigned int height)
{
	gnuplot_put_svg(out, output, width, height);
	fputs("set border 3\nset tics nomirror\nset key outside right top noenhanced Left reverse maxcols 1\n",
	      out);
}

unsigned int figure_height(unsigned int least, unsigned int names)
{
	unsigned int height = (names + 8) * KEY_HEIGHT;

	return height > least ? height : least;
}

static double chart_value(const struct chart *c, unsigned int category, unsigned int series)
{
	return c->value[category * c->series + series];
}

/* Returns the highest stack, or the highest value if the chart has no stacks. */
static double chart_highest(const struct chart *c)
{
	double highest = 0, stack, value;
	unsigned int i, s;

	for (i = 0; i < c->categories; i++) {
		for (s = 0, stack = 0; s < c->series; s++) {
			value = chart_value(c, i, s);
			if (isnan(value))
				continue;
			stack = c->kind == CHART_STACKED ? stack + value : value;
			highest = fmax(highest, stack);
		}
	}
	return highest;
}

/* Returns where the axis begins: at 0, unless there are negative values. */
static double chart_lowest(const struct chart *c)
{
	double lowest = 0;
	unsigned int i;

	/* fmin() ignores NAN: values that are not known. */
	for (i = 0; i < c->categories * c->series; i++)
		lowest = fmin(lowest, c->value[i]);
	return lowest;
}

/**
 * struct chart_bar - position of a bar
 * @left: its left side
 * @right: its right side
 * @low: its lower end
 * @high: its upper end
 */
struct chart_bar {
	double left;
	double right;
	double low;
	double high;
};

/* Computes the position of the bar of a value; returns false if the value is not known. */
static bool find_bar(const struct chart *c, unsigned int category, unsigned int series,
		     struct chart_bar *bar)
{
	double value = chart_value(c, category, series), width = BARS_WIDTH;
	unsigned int s;

	bar->low = 0;
	bar->left = category - width / 2;
	if (c->kind == CHART_STACKED) {
		for (s = 0; s < series; s++)
			if (!isnan(chart_value(c, category, s)))
				bar->low += chart_value(c, category, s);
	} else {
		width /= c->series;
		bar->left += series * width;
	}
	bar->right = bar->left + width;
	bar->high = bar->low + value;
	return !isnan(value);
}

static void put_bar_data(FILE *out, const struct chart *c, unsigned int series)
{
	struct chart_bar bar;
	unsigned int i, known = 0;

	fprintf(out, "$bars%u << END_OF_DATA\n", series);
	for (i = 0; i < c->categories; i++) {
		if (!find_bar(c, i, series, &bar))
			continue;
		known++;
		fprintf(out, "%g %.10g %g %g %.10g %.10g\n", (bar.left + bar.right) / 2, bar.high,
			bar.left, bar.right, bar.low, bar.high);
	}
	/* gnuplot rejects data without any point. */
	if (!known)
		fputs("-9 0 -9 -9 0 0\n", out);
	fputs("END_OF_DATA\n", out);
}

static bool has_bar_numbers(const struct chart *c)
{
	return c->kind == CHART_GROUPS && c->categories * c->series <= NUMBERED_MOST;
}

/* Labels bars with their numbers: inside of stacks, above other bars; '?' if not known. */
static void put_bar_numbers(FILE *out, const struct chart *c, double highest)
{
	bool stacked = c->kind == CHART_STACKED, numbered = has_bar_numbers(c), known;
	char number[SI_SIZE + 8];
	struct chart_bar bar;
	unsigned int i, s;

	for (i = 0; i < c->categories; i++) {
		for (s = 0; s < c->series; s++) {
			known = find_bar(c, i, s, &bar);
			if (!known && !stacked)
				fprintf(out, "set label '?' at %g,0 center offset 0,0.5\n",
					(bar.left + bar.right) / 2);
			if (known && stacked && bar.high - bar.low >= LEAST_SHARE * highest)
				fprintf(out, "set label '%.0f' at %d,%g center front tc rgb '%s'\n",
					bar.high - bar.low, (int)i, (bar.low + bar.high) / 2,
					color_place(s, c->series) < 0.55 ? "white" : "black");
			if (known && !stacked && numbered)
				fprintf(out, "set label '%s%s' at %g,%.10g center offset 0,%s font ',10'\n",
					bar.high < 0 ? "-" : "",
					si_small(number, sizeof(number), fabs(bar.high)),
					(bar.left + bar.right) / 2, bar.high,
					bar.high < 0 ? "-0.5" : "0.5");
		}
		known = false;
		for (s = 0; s < c->series; s++)
			known |= !isnan(chart_value(c, i, s));
		if (!known && stacked)
			fprintf(out, "set label 'not known' at %u,0 center offset 0,0.7\n", i);
	}
}

static void put_bars(FILE *out, const struct chart *c, double highest)
{
	bool stacked = c->kind == CHART_STACKED;
	unsigned int i, s;

	for (s = 0; s < c->series; s++)
		put_bar_data(out, c, s);
	put_bar_numbers(out, c, highest);
	/* List the key in the order of a stack, from the top. */
	for (i = 0; i < c->series; i++) {
		s = stacked ? c->series - 1 - i : i;
		fprintf(out, "%s $bars%u using 1:2:3:4:5:6 with boxxyerror fc rgb '", i ? "," : "plot",
			s);
		figure_color(out, s, c->series);
		fputs("' fs solid 1 border rgb 'black' title ", out);
		figure_put_name(out, c->series_name[s]);
	}
	fputc('\n', out);
}

static void put_chart_lines(FILE *out, const struct chart *c)
{
	unsigned int i, s, known;

	for (s = 0; s < c->series; s++) {
		fprintf(out, "$line%u << END_OF_DATA\n", s);
		for (i = 0, known = 0; i < c->categories; i++) {
			/* In gnuplot's data, an empty line interrupts the curve. */
			if (isnan(chart_value(c, i, s)))
				fputc('\n', out);
			else
				known += fprintf(out, "%u %.10g\n", i, chart_value(c, i, s)) > 0;
		}
		fprintf(out, "%sEND_OF_DATA\n", known ? "" : "-9 0\n");
	}
	for (s = 0; s < c->series; s++) {
		fprintf(out, "%s $line%u using 1:2 with linespoints lw 1.5 dt %u pt %u ps 0.7 lc rgb '",
			s ? "," : "plot", s, 1 + s % 5, 4 + s % 10);
		/* Omit the light colors, which thin lines would be hard to see in. */
		figure_color(out, s, c->series + (c->series + 1) / 2);
		fputs("' title ", out);
		figure_put_name(out, c->series_name[s]);
	}
	fputc('\n', out);
}

static void put_categories(FILE *out, const struct chart *c)
{
	unsigned int i;

	fputs("set xtics scale 0 (", out);
	for (i = 0; i < c->categories; i++) {
		fputs(i ? ", " : "", out);
		put_axis_name(out, c->category_name[i]);
		fprintf(out, " %u", i);
	}
	fputs(")\n", out);
}

static void put_chart(FILE *out, const struct chart *c)
{
	double highest = chart_highest(c), lowest = chart_lowest(c);

	fputs("unset label\nset title ", out);
	gnuplot_put_quoted(out, c->title);
	fputs("\nset ylabel ", out);
	gnuplot_put_quoted(out, c->unit);
	fprintf(out, "\nset yrange [%.10g:%.10g]\nset format y '%s'\n", lowest * 1.15,
		highest > 0 ? highest * (c->kind == CHART_STACKED ? 1 : 1.15) : lowest < 0 ? 0 : 1,
		fmax(highest, -lowest) < 10000 ? "%g" : "%.1s%c");
	if (c->kind == CHART_LINES)
		put_chart_lines(out, c);
	else
		put_bars(out, c, highest);
}

/* Returns the width of all bars or points, pixels. */
static unsigned int bars_width(const struct chart *c)
{
	if (c->kind != CHART_GROUPS)
		return c->categories * 2 * BAR_WIDTH;
	return c->categories * c->series * (has_bar_numbers(c) ? NUMBERED_WIDTH : BAR_WIDTH);
}

void charts_script(FILE *out, const char *output, const struct chart *chart, unsigned int count)
{
	unsigned int longest = figure_longest_name(chart->category_name, chart->categories), i;
	unsigned int key = figure_longest_name(chart->series_name, chart->series);
	unsigned int width = 80 + (key + 6) * CHARACTER_WIDTH + bars_width(chart);
	unsigned int height = figure_height(CHART_HEIGHT, chart->series);
	unsigned int below = 2;
	bool turned;

	width = width < FIGURE_WIDTH ? FIGURE_WIDTH : width;
	turned = longest * CHARACTER_WIDTH * chart->categories >
		 width - 80 - (key + 6) * CHARACTER_WIDTH;
	/* Convert the length of turned names to lines of text. */
	if (turned)
		below += longest * 0.35 + 1;
	figure_begin(out, output, width, count * (height + (below - 2) * 16) + TEXT_HEIGHT);
	fprintf(out, "set multiplot layout %u,1\nset grid y lc rgb '#d0d0d0'\nset lmargin 10\n"
		"set rmargin %u\nset bmargin %u\nset xrange [-0.6:%g]\n", count, key + 9, below,
		chart->categories - 0.4);
	put_categories(out, chart);
	if (turned)
		fputs("set xtics rotate by -35\n", out);
	for (i = 0; i < count; i++)
		put_chart(out, &chart[i]);
	fputs("unset multiplot\n", out);
}
