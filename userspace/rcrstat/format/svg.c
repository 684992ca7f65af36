// SPDX-License-Identifier: GPL-2.0-or-later
/* svg.c - a plot of all intervals, which gnuplot draws after the last one. */
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/format.h"
#include "format/identity.h"
#include "format/meter_rows.h"
#include "format/plot.h"
#include "format/values.h"
#include "gnuplot.h"
#include "interval/interval.h"
#include "interval/view.h"
#include "message.h"
#include "meter/meters.h"

static struct plot plot;
static bool no_memory;
static uint32_t generation;

static void put_plot_point(const char *panel, const char *unit, const char *place, bool known,
			   double value)
{
	if (!no_memory && !plot_value(&plot, panel, unit, place, known ? value : NAN))
		no_memory = true;
}

static int find_counter_index(const struct rcr_set *set, const char *name)
{
	unsigned int i;

	for (i = 0; i < set->ncounters; i++)
		if (!strcmp(rcr_set_counter(set, i)->name, name))
			return i;
	return -1;
}

/* Adds a value of a counter, converted from tenths; energy to watts, temperature to degrees. */
static void put_counter(const struct intervals *v, unsigned int counter, const char *place,
			bool known, uint64_t tenths)
{
	const struct rcr_counter *c = rcr_set_counter(v->set, counter);

	if (c->unit == RCR_UNIT_NANOJOULE)
		put_plot_point(c->name, "W", place, known, tenths / 1e10);
	else if (c->unit == RCR_UNIT_MILLIDEGREE)
		put_plot_point(c->name, "°C", place, known, tenths / 1e4);
	else
		put_plot_point(c->name, "per second", place, known, tenths / 10.0);
}

static void take_plot_value(void *to, const struct value *value)
{
	const struct page *p = to;
	int i = find_counter_index(p->v->set, value->event);

	if (i < 0)
		return;
	/* The groups already include values of CPUs, and of units that they hold whole. */
	if (p->view->grouped &&
	    !(value->shared && view_is_apart(p->view, counter_scope(p->v->set, i))))
		return;
	put_counter(p->v, i, value->place, value->known, value->tenths);
}

static void put_groups(const struct intervals *v, const struct view *view, unsigned int counter)
{
	bool known, gauge = rcr_set_is_gauge(v->set, counter);
	struct stats s;
	unsigned int i;

	for (i = 0; i < view->per.count; i++) {
		known = view_stats(view, v, &view->per.unit[i], counter, &s);
		put_counter(v, counter, view->per.unit[i].name, known, !known ? 0 :
			    gauge ? s.mean : s.sum);
	}
}

static void take_plot_meter(void *to, const struct meter *meter, const char *place,
			    const struct meter_value *value)
{
	(void)to;
	put_plot_point(meter->name, strcmp(meter->unit, "1") ? meter->unit : "", place,
		       value->status == RCR_STATUS_OK, value->value);
}

/* Begins a row; adds a gap before it if the intervals are not consecutive. */
static bool begin_plot_row(const struct intervals *v)
{
	uint64_t end = intervals_wall_time(v);
	double time, length = v->length / 1e9;

	if (!plot.rows)
		plot.begin = end - v->length;
	time = (int64_t)(end - plot.begin) / 1e9;
	if (plot.rows && (v->set->item.generation != generation ||
			  time - plot.time[plot.rows - 1] > 1.5 * length) && !plot_row(&plot, NAN))
		return false;
	generation = v->set->item.generation;
	return plot_row(&plot, time);
}

static void svg_line(const struct page *p)
{
	const struct intervals *v = p->v;
	unsigned int i;

	if (no_memory)
		return;
	no_memory = !begin_plot_row(v);
	for (i = 0; p->view->grouped && i < v->set->ncounters; i++)
		if (intervals_has(v, i) && !view_is_apart(p->view, counter_scope(v->set, i)))
			put_groups(v, p->view, i);
	values_visit(v, p->view, take_plot_value, (void *)p);
	meter_rows_visit(v, p->view, take_plot_meter, NULL);
}

static int svg_end(const struct page *p)
{
	double interval = p->v->length / 1e9;
	struct gnuplot g;
	int ret;

	if (no_memory)
		return fail("no memory for a plot of so many intervals: use a longer one with -i");
	if (!plot.count)
		return fail("nothing to plot: no interval of %g s is complete", interval);
	ret = gnuplot_begin(&g);
	if (!ret) {
		plot_script(g.script, &plot, g.output, interval);
		ret = gnuplot_end(&g, p->out);
	}
	plot_free(&plot);
	return ret;
}

/* Keeps the identity of the node for the title. */
static int svg_set(const struct page *p)
{
	size_t size;
	char *text;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return -1;
	identity_heading(f, p->node);
	if (fclose(f))
		return -1;
	free(plot.node);
	/* Skip the comma and blank that precede the identity. */
	plot.node = size > 2 ? strdup(text + 2) : NULL;
	free(text);
	return 0;
}

const struct format format_svg = {
	.name = "svg",
	.grouped = true,
	.chosen = true,
	.meters = true,
	.derives = true,
	.single = true,
	.program = GNUPLOT,
	.set = svg_set,
	.line = svg_line,
	.end = svg_end,
};
