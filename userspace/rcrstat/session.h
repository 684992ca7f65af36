/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session.h - a run of rcrstat, from the first item to the last line.
 */
#ifndef RCRSTAT_SESSION_H
#define RCRSTAT_SESSION_H

#include <stdbool.h>

struct choice;
struct options;
struct rcr_reader;
struct rcr_set;

/* Returns the exit status, after reporting any error. */
int session_run(const struct options *options, struct choice *choice,
		struct rcr_reader *reader);

/*
 * Returns the CPUs to print, by number: those of the command line, else those that are online,
 * since others count nothing. Returns NULL for all sampled CPUs, as in a saved stream.
 */
const bool *session_cpus(const struct options *options, bool live);

/* Reports why nothing is counted, and what to do; returns EXIT_FAILURE. */
int session_refuse_idle(const struct rcr_set *set);

#endif
