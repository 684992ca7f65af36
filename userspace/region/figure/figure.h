/* SPDX-License-Identifier: GPL-2.0-or-later */
/* figure.h - figures of regions: the mix of operations, the roofline, and runs side by side. */
#ifndef FIGURE_FIGURE_H
#define FIGURE_FIGURE_H

#include <stdio.h>

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

/* The last part of the path of a directory: a new text, NULL without memory. */
char *figure_label(const char *directory);

/* mix.c, roofline.c: draw or print the figure; return the exit status. */
int figure_mix(const struct region_options *o);
int figure_roofline(const struct region_options *o);

#endif
