/* SPDX-License-Identifier: GPL-2.0-or-later */
/* changes.h - parse changes of processes from records of perf and from /proc/PID/maps. */
#ifndef RCRD_CHANGES_H
#define RCRD_CHANGES_H

#include <linux/perf_event.h>

#include "where/mappings.h"

/* Fills in the attributes of an event that records the changes of all processes on a CPU. */
void change_init_attr(struct perf_event_attr *attr);

/*
 * Time of a record of @size bytes, CLOCK_MONOTONIC, ns; 0 if it is damaged. A record begins with a
 * struct perf_event_header, and must be aligned to 8 bytes.
 */
uint64_t change_time(const void *record, size_t size);

/* Parses a record. @c->file.path points into it. A damaged record is a CHANGE_OTHER. */
void change_read(struct change *c, const void *record, size_t size);

/*
 * Parses a line of /proc/@tgid/maps. Modifies the line, and @c->file.path points into it. Returns
 * false if the mapping is not executable.
 */
bool change_read_maps(struct change *c, uint32_t tgid, char *line);

#endif
