/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fit.h - linear least squares with a few parameters. */
#ifndef RCRCAL_FIT_H
#define RCRCAL_FIT_H

#include <stdbool.h>

#define FIT_MOST 4

/**
 * struct fit - a sum of weighted functions, fitted to points
 * @terms: number of functions
 * @factor: weight of each function
 * @rest: sum of the squared residuals
 */
struct fit {
	unsigned int terms;
	double factor[FIT_MOST];
	double rest;
};

/* Computes the values of the functions at @x. */
typedef void (*fit_terms)(double x, const void *with, double value[FIT_MOST]);

/* Fits @f to points, with @f->terms functions. Returns false if the equations are singular. */
bool fit_points(struct fit *f, fit_terms terms, const void *with, const double *x,
		const double *y, unsigned int count);

/* Value of the fitted sum at @x. */
double fit_at(const struct fit *f, fit_terms terms, const void *with, double x);

#endif
