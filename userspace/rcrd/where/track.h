/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * track.h - track executable mappings of processes, by a perf event on each CPU. These are dummy
 * events: they use no hardware counter and wake up no process.
 */
#ifndef RCRD_TRACK_H
#define RCRD_TRACK_H

#include "where/changes.h"
#include "why.h"

/**
 * struct track_ring - ring of a CPU
 * @cpu: the CPU
 * @fd: its event
 * @page: first page of the mapping of the ring
 * @next: time of the next record, ns; 0: not read yet
 */
struct track_ring {
	unsigned int cpu;
	int fd;
	struct perf_event_mmap_page *page;
	uint64_t next;
};

/**
 * struct track - rings of all CPUs
 * @rings: number of entries in @ring
 * @absent: number of CPUs without an event, because they were offline
 * @ring: the rings
 * @read_ns: time until which changes were reported, ns
 * @bytes: size of a ring
 * @uevents: socket for uevents of CPUs that come online; -1: none
 * @missing: why there are no events, or empty
 */
struct track {
	unsigned int rings, absent;
	struct track_ring *ring;
	uint64_t read_ns;
	size_t bytes;
	int uevents;
	struct why missing;
};

typedef void (*track_take)(void *to, const struct change *c);

/* Opens the events, which needs root. On failure there are none, and @t->missing is set. */
void track_open(struct track *t);

/*
 * Reports the mappings of the processes that are running already, which needs root. Returns the
 * number of processes whose mappings could not be read for lack of permission.
 */
unsigned int track_scan(track_take take, void *to);

/* Reports changes up to @until, CLOCK_MONOTONIC, ns, in order of time, without system calls. */
void track_read(struct track *t, uint64_t until, track_take take, void *to);

/*
 * Must be called when @t->uevents is readable. It enables the events of CPUs that have come online,
 * as going offline disabled them. Changes on such a CPU in the meantime are not reported.
 */
void track_online(struct track *t);

#endif
