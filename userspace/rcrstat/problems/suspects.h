/* SPDX-License-Identifier: GPL-2.0-or-later */
/* suspects.h - explains in words which relations between counters are broken. */
#ifndef RCRSTAT_SUSPECTS_H
#define RCRSTAT_SUSPECTS_H

#include <stdio.h>

struct intervals;
struct view;

/* Reports on the current interval; returns the number of sentences printed. */
unsigned int suspects_print(FILE *out, const struct intervals *v,
			    const struct view *view);

#endif
