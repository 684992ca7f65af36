/* SPDX-License-Identifier: GPL-2.0-or-later */
/* processes.h - finds the processes of the command. */
#ifndef JOBS_PROCESSES_H
#define JOBS_PROCESSES_H

#include <sys/types.h>

#include "math/estimates.h"

struct processes;

/*
 * Call before the command is started: makes this process a subreaper, so that orphans of the
 * command stay recognizable as its descendants. Returns NULL if the pids in samples are not those
 * of this namespace, or memory ran out.
 */
struct processes *processes_open(void);
void processes_close(struct processes *p);

/* Call before each batch of samples: allows each pid to be checked for reuse once more. */
void processes_renew(struct processes *p, pid_t command);

/* Returns what a sample interrupted; @command is the pid of the command. */
enum estimates_task processes_find(struct processes *p, pid_t command,
				   const struct rcr_record *record);

#endif
