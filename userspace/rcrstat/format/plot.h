/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plot.h - collects series of rates, and writes a gnuplot script that draws them. */
#ifndef RCRSTAT_PLOT_H
#define RCRSTAT_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Most places of a panel that are drawn as lines: more are drawn as a band. */
#define PLOT_LINES 8

/**
 * struct plot_series - the values of an event, or a meter, at a place
 * @panel: name of the event: all series with the same name are in one panel
 * @unit: unit of the values, for the axis; may be empty
 * @place: the place
 * @value: by row of the plot; NAN: not known
 * @rows: entries of @value; those after it are not known
 * @room: allocated entries of @value
 */
struct plot_series {
	char panel[80];
	char unit[32];
	char place[64];
	double *value;
	size_t rows;
	size_t room;
};

/**
 * struct plot - all series
 * @begin: begin of the first interval, ns since 1970
 * @time: by row: end of the interval, s since @begin; NAN: a gap between intervals
 * @rows: entries of @time
 * @room: allocated entries of @time
 * @series: the series; those of a panel need not be next to each other
 * @count: entries of @series
 * @series_room: allocated entries of @series
 * @node: second line of the title, or NULL; plot_free() frees it
 */
struct plot {
	uint64_t begin;
	double *time;
	size_t rows;
	size_t room;
	struct plot_series *series;
	size_t count;
	size_t series_room;
	char *node;
};

/* Both return false if there is no memory. */
bool plot_row(struct plot *p, double time);
bool plot_value(struct plot *p, const char *panel, const char *unit, const char *place,
		double value);
void plot_script(FILE *out, const struct plot *p, const char *output, double interval);
void plot_free(struct plot *p);

#endif
