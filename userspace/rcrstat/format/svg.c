// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * svg.c - a plot of all intervals, drawn by gnuplot after the last one.
 *
 * gnuplot reads its script from memory, and writes there: nothing of a plot that fails is in the
 * output.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "child.h"
#include "format/format.h"
#include "format/identity.h"
#include "format/meter_rows.h"
#include "format/plot.h"
#include "format/values.h"
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

/* Adds a value of a counter in tenths, in watts or degrees if it is one of these. */
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
	/* Of groups, only what they do not hold. */
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

/* Begins a row; where intervals do not follow each other, the lines are interrupted. */
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

/* Copies what gnuplot wrote; -1 if it is nothing. */
static int copy_plot(int fd, FILE *out)
{
	char part[16384];
	off_t at = 0;
	ssize_t got;

	while ((got = pread(fd, part, sizeof(part), at)) > 0) {
		fwrite(part, 1, got, out);
		at += got;
	}
	return at ? 0 : -1;
}

/* Writes the script into @script, runs gnuplot, and copies its output from @drawn. */
static int draw_plot(const struct page *p, int script, int drawn, double interval)
{
	char from[32], to[32], name[16];
	char *command[3] = { name, from, NULL };
	FILE *out = fdopen(dup(script), "w");

	if (!out)
		return fail("no memory for the plot");
	snprintf(name, sizeof(name), "%s", format_svg.program);
	snprintf(from, sizeof(from), "/dev/fd/%d", script);
	snprintf(to, sizeof(to), "/dev/fd/%d", drawn);
	plot_script(out, &plot, to, interval);
	if (fclose(out))
		return fail("no memory for the plot");
	lseek(script, 0, SEEK_SET);
	if (child_run(command) || copy_plot(drawn, p->out))
		return fail("gnuplot has not drawn the plot");
	return 0;
}

static int svg_end(const struct page *p)
{
	double interval = p->v->length / 1e9;
	int script, drawn, ret;

	if (no_memory)
		return fail("no memory for a plot of so many intervals: use a longer one with -i");
	if (!plot.count)
		return fail("nothing to plot: no interval of %g s is complete", interval);
	script = memfd_create("rcrstat-script", 0);
	drawn = memfd_create("rcrstat-plot", 0);
	if (script < 0 || drawn < 0)
		ret = fail("the plot: %s", strerror(errno));
	else
		ret = draw_plot(p, script, drawn, interval);
	close(script);
	close(drawn);
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
	/* Without the comma before it. */
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
	.program = "gnuplot",
	.set = svg_set,
	.line = svg_line,
	.end = svg_end,
};
