/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session.h - a run of rcrstat, from the first item to the last line.
 */
#ifndef RCRSTAT_SESSION_H
#define RCRSTAT_SESSION_H

struct choice;
struct options;
struct rcr_reader;
struct rcr_set;

/* Returns the exit status, after reporting any error. */
int session_run(const struct options *options, struct choice *choice,
		struct rcr_reader *reader);

/* Reports why nothing is counted, and what to do; returns EXIT_FAILURE. */
int session_refuse_idle(const struct rcr_set *set);

#endif
