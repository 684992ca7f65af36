/* SPDX-License-Identifier: GPL-2.0-or-later */
/* chart.h - charts of bars or lines: the script for gnuplot. */
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

/* Texts of figures are cut after these characters. */
#define FIGURE_NAME_MOST 28

/* Bars of a chart, or points of a figure, at most: more cannot be read. */
#define FIGURE_DRAWN 400

/* Pixels of a figure without charts. */
#define FIGURE_WIDTH 720

/*
 * Writes the color of entry @i of @n as #rrggbb: from dark blue to light yellow, so that a picture
 * without color has the same order.
 */
void figure_color(FILE *out, unsigned int i, unsigned int n);

/* Writes a name within quotes, cut where it is long. */
void figure_put_name(FILE *out, const char *name);

/* Characters that figure_put_name() writes at most for these. */
unsigned int figure_longest_name(char *const *name, unsigned int count);

/* Pixels in which a key of so many names has room, and @least. */
unsigned int figure_height(unsigned int least, unsigned int names);

/* Writes what all scripts begin with: a picture of that size in the file @output. */
void figure_begin(FILE *out, const char *output, unsigned int width, unsigned int height);

/* Writes the script that draws @count charts above each other, all of which have the same names. */
void charts_script(FILE *out, const char *output, const struct chart *chart, unsigned int count);

#endif
