/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fact.h - lines NAME=VALUE of a recording, for what its counts do not show: the machine, the
 * thresholds, and sums from before the recording begins.
 */
#ifndef RCRD_FACT_H
#define RCRD_FACT_H

/* Buffer size for the longest line of sums, with the terminating NUL. */
#define FACT_LINE	512

/* Called for each line. */
typedef void (*fact_take)(void *to, const char *line);

#endif
