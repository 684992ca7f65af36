/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session.h - a run of rcrstat, from the first item to the last line.
 */
#ifndef RCRSTAT_SESSION_H
#define RCRSTAT_SESSION_H

struct choice;
struct options;
struct rcr_reader;

/* Returns the exit status, after reporting any error. */
int session_run(const struct options *options, struct choice *choice,
		struct rcr_reader *reader);

#endif
