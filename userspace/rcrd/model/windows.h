/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * windows.h - adds up the counts of a stream in windows of time, for each node and each process.
 */
#ifndef RCRD_WINDOWS_H
#define RCRD_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>
#include <linux/rcrtool.h>

#include "model/machine.h"
#include "model/signals.h"

#define WINDOW_PROCESSES	1024	/* the first ones; one on two nodes is two */
#define WINDOW_SLICES		32	/* parts of a window in which CPUs come and go */

/**
 * struct window_slice - a part of a window, on one node
 * @busy: CPUs that ticks found busy, on average
 * @requests: to the L3
 * @misses: of it
 * @whole: the part of the slice that the counts of @misses cover, 0 to 1
 */
struct window_slice {
	double busy, requests, misses, whole;
};

/**
 * struct window_node - a node in a window
 * @sum: counts of its CPUs and of its shared units
 * @covered: ns of the window in which the shared units were counted
 * @invalid: bit n: enum signal n was not counted, or not ok all the time
 * @slice: its parts
 */
struct window_node {
	double sum[SIGNALS];
	double covered;
	uint32_t invalid;
	struct window_slice slice[WINDOW_SLICES];
};

/**
 * struct window_process - a process in a window, on a node
 * @tgid: its id
 * @node: the node
 * @sum: counts of the ticks that found it
 * @invalid: bit n: a tick of these has no valid count of enum signal n
 * @time: TSC cycles of these ticks
 */
struct window_process {
	uint32_t tgid;
	unsigned int node;
	double sum[SIGNALS_OF_CPU];
	uint32_t invalid;
	double time;
};

/**
 * struct window - a window
 * @begin: CLOCK_MONOTONIC, ns
 * @length: ns
 * @slices: entries of slice[] that are used: not more than there are ticks
 * @node: by number of the node
 * @processes: entries of @process
 * @process: in no order
 * @lost: records that are missing
 * @missing: bit n: the set has no enum signal n
 * @at_home: see struct signals
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

/* Were the shared units of a node counted for half of the window, at least? */
static inline bool window_is_covered(const struct window *w, unsigned int node)
{
	return w->node[node].covered >= w->length / 2.0;
}

struct windows;

/* Called for each window, in order of time. */
typedef void (*window_take)(void *to, const struct window *w);

/**
 * windows_open() - begin to add up
 * @machine: the machine
 * @length: of a window, ns; at least two periods of the stream, and of its slow counters, are taken
 * @take: called when a window is complete: one window later, as a record that was lost makes the
 *	next one count for its time
 * @to: first argument of @take
 *
 * Return: NULL without memory.
 */
struct windows *windows_open(const struct machine *machine, uint64_t length, window_take take,
			     void *to);

/**
 * windows_take() - take the next item of the stream
 * @w: the windows
 * @set: the set that the item belongs to; counts of two sets are not added
 * @item: the item
 */
void windows_take(struct windows *w, const struct rcr_set *set, const struct rcr_item *item);

/* Delivers the windows that are open. */
void windows_flush(struct windows *w);

/* The signals of the newest set. */
const struct signals *windows_signals(const struct windows *w);

/* Frees the windows; @w may be NULL. */
void windows_close(struct windows *w);

#endif
