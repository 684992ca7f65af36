/* SPDX-License-Identifier: GPL-2.0-or-later */
/* task_names.h - names of processes and cgroups. */
#ifndef RCRSTAT_TASK_NAMES_H
#define RCRSTAT_TASK_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "task/tasks.h"

/* Long enough for a path that a table shows. */
#define TASK_NAME 256

struct task_names;

/* NULL if there are no names here: of a saved stream, or out of memory. */
struct task_names *task_names_open(enum task_kind kind);
void task_names_close(struct task_names *names);

/* Writes the name of a task, or an empty text if it is not known. */
void task_names_find(struct task_names *names, uint64_t id, char text[TASK_NAME]);

#endif
