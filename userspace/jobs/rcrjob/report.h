/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report.h - prints what a command did. */
#ifndef JOBS_REPORT_H
#define JOBS_REPORT_H

#include <stdio.h>

struct job;

/* Replaces the contents of @out; reports an error if it cannot be written. */
void report_job(FILE *out, const struct job *j);

#endif
