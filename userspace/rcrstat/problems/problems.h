/* SPDX-License-Identifier: GPL-2.0-or-later */
/* problems.h - explains in words why a rate is missing or suspect. */
#ifndef RCRSTAT_PROBLEMS_H
#define RCRSTAT_PROBLEMS_H

#include <stdio.h>

struct intervals;
struct view;

unsigned int problems_print(FILE *out, const struct intervals *v,
			    const struct view *view);

#endif
