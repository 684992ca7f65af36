/* SPDX-License-Identifier: GPL-2.0-or-later */
/* processes.h - which processes are those of the command. */
#ifndef JOBS_PROCESSES_H
#define JOBS_PROCESSES_H

#include <sys/types.h>

#include "math/estimates.h"

struct processes;

/*
 * Before the command is started: orphans of it become children of this process, so that they are
 * known as its own. NULL if process ids have no meaning here, or without memory.
 */
struct processes *processes_open(void);
void processes_close(struct processes *p);

/* To be called before the samples that have come are assigned. */
void processes_renew(struct processes *p, pid_t command);

/* What a sample interrupted; @command is the process of the command. */
enum estimates_task processes_find(struct processes *p, pid_t command,
				   const struct rcr_record *record);

#endif
