/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fit.h - least squares with a few parameters.
 */
#ifndef RCRCTL_FIT_H
#define RCRCTL_FIT_H

#include <stdbool.h>

#define FIT_MOST 4

/**
 * struct fit - a sum of functions, as near to the points as it can be
 * @terms: how many functions
 * @factor: of each
 * @rest: sum of the squares of what is left
 */
struct fit {
	unsigned int terms;
	double factor[FIT_MOST];
	double rest;
};

/* The functions' values at @x. */
typedef void (*fit_terms)(double x, const void *with, double value[FIT_MOST]);

/* False where the points do not tell the factors. @f->terms is given. */
bool fit_points(struct fit *f, fit_terms terms, const void *with, const double *x,
		const double *y, unsigned int count);

/* What the sum is at @x. */
double fit_at(const struct fit *f, fit_terms terms, const void *with, double x);

#endif
