/* SPDX-License-Identifier: GPL-2.0-or-later */
/* figure.h - figures of regions: the mix of operations, the roofline, and comparisons of runs. */
#ifndef FIGURE_FIGURE_H
#define FIGURE_FIGURE_H

#include <stdio.h>

#include "rcrregion/metrics.h"
#include "rcrregion/options.h"

/* Writes a script that draws into the file @picture. */
typedef void figure_script(FILE *out, const char *picture, const void *from);

/*
 * Draws into the file of option --output, which is only replaced on success. Returns 0, or
 * EXIT_FAILURE after reporting an error.
 */
int figure_draw(const struct region_options *o, figure_script *script, const void *from);

/* True if the numbers of the figure must be printed, as a table or CSV. */
bool figure_prints(const struct region_options *o);

/* Takes a region of the application @label; returns 0, or -1 if memory ran out. */
typedef int figure_take(void *to, const struct metric_region *r, const char *label);

/*
 * Joins each directory of the command line, and passes its regions to @take. Unless @elsewhere is
 * NULL, sets it if no process ran on this machine. Returns an exit status.
 */
int figure_regions(const struct region_options *o, figure_take *take, void *to, bool *elsewhere);

/* True if there are several applications, so that bars or points need their names. */
bool figure_has_applications(const struct region_options *o);

/* Returns a copy of the last component of a path, or NULL if memory ran out. */
char *figure_label(const char *directory);

/* mix.c, roofline.c: draw or print the figure; return the exit status. */
int figure_mix(const struct region_options *o);
int figure_roofline(const struct region_options *o);

#endif
