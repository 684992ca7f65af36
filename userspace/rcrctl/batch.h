/* SPDX-License-Identifier: GPL-2.0-or-later */
/* batch.h - runs verbs from a file, line by line. */
#ifndef RCRCTL_BATCH_H
#define RCRCTL_BATCH_H

#include "session.h"

/*
 * Runs the verbs in the file @path; "-" is standard input. Returns the exit status of the first
 * line that failed, at which it stops unless @keep_going.
 */
int batch_run(struct session *s, const char *path, bool keep_going);

#endif
