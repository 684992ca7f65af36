/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run.h - runs a command and reports what its CPUs counted in that time. */
#ifndef JOBS_RUN_H
#define JOBS_RUN_H

struct job_options;

/* Returns the exit status: that of the command, or of exit_status.h. */
int job_run(const struct job_options *options);

#endif
