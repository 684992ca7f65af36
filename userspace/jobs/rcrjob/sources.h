/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sources.h - prints which sources of values this machine has. */
#ifndef JOBS_SOURCES_H
#define JOBS_SOURCES_H

struct job_options;

/* Returns the exit status. */
int job_sources(const struct job_options *options);

#endif
