/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * suspects.h - what broke a relation between counters, in words.
 */
#ifndef RCRSTAT_SUSPECTS_H
#define RCRSTAT_SUSPECTS_H

#include <stdio.h>

struct intervals;
struct view;

/* Those of the present interval; returns how many sentences it printed. */
unsigned int suspects_print(FILE *out, const struct intervals *v,
			    const struct view *view);

#endif
