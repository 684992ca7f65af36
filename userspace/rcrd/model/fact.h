/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fact.h - what a recording's counts do not show, as lines NAME=VALUE of it: the machine, the
 * thresholds, and the time before the recording begins.
 */
#ifndef RCRD_FACT_H
#define RCRD_FACT_H

/* Room for a line of sums, with its end. */
#define FACT_LINE	512

/* Called for a line. */
typedef void (*fact_take)(void *to, const char *line);

#endif
