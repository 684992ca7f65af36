/* SPDX-License-Identifier: GPL-2.0-or-later */
/* chart.h - writes gnuplot scripts that draw charts of bars or lines. */
#ifndef FIGURE_CHART_H
#define FIGURE_CHART_H

#include <stdio.h>

enum chart_kind {
	CHART_STACKED,	/* parts of each bar */
	CHART_GROUPS,	/* bars next to each other */
	CHART_LINES,
};

/**
 * struct chart - values of series in categories
 * @kind: how they are drawn
 * @title: of the chart
 * @unit: of the values, for the axis
 * @series: number of series
 * @categories: number of categories
 * @series_name: names of the series, for the key
 * @category_name: names of the categories, for the axis
 * @value: the value of series S in category C is number C * @series + S; NAN: not known
 */
struct chart {
	enum chart_kind kind;
	const char *title;
	const char *unit;
	unsigned int series;
	unsigned int categories;
	char **series_name;
	char **category_name;
	const double *value;
};

/* Names in figures are cut after this many characters. */
#define FIGURE_NAME_MOST 28

/* Most bars of a chart, or points of a figure: more would be illegible. */
#define FIGURE_DRAWN 400

/* Width of a figure without charts, pixels. */
#define FIGURE_WIDTH 720

/*
 * Writes the color of entry @i of @n as #rrggbb, from dark blue to light yellow: the order is still
 * visible in a printout without colors.
 */
void figure_color(FILE *out, unsigned int i, unsigned int n);

/* Writes a name in quotes, cut after FIGURE_NAME_MOST characters. */
void figure_put_name(FILE *out, const char *name);

/* Returns the length of the longest name as figure_put_name() writes it, characters. */
unsigned int figure_longest_name(char *const *name, unsigned int count);

/* Returns the height of a figure that fits a key of @names lines, at least @least, pixels. */
unsigned int figure_height(unsigned int least, unsigned int names);

/* Writes the beginning of a script, which draws a picture of that size into the file @output. */
void figure_begin(FILE *out, const char *output, unsigned int width, unsigned int height);

/* Writes a script that draws @count charts one above the other, all with the same names. */
void charts_script(FILE *out, const char *output, const struct chart *chart, unsigned int count);

#endif
