/* SPDX-License-Identifier: GPL-2.0-or-later */
/* figure.h - figures of regions: the mix of operations, the roofline, and runs side by side. */
#ifndef FIGURE_FIGURE_H
#define FIGURE_FIGURE_H

#include <stdio.h>

#include "rcrregion/metrics.h"
#include "rcrregion/options.h"

/* Writes the script that draws into the file @picture. */
typedef void figure_script(FILE *out, const char *picture, const void *from);

/*
 * Draws into the file of option --output, which stays as it was where that fails. Returns 0, or
 * EXIT_FAILURE after reporting an error.
 */
int figure_draw(const struct region_options *o, figure_script *script, const void *from);

/* True if the numbers of the figure are printed, as a table or CSV. */
bool figure_prints(const struct region_options *o);

/* Takes a region of the application @label; returns 0, or -1 without memory. */
typedef int figure_take(void *to, const struct metric_region *r, const char *label);

/*
 * Joins each directory of the command line, and takes its regions. Returns an exit status; with
 * @elsewhere filled in, unless it is NULL: no process ran on this machine.
 */
int figure_regions(const struct region_options *o, figure_take *take, void *to, bool *elsewhere);

/* True if bars or points need the names of applications: there are several. */
bool figure_has_applications(const struct region_options *o);

/* The last part of the path of a directory: a new text, NULL without memory. */
char *figure_label(const char *directory);

/* mix.c, roofline.c: draw or print the figure; return the exit status. */
int figure_mix(const struct region_options *o);
int figure_roofline(const struct region_options *o);

#endif
