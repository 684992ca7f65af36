/* SPDX-License-Identifier: GPL-2.0-or-later */
/* load_threads.h - generates load with one thread on each CPU that this process may use. */
#ifndef RCRCAL_LOAD_THREADS_H
#define RCRCAL_LOAD_THREADS_H

#include <stdbool.h>
#include <stddef.h>

#include "why.h"

struct load_threads;

/* Like the functions of the same names in load.h. */
struct load_threads *load_threads_open(size_t size, struct why *why);
int load_threads_set(struct load_threads *l, unsigned int kind, double level, struct why *why);
bool load_threads_latency(struct load_threads *l, double *ns);
void load_threads_close(struct load_threads *l);

#endif
