/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ceilings.h - what a machine can do at most, from the file of rcrcal(8). */
#ifndef FIGURE_CEILINGS_H
#define FIGURE_CEILINGS_H

#include "calibration.h"
#include "rcrregion/options.h"

#define CEILING_NAME_LEN 48

/**
 * struct ceiling - what a resource can do at most
 * @name: its name
 * @of_memory: @most is in bytes a second, and not operations a second
 * @most: the maximum
 */
struct ceiling {
	char name[CEILING_NAME_LEN];
	bool of_memory;
	double most;
};

/**
 * struct ceilings - those that are known
 * @count: entries of @ceiling
 * @ceiling: these
 */
struct ceilings {
	unsigned int count;
	struct ceiling ceiling[CALIBRATION_MOST + 1];
};

/*
 * Reads the file of option --ceilings, or that of the machine, which may be missing, and adds that
 * of option --peak. Returns 0, or EXIT_FAILURE after reporting an error.
 */
int ceilings_read(struct ceilings *c, const struct region_options *o);

/* Operations a second that a ceiling allows at so many operations a byte. */
double ceiling_height(const struct ceiling *c, double intensity);

/* The highest ceiling of memory, or of operations; 0: none is known. */
double ceilings_highest(const struct ceilings *c, bool of_memory);

/*
 * The lowest ceiling above a region with @flops operations a second and @intensity operations a
 * byte; NULL if none is above it.
 */
const struct ceiling *ceilings_limiter(const struct ceilings *c, double intensity, double flops);

#endif
