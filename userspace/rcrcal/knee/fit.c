// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fit.c - linear least squares with a few parameters, by the normal equations. Callers keep x
 * between -1 and 1.
 *
 * Pure: also compiled into the unit tests.
 */
#include <math.h>
#include <string.h>

#include "fit.h"

/* Smallest pivot; the elements of the matrix are of the order of the number of points. */
#define SINGULAR (1 / 1e9)

/* Normal equations; the last column is the right-hand side. */
struct equations {
	double row[FIT_MOST][FIT_MOST + 1];
	unsigned int terms;
};

static void add_point(struct equations *e, const double value[FIT_MOST], double y)
{
	unsigned int i, j;

	for (i = 0; i < e->terms; i++) {
		for (j = 0; j < e->terms; j++)
			e->row[i][j] += value[i] * value[j];
		e->row[i][FIT_MOST] += value[i] * y;
	}
}

static void swap_rows(struct equations *e, unsigned int a, unsigned int b)
{
	double row[FIT_MOST + 1];

	memcpy(row, e->row[a], sizeof(row));
	memcpy(e->row[a], e->row[b], sizeof(row));
	memcpy(e->row[b], row, sizeof(row));
}

static bool take_pivot(struct equations *e, unsigned int i)
{
	unsigned int best = i, j;

	for (j = i + 1; j < e->terms; j++)
		if (fabs(e->row[j][i]) > fabs(e->row[best][i]))
			best = j;
	if (!(fabs(e->row[best][i]) > SINGULAR))
		return false;
	swap_rows(e, i, best);
	return true;
}

static void eliminate_unknown(struct equations *e, unsigned int i)
{
	unsigned int j, k;
	double times;

	for (j = 0; j < e->terms; j++) {
		if (j == i)
			continue;
		times = e->row[j][i] / e->row[i][i];
		for (k = 0; k <= FIT_MOST; k++)
			e->row[j][k] -= times * e->row[i][k];
	}
}

double fit_at(const struct fit *f, fit_terms terms, const void *with, double x)
{
	double value[FIT_MOST], sum = 0;
	unsigned int i;

	terms(x, with, value);
	for (i = 0; i < f->terms; i++)
		sum += f->factor[i] * value[i];
	return sum;
}

bool fit_points(struct fit *f, fit_terms terms, const void *with, const double *x,
		const double *y, unsigned int count)
{
	struct equations e = { .terms = f->terms };
	double value[FIT_MOST], off;
	unsigned int i;

	for (i = 0; i < count; i++) {
		terms(x[i], with, value);
		add_point(&e, value, y[i]);
	}
	for (i = 0; i < e.terms; i++) {
		if (!take_pivot(&e, i))
			return false;
		eliminate_unknown(&e, i);
	}
	for (i = 0; i < e.terms; i++)
		f->factor[i] = e.row[i][FIT_MOST] / e.row[i][i];
	f->rest = 0;
	for (i = 0; i < count; i++) {
		off = y[i] - fit_at(f, terms, with, x[i]);
		f->rest += off * off;
	}
	return true;
}
