/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ceilings.h - the ceilings of a machine, from the calibration file of rcrcal(8). */
#ifndef FIGURE_CEILINGS_H
#define FIGURE_CEILINGS_H

#include "calibration.h"
#include "rcrregion/options.h"

#define CEILING_NAME_LEN 48

/**
 * struct ceiling - maximum rate of a resource
 * @name: name of the resource
 * @of_memory: @most is in bytes a second, not in operations a second
 * @most: the maximum
 */
struct ceiling {
	char name[CEILING_NAME_LEN];
	bool of_memory;
	double most;
};

/**
 * struct ceilings - all known ceilings
 * @count: entries of @ceiling
 * @ceiling: the ceilings
 */
struct ceilings {
	unsigned int count;
	struct ceiling ceiling[CALIBRATION_MOST + 1];
};

/*
 * Reads the ceilings from the file of option --ceilings, or else from that of this machine, if it
 * exists. Adds the one of option --peak. Returns 0, or EXIT_FAILURE after reporting an error.
 */
int ceilings_read(struct ceilings *c, const struct region_options *o);

/* Returns the operations a second that a ceiling allows at @intensity operations a byte. */
double ceiling_height(const struct ceiling *c, double intensity);

/* Returns the highest ceiling of memory, or of operations; 0 if none is known. */
double ceilings_highest(const struct ceilings *c, bool of_memory);

/*
 * Returns the lowest ceiling above a region with @flops operations a second and @intensity
 * operations a byte, or NULL.
 */
const struct ceiling *ceilings_limiter(const struct ceilings *c, double intensity, double flops);

#endif
