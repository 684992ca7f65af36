/* SPDX-License-Identifier: GPL-2.0-or-later */
/* changes.h - changes of processes, from records of perf and from /proc/PID/maps. */
#ifndef RCRD_CHANGES_H
#define RCRD_CHANGES_H

#include <linux/perf_event.h>

#include "where/mappings.h"

/* Sets which records the kernel writes, and what each ends with. */
void change_ask(struct perf_event_attr *attr);

/*
 * Time of a record of @size bytes, CLOCK_MONOTONIC, ns; 0: it is damaged. A record begins with a
 * struct perf_event_header, and is aligned to 8.
 */
uint64_t change_time(const void *record, size_t size);

/* Reads a record; @c->file.path may be a part of it. One that is damaged is CHANGE_OTHER. */
void change_read(struct change *c, const void *record, size_t size);

/*
 * Reads a line of /proc/@tgid/maps, which is changed, and which @c->file.path may be a part of;
 * false: the mapping is not of code.
 */
bool change_read_maps(struct change *c, uint32_t tgid, char *line);

#endif
