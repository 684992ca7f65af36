// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * knee.c - finds the load from which the latency of a resource grows faster than its throughput,
 * from noisy points.
 *
 * Pure: also compiled into the unit tests.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fit.h"
#include "knee.h"

#define WINDOW		0.4	/* half width of the window, in natural logarithms of the load */
#define EDGE		0.02	/* minimum distance of a maximum from the ends of the window */
#define PLACES		160	/* number of corner positions tried */
#define TURNS		12	/* maximum number of times the window is moved */
#define LEAST		6	/* minimum number of points in the window */
#define FALL		0.01	/* minimum fall after the maximum */
#define CLEARLY		2	/* the cubic must leave less than this times the lines' residual */
#define STRAY		7	/* a point is left out from this many median deviations on */
#define STRAY_LEAST	0.005	/* minimum deviation of a stray point */
#define GROSS		0.1	/* minimum deviation before a shape is fitted */
#define STRAYS		4	/* at most one of this many points is left out */

/**
 * struct points - usable points, sorted by load
 * @count: number of points
 * @load: logarithm of the load
 * @power: logarithm of throughput / latency
 * @throughput: logarithm of the throughput
 */
struct points {
	unsigned int count;
	double load[KNEE_POINTS];
	double power[KNEE_POINTS];
	double throughput[KNEE_POINTS];
};

/**
 * struct window - a range of the points
 * @first: index of its first point
 * @count: number of points
 * @centre: logarithm of the load at its centre
 * @x: distances from the centre, in WINDOWs
 */
struct window {
	unsigned int first, count;
	double centre;
	double x[KNEE_POINTS];
};

/**
 * struct shape - a function fitted to the points of a window
 * @terms: its terms
 * @corner: position of the corner, for two straight lines
 * @fit: result of the fit
 * @top: position of its maximum
 * @has_top: the maximum exists and is inside the window
 */
struct shape {
	fit_terms terms;
	double corner;
	struct fit fit;
	double top;
	bool has_top;
};

static bool is_usable(const struct knee_point *p)
{
	return p->load > 0 && p->throughput > 0 && p->latency > 0 && isfinite(p->load) &&
	       isfinite(p->throughput) && isfinite(p->latency);
}

static int by_load(const void *a, const void *b)
{
	const struct knee_point *p = a, *q = b;

	return (p->load > q->load) - (p->load < q->load);
}

static void take_points(struct points *to, const struct knee_point *point, unsigned int count)
{
	struct knee_point sorted[KNEE_POINTS];
	unsigned int i;

	to->count = 0;
	for (i = 0; i < count && i < KNEE_POINTS; i++)
		if (is_usable(&point[i]))
			sorted[to->count++] = point[i];
	qsort(sorted, to->count, sizeof(sorted[0]), by_load);
	for (i = 0; i < to->count; i++) {
		to->load[i] = log(sorted[i].load);
		to->throughput[i] = log(sorted[i].throughput);
		to->power[i] = to->throughput[i] - log(sorted[i].latency);
	}
}

static unsigned int find_highest(const double *value, unsigned int count)
{
	unsigned int best = 0, i;

	for (i = 1; i < count; i++)
		if (value[i] > value[best])
			best = i;
	return best;
}

static int compare_doubles(const void *a, const void *b)
{
	const double *p = a, *q = b;

	return (*p > *q) - (*p < *q);
}

static void leave_out(struct points *p, unsigned int i)
{
	unsigned int behind = --p->count - i;

	memmove(p->load + i, p->load + i + 1, behind * sizeof(p->load[0]));
	memmove(p->power + i, p->power + i + 1, behind * sizeof(p->power[0]));
	memmove(p->throughput + i, p->throughput + i + 1, behind * sizeof(p->throughput[0]));
}

/* Returns the median of three neighbours. */
static double median_of_three(const double *value)
{
	double low = fmin(value[0], value[1]), high = fmax(value[0], value[1]);

	return fmax(low, fmin(high, value[2]));
}

/* Returns the load of the highest power, after smoothing with a median of three. */
static double top_of(const struct points *p)
{
	double even[KNEE_POINTS];
	unsigned int i;

	memcpy(even, p->power, p->count * sizeof(even[0]));
	for (i = 1; i + 1 < p->count; i++)
		even[i] = median_of_three(p->power + i - 1);
	return p->load[find_highest(even, p->count)];
}

/*
 * Leaves out points that deviate far from both neighbours in the same direction: no point of a
 * monotonic curve does, and it would distort any fitted shape.
 */
static void leave_out_gross(struct points *p)
{
	double off[KNEE_POINTS], sorted[KNEE_POINTS], limit;
	unsigned int i;

	if (p->count < LEAST)
		return;
	memset(off, 0, sizeof(off));
	for (i = 1; i + 1 < p->count; i++)
		off[i] = fabs(p->power[i] - median_of_three(p->power + i - 1));
	memcpy(sorted, off, p->count * sizeof(off[0]));
	qsort(sorted, p->count, sizeof(off[0]), compare_doubles);
	limit = fmax(GROSS, STRAY * sorted[p->count / 2]);
	for (i = p->count; i--; )
		if (off[i] > limit)
			leave_out(p, i);
}

static void select_window(const struct points *p, double centre, struct window *w)
{
	unsigned int i;

	w->count = 0;
	w->centre = centre;
	for (i = 0; i < p->count; i++) {
		if (fabs(p->load[i] - centre) > WINDOW)
			continue;
		if (!w->count)
			w->first = i;
		w->x[w->count++] = (p->load[i] - centre) / WINDOW;
	}
}

static void line_terms(double x, const void *with, double value[FIT_MOST])
{
	const double *corner = with;

	value[0] = 1;
	value[1] = fmin(x - *corner, 0);
	value[2] = fmax(x - *corner, 0);
}

static void cubic_terms(double x, const void *with, double value[FIT_MOST])
{
	(void)with;
	value[0] = 1;
	value[1] = x;
	value[2] = x * x;
	value[3] = x * x * x;
}

static bool is_inside(const struct window *w, double x)
{
	return x > w->x[0] + EDGE && x < w->x[w->count - 1] - EDGE;
}

/* Fits two straight lines with the corner at the best of PLACES positions. */
static bool fit_lines(const struct window *w, const double *y, struct shape *s)
{
	double from = w->x[0], to = w->x[w->count - 1], corner;
	struct fit fit = { .terms = 3 };
	bool any = false;
	int i;

	s->terms = line_terms;
	for (i = 1; i < PLACES; i++) {
		corner = from + (to - from) * i / PLACES;
		if (!fit_points(&fit, line_terms, &corner, w->x, y, w->count) ||
		    (any && fit.rest >= s->fit.rest))
			continue;
		any = true;
		s->fit = fit;
		s->corner = corner;
	}
	s->top = s->corner;
	s->has_top = any && s->fit.factor[1] > 0 && s->fit.factor[2] < 0 &&
		     is_inside(w, s->top);
	return any;
}

/* Finds where b + 2cx + 3dx^2 changes sign from positive to negative. */
static bool find_top(const double factor[FIT_MOST], double *top)
{
	double b = factor[1], c = factor[2], d = factor[3];
	double root = c * c - 3 * b * d;

	if (root < 0)
		return false;
	/* Of two equivalent forms, use the one without cancellation. */
	*top = c < 0 ? b / (sqrt(root) - c) : (-c - sqrt(root)) / (3 * d);
	return isfinite(*top);
}

static bool fit_cubic(const struct window *w, const double *y, struct shape *s)
{
	s->terms = cubic_terms;
	s->fit.terms = 4;
	if (!fit_points(&s->fit, cubic_terms, NULL, w->x, y, w->count))
		return false;
	s->has_top = find_top(s->fit.factor, &s->top) && is_inside(w, s->top);
	return true;
}

static bool fit_shape(const struct window *w, const double *y, struct shape *s)
{
	struct shape lines = { 0 }, cubic = { 0 };
	bool has_lines = fit_lines(w, y, &lines), has_cubic = fit_cubic(w, y, &cubic);

	*s = has_cubic && (!has_lines || cubic.fit.rest < CLEARLY * lines.fit.rest) ? cubic : lines;
	return has_lines || has_cubic;
}

static double shape_at(const struct shape *s, double x)
{
	return fit_at(&s->fit, s->terms, &s->corner, x);
}

/* True if the shape falls after its maximum by more than the scatter of the points. */
static bool is_fall(const struct window *w, const struct shape *s)
{
	double fall = shape_at(s, s->top) - shape_at(s, w->x[w->count - 1]);
	unsigned int behind = 0, i;

	for (i = 0; i < w->count; i++)
		behind += w->x[i] > s->top;
	return behind >= 2 && fall > FALL &&
	       fall * fall * behind > 4 * s->fit.rest / (w->count - FIT_MOST);
}

/* Returns the throughput at the maximum, from a fit of the same shape to the throughput. */
static double throughput_at(const struct points *p, const struct window *w,
			    const struct shape *s)
{
	struct shape of = *s;

	fit_points(&of.fit, of.terms, &of.corner, w->x, p->throughput + w->first, w->count);
	return exp(shape_at(&of, s->top));
}

/* Leaves out the point with the largest deviation, if it is an outlier. */
static bool leave_out_stray(struct points *p, const struct window *w, const struct shape *s)
{
	double off[KNEE_POINTS], sorted[KNEE_POINTS];
	unsigned int worst, i;

	for (i = 0; i < w->count; i++)
		off[i] = fabs(p->power[w->first + i] - shape_at(s, w->x[i]));
	worst = find_highest(off, w->count);
	memcpy(sorted, off, w->count * sizeof(off[0]));
	qsort(sorted, w->count, sizeof(off[0]), compare_doubles);
	if (off[worst] < STRAY_LEAST || off[worst] < STRAY * sorted[w->count / 2])
		return false;
	leave_out(p, w->first + worst);
	return true;
}

/* Moves the window to the maximum of the fitted shape until it stays there. */
static enum knee_answer settle_window(struct points *p, double centre, struct knee *knee)
{
	unsigned int turn = 0, strays = p->count / STRAYS;
	struct window w;
	struct shape s;

	while (turn < TURNS) {
		select_window(p, centre, &w);
		if (w.count < LEAST || !fit_shape(&w, p->power + w.first, &s))
			return KNEE_UNCLEAR;
		if (strays && leave_out_stray(p, &w, &s)) {
			strays--;
			continue;
		}
		turn++;
		if (!s.has_top)
			break;
		centre = w.centre + s.top * WINDOW;
		if (fabs(s.top) < EDGE / 4)
			break;
	}
	if (s.has_top && is_fall(&w, &s)) {
		knee->load = exp(centre);
		knee->throughput = fmin(throughput_at(p, &w, &s), knee->peak);
		return KNEE_FOUND;
	}
	return shape_at(&s, w.x[0]) > shape_at(&s, w.x[w.count - 1]) ? KNEE_BELOW : KNEE_ABOVE;
}

enum knee_answer knee_find(const struct knee_point *point, unsigned int count,
			   struct knee *knee)
{
	struct points p;

	memset(knee, 0, sizeof(*knee));
	take_points(&p, point, count);
	if (!p.count)
		return KNEE_UNCLEAR;
	knee->peak = exp(p.throughput[find_highest(p.throughput, p.count)]);
	leave_out_gross(&p);
	return settle_window(&p, top_of(&p), knee);
}

double knee_guess(const struct knee_point *point, unsigned int count)
{
	struct points p;

	take_points(&p, point, count);
	return p.count ? exp(top_of(&p)) : 0;
}
