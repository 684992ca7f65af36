/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * track.h - has the kernel report what processes map: an event of perf on each CPU, which counts
 * nothing, takes no counter and wakes no one.
 */
#ifndef RCRD_TRACK_H
#define RCRD_TRACK_H

#include "where/changes.h"
#include "why.h"

/**
 * struct track_ring - records of a CPU
 * @cpu: the CPU
 * @fd: its event
 * @page: head of the mapped ring
 * @next: time of the next record, ns; 0: there is none yet
 */
struct track_ring {
	unsigned int cpu;
	int fd;
	struct perf_event_mmap_page *page;
	uint64_t next;
};

/**
 * struct track - records of all CPUs
 * @rings: entries of @ring
 * @absent: CPUs that were offline, and have no event
 * @ring: by CPU
 * @read_ns: until when changes were reported, ns
 * @bytes: of a ring
 * @uevents: socket on which the kernel announces CPUs that come online; -1: there is none
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

/* Opens the events, as root. On failure @t->missing has the reason, and there are none. */
void track_open(struct track *t);

/*
 * Reports what processes have mapped that run already, as root. Returns the number of those whose
 * mappings may not be read.
 */
unsigned int track_scan(track_take take, void *to);

/* Reports changes until @until, CLOCK_MONOTONIC, ns, in order of time. Makes no system call. */
void track_read(struct track *t, uint64_t until, track_take take, void *to);

/*
 * To be called when @t->uevents is readable: an event is silent after its CPU was offline, until
 * it is enabled again. What begins on the CPU until then is not reported.
 */
void track_online(struct track *t);

#endif
