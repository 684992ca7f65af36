/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * windows.h - sum the counts of a stream per time window, for each node and each process.
 */
#ifndef RCRD_WINDOWS_H
#define RCRD_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>
#include <linux/rcrtool.h>

#include "model/machine.h"
#include "model/signals.h"

#define WINDOW_PROCESSES	1024	/* per window; a process on two nodes counts twice */
/* Time to keep what windows have shown, a finding or a slope, while later ones lack its counts. */
#define FORGET_NS	10000000000ull

#define WINDOW_SLICES		32	/* most slices of a window */

/**
 * struct window_slice - a time slice of a window, on one node
 * @busy: mean number of CPUs that ticks found busy
 * @requests: L3 requests
 * @misses: L3 misses
 * @whole: fraction of the slice in which @misses were counted, 0 to 1
 */
struct window_slice {
	double busy, requests, misses, whole;
};

/**
 * struct window_node - a node in a window
 * @sum: counts of its CPUs and shared units, by signal
 * @covered: time in the window in which the shared units were counted, ns
 * @invalid: bit n: enum signal n was not counted, or has an invalid count
 * @has_samples: there are samples of its CPUs
 * @slice: the slices of the window
 */
struct window_node {
	double sum[SIGNALS];
	double covered;
	uint32_t invalid;
	bool has_samples;
	struct window_slice slice[WINDOW_SLICES];
};

/**
 * struct window_process - a process in a window, on a node
 * @tgid: process id
 * @node: the node
 * @sum: counts of the ticks that found the process, by signal
 * @invalid: bit n: one of these ticks has no valid count of enum signal n
 * @time: length of these ticks, TSC cycles
 */
struct window_process {
	uint32_t tgid;
	unsigned int node;
	double sum[SIGNALS_OF_CPU];
	uint32_t invalid;
	double time;
};

/**
 * struct window - counts of one time window
 * @begin: begin of the window, CLOCK_MONOTONIC, ns
 * @length: length of the window, ns
 * @slices: number of slices, at most one per tick
 * @node: the nodes, by number
 * @processes: number of entries in @process
 * @process: the processes, unsorted
 * @lost: number of lost records
 * @missing: bit n: the set does not provide enum signal n
 * @at_home: as in struct signals
 */
struct window {
	uint64_t begin, length;
	unsigned int slices;
	struct window_node node[MACHINE_NODES];
	unsigned int processes;
	struct window_process process[WINDOW_PROCESSES];
	uint64_t lost;
	uint32_t missing;
	bool at_home;
};

/* True if the shared units of a node were counted for at least half of the window. */
static inline bool window_is_covered(const struct window *w, unsigned int node)
{
	return w->node[node].covered >= w->length / 2.0;
}

struct windows;

/* Called for each window, in order of time. */
typedef void (*window_take)(void *to, const struct window *w);

/**
 * windows_open() - allocate windows
 * @machine: the machine; used until the windows are closed
 * @length: length of a window, ns; increased to two periods of the set, if it is shorter
 * @take: called for each complete window, a window late: if a record is lost, the counts of the
 *	next record belong to its time, too
 * @to: first argument of @take
 *
 * Return: NULL without memory.
 */
struct windows *windows_open(const struct machine *machine, uint64_t length, window_take take,
			     void *to);

/**
 * windows_take() - add the next item of the stream
 * @w: the windows
 * @set: set of the item; a new set begins new windows
 * @item: the item
 */
void windows_take(struct windows *w, const struct rcr_set *set, const struct rcr_item *item);

/* Passes the incomplete windows to the callback. */
void windows_flush(struct windows *w);

/* The signals of the newest set. */
const struct signals *windows_signals(const struct windows *w);

/* Frees the windows; @w may be NULL. */
void windows_close(struct windows *w);

#endif
